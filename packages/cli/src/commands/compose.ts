import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import type { Arguments } from '../args/parse-arguments.js'
import { type RunBank, withBank } from '../bank/run-bank.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { printComposing } from '../output/print-outcome.js'
import { type ChosenHarness, chooseHarness } from '../run/choose-harness.js'
import { makeEnvironment } from '../run/make-environment.js'
import { openSession, type Session } from '../run/session.js'
import { cleanJson, cleanLine } from '../text/clean.js'

/** `compose [task]`: prints the manifest that would run. */
export async function composeCommand(args: Arguments, io: Io): Promise<ExitCode> {
  const session = await openSession(args, io)
  const { harness, route, explanation, composing, notComposed, record } = await withBank(session, (bank) =>
    composeOnly(session, bank),
  )
  const { manifest, manifestId, harnessId } = harness
  if (notComposed !== undefined) session.screen.line(`warning: ${cleanLine(notComposed, 500)}`)
  if (composing !== undefined) printComposing(composing, session.screen)
  if (args.switches.has('explain')) for (const line of explanation) session.screen.line(cleanLine(line, 500))
  const printed = args.switches.has('json')
    ? {
        route,
        manifestId,
        harnessId,
        explanation,
        ...(composing && { composing }),
        ...(record && { record }),
        manifest,
      }
    : manifest
  io.stdout.write(`${cleanJson(printed, args.switches.has('json') ? undefined : 2)}\n`)
  return EXIT.ok
}

/** The tools need a directory to stand in, though nothing is run there. */
async function composeOnly(session: Session, bank: RunBank | undefined): Promise<ChosenHarness> {
  const { args, io, config, packages, model, composer, limits, given, secrets } = session
  const directory = mkdtempSync(join(tmpdir(), 'harnesswright-compose-'))
  try {
    const opened = openWorkspace(directory)
    const env = makeEnvironment({
      model,
      ...(composer === undefined ? {} : { metaModel: composer.made.model }),
      config,
      limits,
      opened,
      secrets,
      isRealTime: false,
      ...(given.world === undefined ? {} : { world: given.world }),
    })
    const composed = { ...(composer && { composer }), ...(bank && { bank }) }
    return await chooseHarness({ args, cwd: io.cwd, task: given.task, env, packages, ...composed })
  } finally {
    await session.close?.()
    rmSync(directory, { recursive: true, force: true })
  }
}
