import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cliError } from '../errors/cli-error.js'

/** Claims of this process. */
const own = new Set<string>()

/**
 * Claims the directory of a run for this process, so that no other goes on with the run while it is under way. What a
 * process that was killed has left is no claim.
 *
 * @returns Gives the claim up.
 * @throws HarnessError `E_CLI_RESUME` when another process has it.
 */
export function claimRun(directory: string): () => void {
  const file = join(directory, 'pid')
  const holder = holderOf(file)
  if (holder !== undefined) throw isHeld(directory, holder, file)
  rmSync(file, { force: true })
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw isHeld(directory, holderOf(file), file)
  }
  own.add(file)
  return () => {
    own.delete(file)
    rmSync(file, { force: true })
  }
}

/** Whether a process that lives is at work on a run. */
export function isClaimed(directory: string): boolean {
  return holderOf(join(directory, 'pid')) !== undefined
}

/** The process that has the claim, if it lives. One that had our number before us does not. */
function holderOf(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    if (!Number.isSafeInteger(pid) || pid <= 0 || (pid === process.pid && !own.has(file))) return undefined
    process.kill(pid, 0) // sends nothing
    return pid
  } catch (error) {
    // A process of somebody else lives too.
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? 0 : undefined
  }
}

function isHeld(directory: string, holder: number | undefined, file: string): Error {
  return cliError('E_CLI_RESUME', {
    message: `The run is still under way, in process ${holder || 'of somebody else'}.`,
    where: directory,
    expected: 'a run that no process is at work on',
    fix: `Wait for it to end, or end it. If that process is none of harnesswright, remove ${file}.`,
  })
}
