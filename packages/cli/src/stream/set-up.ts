import { join, resolve } from 'node:path'
import { type Manifest, nearestNames, type RunResult } from '@harnesswright/core'
import { KeptLab, type LabBudget, type LabRecord } from '@harnesswright/plugin-meta-agent'
import { WORLDS_VERSION } from '@harnesswright/plugin-worlds'
import { parseCount } from '../args/parse-count.js'
import { type HostLimits, parseLimits } from '../args/parse-limits.js'
import { parseRng } from '../args/parse-rng.js'
import { cliError } from '../errors/cli-error.js'
import { type NamedManifest, readNamedManifest } from '../evolve/named-manifest.js'
import type { Io, StopSignal } from '../io.js'
import { chooseModel } from '../models/choose-model.js'
import type { MadeModel } from '../models/make-model.js'
import { listSeeds } from '../packages/list-seeds.js'
import type { ProjectPackages } from '../packages/project-packages.js'
import { type Host, listAndWarn, openHost } from '../run/host.js'
import { isMoneySpent } from '../run/host-limits.js'
import { makeModelOf, modelLine } from '../run/session.js'
import { skillsOf } from '../run/skills-of.js'
import { createCliLab } from './cli-lab.js'
import { type ComposedManifests, openComposed } from './composed-manifests.js'
import { type OpenedTask, openTask } from './open-task.js'
import { openRunPlace, type PlaceSettings, type RunPlace } from './run-place.js'
import type { CliTask } from './tasks.js'

/** What a command that measures harnesses stands on. */
export interface SetUp extends Host {
  readonly made: MadeModel
  readonly packages: ProjectPackages
  readonly limits: HostLimits
  readonly rng: number
  readonly concurrency: number
  /** Where results go. */
  readonly directory: string
  readonly budget: LabBudget
}

/** Reads what every such command names. The model is to be closed. */
export async function setUp(args: Host['args'], io: Io): Promise<SetUp> {
  const { out, limit, concurrency, budget } = args.values
  if (out === undefined) throw noDirectory(args.command ?? '')
  const limits = limit === undefined ? {} : parseLimits(limit)
  const rng = parseRng(args.values['rng'])
  const counted = parseCount('concurrency', concurrency, 4)
  const bounded = budget === undefined ? {} : parseBudget(budget)
  const host = await openHost(args, io)
  const configured = host.config.defaults.model
  const choice = chooseModel({ args, io, ...(configured === undefined ? {} : { configured }) })
  const made = await makeModelOf(choice, host)
  host.screen.line(modelLine(made, choice.why, rng))
  const packages = listAndWarn(host)
  checkMoney({ budget: bounded }, made, host)
  return {
    ...host,
    made,
    packages,
    limits,
    rng,
    concurrency: counted,
    budget: bounded,
    directory: resolve(io.cwd, out),
  }
}

/** A lab whose runs are kept in the directory, and a signal that ends it. */
export interface OpenedLab {
  readonly lab: KeptLab<CliTask>
  readonly place: RunPlace
  readonly signal: AbortSignal
  /** What must not be written down. */
  readonly secrets: readonly string[]
  /** The manifest that was composed for a run, by this process or an earlier one. */
  composed(record: LabRecord): Manifest | undefined
  /** Opens a task to look at what a run of it has. */
  open(task: CliTask): OpenedTask
  /** The signal that was received, if one was. */
  received(): StopSignal | undefined
  close(): void
}

/** How a lab is opened. */
export interface LabOptions {
  /** What the figures depend on beside model, limits and packages. */
  readonly settings: PlaceSettings
  /** Judges a run in the place of the checker. */
  readonly judge?: (task: CliTask, result: RunResult) => Promise<number>
  /** Called with each new run once it is kept, and with the manifest where it was composed. */
  readonly onKept?: (record: LabRecord, composed?: Manifest) => void
}

/** Opens the directory, and a lab that goes on with what is in it. */
export async function openLab(set: SetUp, { settings, judge, onKept }: LabOptions): Promise<OpenedLab> {
  const { io, config, packages, made, limits, secrets, directory, budget, screen } = set
  const skills = await skillsOf(config, io.cwd)
  const place = openRunPlace(directory, 'settings.json', { ...settingsOf(set), ...settings })
  const manifests = composedIn(place)
  const stop = new AbortController()
  let received: StopSignal | undefined
  const stopListening = io.onSignal((signal) => {
    received ??= signal
    stop.abort(new DOMException(`interrupted by ${signal}`, 'AbortError'))
  })
  const surroundings = { folder: place.workspaces, model: made.model, config, limits, secrets, skills }
  const composed = ({ outcome }: LabRecord): Manifest | undefined => manifests.get(outcome.harnessId)
  const lab = createCliLab({
    onComposed: manifests.put,
    catalog: packages.catalog,
    surroundings,
    signal: stop.signal,
    ...(judge === undefined ? {} : { judge }),
  })
  const keep = (record: LabRecord): void => {
    place.keep(record)
    onKept?.(record, composed(record))
  }
  return {
    lab: new KeptLab(lab, { records: place.records, keep, budget }),
    place,
    signal: stop.signal,
    secrets,
    composed,
    open: (task) => openTask(task, surroundings),
    received: () => received,
    close() {
      stopListening()
      screen.clear()
      place.close()
    },
  }
}

/** The manifests that were composed there. A directory in which they cannot be read is given up. */
function composedIn(place: RunPlace): ComposedManifests {
  try {
    return openComposed(place)
  } catch (error) {
    place.close()
    throw error
  }
}

function settingsOf({ made, limits, config, rng, packages }: SetUp): PlaceSettings {
  const { model } = made
  return {
    version: 1,
    model: model.id,
    isSimulated: model.simulated === true,
    worldsVersion: WORLDS_VERSION,
    rng,
    limits: { ...config.defaults.limits, ...limits },
    packages: Object.fromEntries(
      packages.catalog.packages.map(({ description, version, integrity }) => [
        description.name,
        `${version} ${integrity}`,
      ]),
    ),
  }
}

/** The harnesses of a list: scaffolds and manifest files, or `all` for every seed that is installed. */
export async function readChoices(
  list: string,
  { packages, io }: Pick<SetUp, 'packages' | 'io'>,
): Promise<readonly NamedManifest[]> {
  const names = list.split(',').flatMap((name) => {
    return name === 'all' ? listSeeds(packages.installed).map(({ scaffold }) => scaffold) : [name]
  })
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    throw cliError('E_CLI_OPTION', {
      message: `${JSON.stringify(twice)} is named twice.`,
      where: '--harness',
      expected: 'each harness once',
      fix: 'Leave it out once.',
    })
  }
  const places = { packages, cwd: io.cwd, where: '--harness' }
  return await Promise.all(names.map(async (name) => readNamedManifest(name, places)))
}

const BUDGET_NAMES = ['tokens', 'usd'] as const

/**
 * Reads `tokens=5000000,usd=2`.
 *
 * @throws HarnessError `E_CLI_OPTION` when a name is unknown or a number is not one.
 */
function parseBudget(text: string): LabBudget {
  const entries = text.split(',').map((part) => {
    const [name = '', value = '', ...more] = part.split('=')
    const known = BUDGET_NAMES.find((one) => one === name)
    const isNumber = /^\d+(\.\d+)?$/.test(value) && more.length === 0
    if (known !== undefined && isNumber) return [known, Number(value)] as const
    throw cliError('E_CLI_OPTION', {
      message: `${JSON.stringify(part)} is no part of a budget.`,
      where: '--budget',
      expected: 'tokens=<number> and usd=<number>, with a comma between them',
      fix: `Write --budget ${nearestNames(name, BUDGET_NAMES)[0]}=<number>.`,
    })
  })
  return Object.fromEntries(entries)
}

/** Many runs cost much: what they may cost has to be said where money is spent. */
function checkMoney({ budget }: Pick<SetUp, 'budget'>, { model }: MadeModel, { args }: Host): void {
  if (budget.usd !== undefined || !isMoneySpent({ model })) return
  throw cliError('E_CLI_USAGE', {
    message: 'These are many runs on a model with a price, and nothing says what they may cost in all.',
    where: `harnesswright ${args.command}`,
    expected: '--budget usd=<most USD of all runs>',
    fix: 'Add --budget usd=5, or another amount.',
  })
}

function noDirectory(command: string): Error {
  return cliError('E_CLI_USAGE', {
    message: 'Nothing says where the results go.',
    where: `harnesswright ${command}`,
    expected: '--out <dir>',
    fix: 'Add --out <dir>; the same command goes on with what was ended.',
  })
}

/** Where a file of the results lies. */
export function fileIn({ directory }: Pick<SetUp, 'directory'>, name: string): string {
  return join(directory, name)
}
