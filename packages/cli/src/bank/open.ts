import { join, resolve } from 'node:path'
import { type Bank, openBank } from '@harnesswright/plugin-bank'
import { homeOf } from '../home.js'
import { makeDirectory } from '../make-directory.js'
import type { ProjectPackages } from '../packages/project-packages.js'
import { type Host, listAndWarn } from '../run/host.js'
import { cleanLine } from '../text/clean.js'
import { addSeeds } from './seed-harnesses.js'

/** The directory of `--bank`; without it `bank` below the home of the command line. */
function bankDirectory({ args, io }: Pick<Host, 'args' | 'io'>): string {
  const named = args.values['bank']
  return named === undefined ? join(homeOf(io), 'bank') : resolve(io.cwd, named)
}

/**
 * Opens the bank that is named, with the installed seeds in it, and tells what is odd about it.
 *
 * @param packages - The packages of the project, where they are listed already.
 */
export async function openNamedBank(host: Host, packages?: ProjectPackages): Promise<Bank> {
  const { args, io, screen } = host
  if (args.values['bank'] === undefined) makeDirectory(homeOf(io))
  const bank = await openBank({ directory: bankDirectory(host), now: () => io.now() })
  try {
    const { warnings } = await addSeeds(bank, packages ?? listAndWarn(host))
    for (const warning of warnings) screen.line(`warning: ${cleanLine(warning, 500)}`)
    const broken = await bank.setAside()
    if (broken.length > 0)
      screen.line(
        `warning: ${broken.length} ${broken.length === 1 ? 'line' : 'lines'} of the log ${broken.length === 1 ? 'was' : 'were'} set aside, the first at byte ${broken[0]?.position}: ${cleanLine(broken[0]?.reason ?? '')}`,
      )
    return bank
  } catch (error) {
    await bank.close()
    throw error
  }
}
