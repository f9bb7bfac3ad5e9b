import { resolve } from 'node:path'
import {
  assemble,
  type Environment,
  type Harness,
  type Limits,
  nearestNames,
  type Origin,
  type Task,
} from '@harnesswright/core'
import {
  type AskingOptions,
  type Composition,
  type CompositionRecord,
  compose,
  explainComposition,
  type ProbeStore,
  recordOf,
} from '@harnesswright/plugin-meta-agent'
import type { Arguments } from '../args/parse-arguments.js'
import type { RunBank } from '../bank/run-bank.js'
import { cliError } from '../errors/cli-error.js'
import { checkLocked } from '../lock/check-locked.js'
import type { MadeModel } from '../models/make-model.js'
import type { Composing, EarlierRun, Route } from '../output/outcome.js'
import { listSeeds, type Seed } from '../packages/list-seeds.js'
import type { ProjectPackages } from '../packages/project-packages.js'
import { readTextFile } from '../read-text-file.js'
import { composeChoice } from './compose-options.js'

/** A harness that can run, and how it was come by. */
export interface ChosenHarness {
  readonly harness: Harness
  readonly route: Route
  /** Where its manifest comes from, which decides what that may name. */
  readonly origin: Origin
  /** Why this one, a line each. */
  readonly explanation: readonly string[]
  /** Everything that was decided on the way, where it was composed. */
  readonly record?: CompositionRecord
  /** What a model spent on composing it. */
  readonly composing?: Composing
  /** Runs of the same task before, which ended by an exception of their harness. */
  readonly earlier?: readonly EarlierRun[]
  /** Why it is none of the model that was to compose. */
  readonly notComposed?: string
  /** What composing left of the limits. */
  readonly limits?: Partial<Limits>
}

/** The model that composes, and how it is asked. */
export interface Composer {
  readonly made: MadeModel
  readonly asking: AskingOptions
  /** Where it is kept what executors were seen to follow. */
  readonly probes: ProbeStore
}

/** What a harness is chosen from. */
export interface HarnessSources {
  readonly args: Pick<Arguments, 'command' | 'values' | 'switches'>
  readonly cwd: string
  readonly task: Task
  readonly env: Environment
  readonly packages: ProjectPackages
  readonly composer?: Composer
  /** Where examples are looked for. */
  readonly bank?: RunBank
}

/** @throws HarnessError `E_CLI_USAGE` when several ways to come by a harness are named, or a bank where none is composed. */
export function checkHarnessOptions({ values, switches }: HarnessSources['args']): void {
  const composes = values['meta-model'] !== undefined ? '--meta-model' : switches.has('compose') && '--compose'
  const named = [values['manifest'] && '--manifest', values['seed'] && '--seed', composes].filter(Boolean)
  if (named.length > 1) throw severalHarnesses(named as string[])
  const isTaken = values['manifest'] !== undefined || values['seed'] !== undefined
  if (values['bank'] !== undefined && isTaken) throw bankOfNoUse(String(named[0]))
}

/**
 * The harness of a command line: that of a manifest, of a seed, or one composed for the task.
 *
 * @throws HarnessError `E_CLI_OPTION` for an unknown scaffold, `E_CLI_FILE`, `E_CLI_LOCK` where packages are not as locked,
 * `E_MANIFEST_*` and `E_PROTOCOL_*` when it cannot be assembled.
 */
export async function chooseHarness(sources: HarnessSources): Promise<ChosenHarness> {
  const { args, cwd, env, packages } = sources
  const { manifest: file, seed: scaffold } = args.values
  const { catalog } = packages
  if (file !== undefined) {
    const path = resolve(cwd, file)
    const text = await readTextFile(path, { where: '--manifest' })
    await checkLocked({ path, file, text }, catalog)
    const origin = 'person'
    const harness = await assemble(text, { catalog, env, origin })
    return { harness, route: 'fixed', origin, explanation: [`the manifest of ${file}`] }
  }
  if (scaffold !== undefined) {
    const seed = findSeed(scaffold, listSeeds(packages.installed))
    const origin = 'host'
    const harness = await assemble(seed.manifest, { catalog, env, origin })
    return { harness, route: 'fixed', origin, explanation: [`the seed ${seed.scaffold} of ${seed.package}`] }
  }
  return await composeHarness(sources)
}

async function composeHarness({
  args,
  task,
  env,
  packages: { catalog },
  composer,
  bank,
}: HarnessSources): Promise<ChosenHarness> {
  const asked =
    composer === undefined ? {} : { metaModel: composer.made.model, asking: composer.asking, probes: composer.probes }
  const known = bank === undefined ? {} : { references: bank.references.bind(bank) }
  const near = bank === undefined || composer !== undefined ? {} : { proposer: 'nearest' as const }
  const composition = await compose(task, { env, catalog, ...asked, ...known, ...near, ...composeChoice(args) })
  const { harness, route, origin, limits, spent } = composition
  const explanation = [...(bank?.lines ?? []), ...explainComposition(composition)]
  const chosen: ChosenHarness = { harness, route, origin, limits, explanation, record: recordOf(composition) }
  if (composer === undefined) return chosen
  const { id, simulated = false } = composer.made.model
  return {
    ...chosen,
    ...(spent.modelCalls === 0 ? {} : { composing: { ...spent, model: id, simulated } }),
    ...(route === 'model' ? {} : { notComposed: `${id} composed no harness that can run. ${whyNot(composition)}` }),
  }
}

/** What is known of why a model composed nothing: the last fault of its manifests, else what it was not read or not asked for. */
function whyNot({ attempts, explanation }: Composition): string {
  const faults = attempts.filter((attempt) => attempt.route === 'model').flatMap(({ problems }) => problems)
  const refused = explanation.filter(({ rule, applies }) => rule.startsWith('model ') && !applies)
  return faults.at(-1)?.message ?? refused.at(-1)?.because ?? ''
}

/** @throws HarnessError `E_CLI_OPTION`, as of the option `where`, when none of the seeds has that name. */
export function findSeed(scaffold: string, seeds: readonly Seed[], where: '--seed' | '--harness' = '--seed'): Seed {
  const found = seeds.find((seed) => seed.scaffold === scaffold || seed.package === scaffold)
  if (found !== undefined) return found
  const nearest = nearestNames(
    scaffold,
    seeds.map((seed) => seed.scaffold),
  )
  throw cliError('E_CLI_OPTION', {
    message: `There is no scaffold ${JSON.stringify(scaffold)}.`,
    where,
    expected: `an installed scaffold; nearest: ${nearest.join(', ')}`,
    fix:
      where === '--seed' && /^-?\d+$/.test(scaffold)
        ? `The random seed is --rng ${scaffold}; --seed names a scaffold.`
        : `Write ${where} ${nearest[0] ?? '<scaffold>'}, or see "harnesswright seeds".`,
  })
}

function severalHarnesses(named: readonly string[]): Error {
  return cliError('E_CLI_USAGE', {
    message: `Several harnesses are named: ${named.join(' and ')}.`,
    where: named.join(', '),
    expected: 'one of --manifest, --seed and --compose',
    fix: 'Leave the others out.',
  })
}

function bankOfNoUse(harness: string): Error {
  return cliError('E_CLI_USAGE', {
    message: `--bank was given with ${harness}, which names the harness: nothing is composed.`,
    where: '--bank',
    expected: '--bank where a harness is composed',
    fix: `Leave --bank or ${harness} out.`,
  })
}
