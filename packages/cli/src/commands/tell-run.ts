import { renderFailure } from '../errors/print-error.js'
import type { ExitCode } from '../exit-codes.js'
import type { Outcome } from '../output/outcome.js'
import { printAnswer, printComposing, printSummary } from '../output/print-outcome.js'
import { questionText, resumeCommand, shapeText } from '../output/questions.js'
import type { Screen } from '../output/screen.js'
import type { ExecutedRun } from '../run/execute-run.js'
import { exitCodeOf } from '../run/exit-code.js'
import type { Host } from '../run/host.js'
import type { PreparedRun } from '../run/prepare-run.js'
import { cleanLine } from '../text/clean.js'
import { shortId } from '../text/format.js'

/** Says which harness runs, and why. */
export function sayHarness({ chosen }: PreparedRun, { args, screen }: Pick<Host, 'args' | 'screen'>): void {
  const { harness, route, explanation, composing, notComposed } = chosen
  if (notComposed !== undefined) screen.line(`warning: ${cleanLine(notComposed, 500)}`)
  if (composing !== undefined) printComposing(composing, screen)
  const ids = `manifest ${shortId(harness.manifestId)}, harness ${shortId(harness.harnessId)}`
  screen.progress(`harness: ${cleanLine(harness.manifest.name)} (${route}), ${ids}`)
  const isExplained = args.switches.has('explain') || screen.isVerbose
  if (isExplained) for (const line of explanation) screen.line(`  ${cleanLine(line, 500)}`)
}

/** Says what came of a run, and how it goes on where it is not over; gives the exit code. */
export function tellRun(executed: ExecutedRun, { args, io, screen }: Host): ExitCode {
  const { outcome, elapsedMs, directory, signal } = executed
  printAnswer(outcome, io, args.switches.has('json'))
  sayFailure(outcome, screen)
  printSummary(outcome, screen, elapsedMs)
  screen.progress(`run: ${directory.path}`)
  sayHowToGoOn(executed, screen)
  return exitCodeOf(outcome, signal)
}

/** What made a run fail, in the form of every error. */
function sayFailure({ result: { error }, fix }: Outcome, screen: Screen): void {
  if (error !== undefined) screen.line(renderFailure(error, fix).trimEnd())
}

/** The questions of a run that waits, and the command that goes on with a run; also when all else is quiet. */
function sayHowToGoOn({ outcome, directory }: ExecutedRun, screen: Screen): void {
  const { questions, snapshot } = outcome
  for (const question of questions) {
    screen.line(questionText(question))
    const shape = shapeText(question)
    if (shape !== undefined) screen.line(shape)
  }
  if (snapshot === undefined) return
  screen.line(`snapshot written: ${snapshot}`)
  const run = directory.isOurs ? directory.id : directory.path
  screen.line(`to go on: ${resumeCommand(run, questions)}`)
}
