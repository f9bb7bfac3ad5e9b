import type { Arguments } from '../args/parse-arguments.js'
import { NO_CONFIG } from '../config/config.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { DEFAULT_MODEL } from '../models/choose-model.js'
import { makeSimModel } from '../models/make-model.js'
import { fixOfSimulated } from '../models/model-failures.js'
import { type Outcome, toJsonObject } from '../output/outcome.js'
import { printAnswer, printSummary } from '../output/print-outcome.js'
import { Screen } from '../output/screen.js'
import { listPackages } from '../packages/project-packages.js'
import { type ExecutedRun, executeRun } from '../run/execute-run.js'
import { exitCodeOf } from '../run/exit-code.js'
import { type PreparedRun, prepareRun } from '../run/prepare-run.js'
import { modelLine, type Session } from '../run/session.js'
import { readTask } from '../task/read-task.js'
import { cleanJson, cleanLine } from '../text/clean.js'
import { shortId } from '../text/format.js'
import { refuseWords } from './list-command.js'

/** Two small tasks that ask for different harnesses. */
const TASKS = ['quotes', 'long-log'] as const
const RNG = 7

/**
 * `start`: runs two small tasks on the simulated model with composed harnesses, and shows what was composed and why.
 *
 * It reads no key and no configuration, opens no socket and spends nothing.
 */
export async function startCommand(args: Arguments, io: Io): Promise<ExitCode> {
  refuseWords(args)
  const screen = new Screen(io, args)
  const session = openDemo(args, io, screen)
  const outcomes: Outcome[] = []
  for (const name of TASKS) {
    const { outcome, signal } = await runDemo(name, session)
    if (signal !== undefined) return exitCodeOf(outcome, signal)
    outcomes.push(outcome)
  }
  sayComparison(outcomes, screen)
  if (args.switches.has('json')) io.stdout.write(`${cleanJson({ runs: outcomes.map(toJsonObject) })}\n`)
  const isRight = outcomes.every(({ check }) => check?.passed === true) && areDifferent(outcomes)
  return isRight ? EXIT.ok : EXIT.checkFailed
}

function openDemo(args: Arguments, io: Io, screen: Screen): Omit<Session, 'given'> {
  const model = makeSimModel(DEFAULT_MODEL, 'harnesswright start')
  screen.line(modelLine({ model }, 'as always here', RNG))
  const packages = listPackages(NO_CONFIG, io.cwd)
  // Of the environment nothing but the directory of runs is used.
  const env = { HARNESSWRIGHT_HOME: io.env['HARNESSWRIGHT_HOME'] }
  return {
    args,
    io: { ...io, env },
    screen,
    config: NO_CONFIG,
    packages,
    model,
    fixOf: fixOfSimulated,
    rng: RNG,
    limits: {},
    secrets: [],
  }
}

async function runDemo(world: string, base: Omit<Session, 'given'>): Promise<ExecutedRun> {
  const { args, io, screen } = base
  const given = await readTask({ ...args, values: { ...args.values, world } }, io, RNG)
  screen.line('')
  screen.line(`task: ${cleanLine(given.task.instruction, 160)}`)
  const onReady = (prepared: PreparedRun): void => sayComposed(prepared, screen)
  const session = { ...base, given }
  const executed = await executeRun(session, { prepare: () => prepareRun(session), onReady })
  printSummary(executed.outcome, screen, executed.elapsedMs)
  if (args.switches.has('json')) return executed
  screen.progress('answer:')
  printAnswer(executed.outcome, io, false)
  return executed
}

function sayComposed({ chosen }: PreparedRun, screen: Screen): void {
  screen.progress(
    `composed: ${cleanLine(chosen.harness.manifest.name)}, manifest ${shortId(chosen.harness.manifestId)}`,
  )
  for (const line of chosen.explanation) screen.progress(screen.paint.dim(`  ${cleanLine(line, 240)}`))
}

function areDifferent(outcomes: readonly Outcome[]): boolean {
  return new Set(outcomes.map(({ result }) => result.manifestId)).size === outcomes.length
}

function sayComparison(outcomes: readonly Outcome[], screen: Screen): void {
  const ids = outcomes.map(({ manifest, result }) => `${cleanLine(manifest.name)} ${shortId(result.manifestId)}`)
  const verdict = areDifferent(outcomes) ? 'Two tasks, two different manifests' : 'Both tasks got the same manifest'
  screen.line('')
  screen.line(`${verdict}: ${ids.join(' and ')}.`)
  screen.line('The model was simulated: nothing was sent anywhere, and tokens, cost and time are simulated too.')
  screen.line('With a real model (where harnesswright is installed: npx harnesswright run "…"):')
  screen.line('  OPENAI_API_KEY=… OPENAI_MODEL=… npm run harnesswright -- run "…"')
}
