import type { Arguments } from '../args/parse-arguments.js'
import { renderFailure } from '../errors/print-error.js'
import type { ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import type { Outcome } from '../output/outcome.js'
import { printAnswer, printSummary } from '../output/print-outcome.js'
import type { Screen } from '../output/screen.js'
import { executeRun } from '../run/execute-run.js'
import { exitCodeOf } from '../run/exit-code.js'
import type { PreparedRun } from '../run/prepare-run.js'
import { openSession } from '../run/session.js'
import { cleanLine } from '../text/clean.js'
import { shortId } from '../text/format.js'

/** `run [task]`: composes or takes a harness, runs the task, prints the answer. */
export async function runCommand(args: Arguments, io: Io): Promise<ExitCode> {
  const session = await openSession(args, io)
  const { screen } = session
  const isExplained = args.switches.has('explain') || screen.isVerbose
  const executed = await executeRun(session, { onReady: (prepared) => sayHarness(prepared, screen, isExplained) })
  const { outcome, elapsedMs, directory, signal } = executed
  printAnswer(outcome, io, args.switches.has('json'))
  sayFailure(outcome, screen)
  printSummary(outcome, screen, elapsedMs)
  screen.progress(`run: ${directory}`)
  return exitCodeOf(outcome, signal)
}

function sayHarness({ chosen }: PreparedRun, screen: Screen, isExplained: boolean): void {
  const { harness, route, explanation } = chosen
  const ids = `manifest ${shortId(harness.manifestId)}, harness ${shortId(harness.harnessId)}`
  screen.progress(`harness: ${cleanLine(harness.manifest.name)} (${route}), ${ids}`)
  if (isExplained) for (const line of explanation) screen.line(`  ${cleanLine(line, 500)}`)
}

/** What made a run fail, in the form of every error. */
function sayFailure({ result: { error }, fix }: Outcome, screen: Screen): void {
  if (error !== undefined) screen.line(renderFailure(error, fix).trimEnd())
}
