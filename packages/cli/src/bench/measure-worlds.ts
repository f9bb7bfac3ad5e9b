import { join, resolve } from 'node:path'
import { type BenchHarness, type BenchProgress, type BenchRow, benchWorlds } from '@harnesswright/plugin-bench'
import { PROFILES_VERSION } from '@harnesswright/plugin-model-sim'
import type { Arguments } from '../args/parse-arguments.js'
import { parseCount } from '../args/parse-count.js'
import { type HostLimits, parseLimits } from '../args/parse-limits.js'
import { printListing } from '../commands/list-command.js'
import { cliError } from '../errors/cli-error.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io, StopSignal } from '../io.js'
import { makeDirectory } from '../make-directory.js'
import { chooseModel } from '../models/choose-model.js'
import type { MadeModel } from '../models/make-model.js'
import type { ProjectPackages } from '../packages/project-packages.js'
import { claimRun } from '../run/claim-run.js'
import { type Host, listAndWarn, openHost } from '../run/host.js'
import { isMoneySpent } from '../run/host-limits.js'
import { makeEnvironment } from '../run/make-environment.js'
import { makeModelOf, modelLine } from '../run/session.js'
import { skillsOf } from '../run/skills-of.js'
import { formatCount, formatTime, formatUsd } from '../text/format.js'
import { benchHarnesses, namedFromAnywhere } from './bench-harnesses.js'
import { reportBench } from './bench-report.js'
import { benchedWorlds } from './bench-worlds.js'

/** What a bench is to be. */
interface BenchPlan {
  readonly directory: string
  readonly harnesses: readonly BenchHarness[]
  readonly worlds: readonly string[]
  readonly rngs: number
  readonly concurrency: number
  readonly limits: HostLimits
  readonly packages: ProjectPackages
  /** Options with which it can be begun again, from any directory. */
  readonly again: Readonly<Record<string, string>>
}

/** Runs harnesses on the generated tasks of the worlds, or goes on with that, and compares them. The table is the answer. */
export async function measureWorlds(args: Arguments, io: Io): Promise<ExitCode> {
  const host = await openHost(args, io)
  const configured = host.config.defaults.model
  const choice = chooseModel({ args, io, ...(configured === undefined ? {} : { configured }) })
  const plan = await planBench(host, choice.name)
  const made = await makeModelOf(choice, host)
  try {
    host.screen.line(modelLine(made, choice.why))
    checkMoney(plan, made, host)
    const { rows, signal } = await runBench(plan, made, host)
    const { harnesses, worlds, rngs, directory } = plan
    const total = harnesses.length * worlds.length * rngs
    const results = join(directory, 'results.jsonl')
    printListing(reportBench({ rows, total, model: made.model, results }), args, io)
    if (signal === undefined) return rows.some(({ reward }) => reward === null) ? EXIT.model : EXIT.ok
    host.screen.line(
      `${signal}: ${rows.length} of ${total} runs are done; the same command goes on with the others, and so does "bench resume"`,
    )
    return signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated
  } finally {
    await made.close?.()
  }
}

async function planBench(host: Host, model: string): Promise<BenchPlan> {
  const { args, io } = host
  const { harness = 'all', worlds = 'all', rngs, concurrency, limit, out } = args.values
  if (out === undefined) throw noDirectory()
  const packages = listAndWarn(host)
  return {
    directory: resolve(io.cwd, out),
    harnesses: await benchHarnesses(harness, { packages, cwd: io.cwd }),
    worlds: benchedWorlds(worlds),
    rngs: parseCount('rngs', rngs, 10),
    concurrency: parseCount('concurrency', concurrency, 4),
    limits: limit === undefined ? {} : parseLimits(limit),
    packages,
    again: {
      harness: namedFromAnywhere(harness, io.cwd),
      worlds,
      model,
      ...(rngs === undefined ? {} : { rngs }),
      ...(limit === undefined ? {} : { limit }),
    },
  }
}

/** Runs what is not done yet, until a signal ends it. */
async function runBench(
  plan: BenchPlan,
  { model }: MadeModel,
  host: Host,
): Promise<{ readonly rows: readonly BenchRow[]; readonly signal?: StopSignal }> {
  const { io, screen, config, secrets } = host
  const { packages, limits, ...measured } = plan
  const startedAt = io.now()
  const stop = new AbortController()
  let signal: StopSignal | undefined
  const stopListening = io.onSignal((received) => {
    signal ??= received
    stop.abort(`interrupted by ${received}`)
  })
  makeDirectory(plan.directory)
  const unclaim = claimRun(plan.directory)
  try {
    const skills = await skillsOf(config, io.cwd)
    const rows = await benchWorlds({
      ...measured,
      catalog: packages.catalog,
      model,
      settings: { ...versionsOf(model), limits: { ...config.defaults.limits, ...limits } },
      environmentOf: (place) =>
        makeEnvironment({ model, config, limits, secrets, skills, isRealTime: false, ...place }),
      signal: stop.signal,
      onProgress: (progress) => screen.status(progressText(progress, model.simulated === true, io.now() - startedAt)),
    })
    return signal === undefined ? { rows } : { rows, signal }
  } finally {
    unclaim()
    stopListening()
    screen.clear()
  }
}

/** What else the figures of a simulated model depend on. */
function versionsOf({ simulated }: MadeModel['model']): object {
  return simulated === true ? { profilesVersion: PROFILES_VERSION } : {}
}

function progressText({ done, total, tokens, usd }: BenchProgress, isSimulated: boolean, elapsedMs: number): string {
  const cost = `${formatUsd(usd)}${isSimulated && usd !== null ? ' simulated' : ''}`
  return `${done} of ${total} runs, ${formatCount(tokens)} tokens, ${cost}, ${formatTime(elapsedMs)}`
}

/** A bench is many runs: what each may cost has to be said where money is spent. */
function checkMoney({ limits, harnesses, worlds, rngs }: BenchPlan, { model }: MadeModel, { config }: Host): void {
  if ((limits.usd ?? config.defaults.limits.usd) !== undefined || !isMoneySpent({ model })) return
  throw cliError('E_CLI_USAGE', {
    message: `These are ${harnesses.length * worlds.length * rngs} runs on a model with a price, and nothing says what one may cost.`,
    where: '--limit',
    expected: 'usd= beside it: the most USD of each run',
    fix: 'Add --limit usd=0.05, or another amount.',
  })
}

function noDirectory(): Error {
  return cliError('E_CLI_USAGE', {
    message: 'Nothing says where the results go.',
    where: 'harnesswright bench',
    expected: '--out <dir>',
    fix: 'Add --out <dir>; the same command goes on with a bench that was ended.',
  })
}
