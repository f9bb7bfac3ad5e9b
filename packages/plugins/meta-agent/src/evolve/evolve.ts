import { type Manifest, mixSeed } from '@harnesswright/core'
import { type Comparison, compareArms } from '../lab/compare.js'
import type { Lab, LabChoice, LabTask } from '../lab/lab.js'
import { type MeasureOptions, measure } from '../lab/measure.js'
import { meanOf, sumOf, type TaskOutcome } from '../lab/units.js'
import type { Elite, Judged } from './candidate.js'
import { type Foresight, foresightOf } from './foresee.js'
import { refusePrompts } from './prompts.js'
import { evolvingProposals, type ProposingOptions, randomProposals } from './proposing.js'
import { search } from './search.js'
import { checkSplits } from './splits.js'

/** What is evolved, and how it is judged. */
export interface EvolveOptions<Task extends LabTask> extends ProposingOptions, MeasureOptions {
  readonly lab: Lab<Task>
  /** What the search begins with. */
  readonly parent: Required<LabChoice>
  /** Tasks that the search sees. */
  readonly train: readonly Task[]
  /** Tasks that it never sees: no id of one split is in the other. */
  readonly test: readonly Task[]
  /** Most proposals, of the search and of the random control. */
  readonly proposals: number
  /** Most runs of the parent on each test task, in the control that samples it repeatedly. */
  readonly samples: number
  /** Seed of the runs of a task. */
  readonly seedOf: (task: Task) => number
  /** The model is simulated: manifests with prompts of their own are refused. */
  readonly isSimulated: boolean
  /** Told of each proposal when it was judged. */
  readonly onJudged?: (judged: Judged) => void
}

/** An arm of an evolution, on both splits. */
export interface EvolveRow {
  readonly name: string
  /** Mean reward on the training tasks; null where it was not run there. */
  readonly seen: number | null
  /** Mean reward on the test tasks. */
  readonly unseen: number | null
  /** Mean USD of a test task; null where it is unknown. */
  readonly usd: number | null
  /** Against the parent on the test tasks; absent for the parent. */
  readonly comparison?: Comparison
}

/** What an evolution came to. */
export interface EvolveReport {
  readonly parent: EvolveRow
  readonly evolved: EvolveRow
  readonly controls: {
    /** The parent under another name, with other random seeds: what chance does. */
    readonly noOp: EvolveRow
    /** The best of as many manifests drawn at random. */
    readonly random: EvolveRow
    /** The best of several runs of the parent, told by the checker that no task has outside of a test. */
    readonly repeated: EvolveRow & {
      /** Runs of each task. */
      readonly samples: number
      /** Runs of each task that the search would have paid for; null where a cost is unknown. */
      readonly matched: number | null
    }
  }
  readonly judged: readonly Judged[]
  readonly randomJudged: readonly Judged[]
  readonly foresight: Foresight
  /** Runs of proposals on training tasks and their USD, of the search and of the random control; null where a cost is unknown. */
  readonly search: {
    readonly runs: number
    readonly usd: number | null
    readonly randomRuns: number
    readonly randomUsd: number | null
  }
  /** The manifest that was found: that of the parent where nothing better was. */
  readonly manifest: Manifest
}

/** The random control proposes until it has had as many runs as the search; many of its proposals are screened out. */
const MOST_RANDOM = 1_000

/**
 * Looks for a better harness on training tasks, and says on tasks that it never saw what it is worth: beside the parent under
 * another name, manifests drawn at random, and what the same money buys by running the parent again.
 *
 * @throws HarnessError `E_EVOLVE_SPLIT` when the splits share a task, `E_EVOLVE_PROMPTS` for prompts on a simulated model.
 */
export async function evolve<Task extends LabTask>(options: EvolveOptions<Task>): Promise<EvolveReport> {
  const { train, test, parent, pool, catalog, rng, lab, seedOf } = options
  checkSplits(train, test)
  if (options.isSimulated)
    refusePrompts(
      [parent, ...pool].map(({ manifest }) => manifest),
      catalog,
    )
  const start: Elite = { ...parent, outcomes: await measure(lab, parent, train, options) }
  const common = { ...options, tasks: train, parent: start, rng }
  const found = await search({ ...common, propose: evolvingProposals(options) })
  const chance = { propose: randomProposals(parent.manifest, options), mostRuns: found.runs, proposals: MOST_RANDOM }
  const byChance = await search({ ...common, ...chance })
  const base = await measure(lab, parent, test, options)
  const rowOf = async (elite: Elite): Promise<EvolveRow> => {
    const unseen = elite.name === parent.name ? base : await measure(lab, elite, test, options)
    return { ...row(elite.name, elite.outcomes, unseen), comparison: compareArms(unseen, base) }
  }
  const again = { ...options, seedOf: (task: Task) => mixSeed(seedOf(task), 'again') }
  const noOp = await measure(lab, { ...parent, name: `${parent.name} again` }, test, again)
  return {
    parent: row(parent.name, start.outcomes, base),
    evolved: await rowOf(found.elite),
    controls: {
      noOp: { ...row(`${parent.name} again`, undefined, noOp), comparison: compareArms(noOp, base) },
      random: await rowOf(byChance.elite),
      repeated: await repeatParent(options, base, found.usd),
    },
    judged: found.judged,
    randomJudged: byChance.judged,
    foresight: foresightOf(found.judged),
    search: { runs: found.runs, usd: found.usd, randomRuns: byChance.runs, randomUsd: byChance.usd },
    manifest: found.elite.manifest,
  }
}

/**
 * The best of several runs of the parent on each test task: as many as the money of the search, and of the evolved harness,
 * pays for, but no more than `samples`. It costs what all of them do.
 */
async function repeatParent<Task extends LabTask>(
  options: EvolveOptions<Task>,
  base: readonly TaskOutcome[],
  searchUsd: number | null,
): Promise<EvolveReport['controls']['repeated']> {
  const { lab, parent, test, seedOf } = options
  const baseUsd = sumOf(base.map(({ outcome }) => outcome.usd))
  const isPriced = searchUsd !== null && baseUsd !== null && baseUsd > 0
  const matched = isPriced ? 1 + Math.floor(searchUsd / baseUsd) : null
  const samples = Math.max(2, Math.min(options.samples, matched ?? options.samples))
  const runs = [base]
  for (let sample = 2; sample <= samples; sample += 1) {
    const seeded = { ...options, seedOf: (task: Task) => mixSeed(seedOf(task), 'sample', sample) }
    runs.push(await measure(lab, { ...parent, name: `${parent.name} sample ${sample}` }, test, seeded))
  }
  const best = base.map((_first, index) => bestOf(runs.map((one) => one[index] as TaskOutcome))) // all are of the test tasks
  const name = `${parent.name}, best of ${samples}`
  return { ...row(name, undefined, best), comparison: compareArms(best, base), samples, matched }
}

/** The run with the highest reward, at the cost of all. */
function bestOf(runs: readonly TaskOutcome[]): TaskOutcome {
  const best = runs.reduce((one, other) => ((other.outcome.reward ?? -1) > (one.outcome.reward ?? -1) ? other : one))
  const usd = sumOf(runs.map(({ outcome }) => outcome.usd))
  const tokens = sumOf(runs.map(({ outcome }) => outcome.tokens))
  return { ...best, outcome: { ...best.outcome, usd, tokens } }
}

function row(name: string, seen: readonly TaskOutcome[] | undefined, unseen: readonly TaskOutcome[]): EvolveRow {
  const known = unseen.filter(({ outcome }) => outcome.reward !== null)
  return {
    name,
    seen: seen === undefined ? null : rewardOf(seen),
    unseen: rewardOf(unseen),
    usd: meanOf(known.map(({ outcome }) => outcome.usd)),
  }
}

function rewardOf(outcomes: readonly TaskOutcome[]): number | null {
  return meanOf(outcomes.map(({ outcome }) => outcome.reward).filter((reward) => reward !== null))
}
