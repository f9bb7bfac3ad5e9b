import { mixSeed } from '@harnesswright/core'
import type { Lab, LabTask } from '../lab/lab.js'
import { type MeasureOptions, measure } from '../lab/measure.js'
import { meanOf, sumOf, type TaskOutcome } from '../lab/units.js'
import { shuffle } from '../proposers/shuffle.js'
import type { Candidate, Elite, Judged } from './candidate.js'
import type { Propose } from './proposing.js'

/** What is searched, and with what. */
export interface SearchOptions<Task extends LabTask> extends MeasureOptions {
  readonly lab: Lab<Task>
  /** Training tasks. */
  readonly tasks: readonly Task[]
  readonly seedOf: (task: Task) => number
  /** What the search begins with, measured on the training tasks. */
  readonly parent: Elite
  /** Most proposals. */
  readonly proposals: number
  /** Runs after which nothing further is proposed. Default: no limit. */
  readonly mostRuns?: number
  /** The next proposal; undefined when there is none. */
  readonly propose: Propose
  /** The random seed of which tasks come first. */
  readonly rng: number
  readonly onJudged?: (judged: Judged) => void
}

/** What a search found. */
export interface SearchResult {
  readonly elite: Elite
  readonly judged: readonly Judged[]
  /** Runs of proposals. */
  readonly runs: number
  /** USD of these runs; null where a cost is unknown. */
  readonly usd: number | null
}

/** Share of the training tasks on which a proposal is tried first. */
const SCREEN = 1 / 3

/** So much less reward on these than its parent, and it is given up. */
const SCREEN_MARGIN = 0.1

/** Rewards that differ by less are alike, and the cheaper one is better. */
const ALIKE = 0.005

/**
 * Tries proposals one after another on training tasks, each on a third of them first, and keeps the best: the higher mean
 * reward, or of alike rewards the lower cost. Proposals are judged against the best one at their time.
 */
export async function search<Task extends LabTask>(options: SearchOptions<Task>): Promise<SearchResult> {
  const { parent, proposals, propose, onJudged, mostRuns = Number.POSITIVE_INFINITY } = options
  const judged: Judged[] = []
  let elite = parent
  let [runs, usd]: [number, number | null] = [0, 0]
  for (let round = 0; round < proposals && runs < mostRuns; round += 1) {
    const candidate = await propose({ elite, judged })
    if (candidate === undefined) break
    const { outcomes, isWhole } = await tryOut(candidate, elite, options)
    runs += outcomes.length
    usd = sumOf([usd, ...outcomes.map(({ outcome }) => outcome.usd)])
    const changes = changesOf(outcomes, elite.outcomes)
    const isBetter = isWhole && betterOf(changes)
    const verdict = isWhole ? (isBetter ? 'kept' : 'dropped') : 'screened'
    const one: Judged = { ...candidate, verdict, tasks: outcomes.length, outcome: changes }
    judged.push(one)
    onJudged?.(one)
    if (isBetter) elite = { name: candidate.name, manifest: candidate.manifest, outcomes }
  }
  return { elite, judged, runs, usd }
}

async function tryOut<Task extends LabTask>(
  { name, manifest }: Candidate,
  elite: Elite,
  { lab, tasks, seedOf, rng, concurrency, signal }: SearchOptions<Task>,
): Promise<{ readonly outcomes: readonly TaskOutcome[]; readonly isWhole: boolean }> {
  const ordered = shuffle(tasks, mixSeed(rng, 'screen'))
  const first = ordered.slice(0, Math.max(1, Math.round(tasks.length * SCREEN)))
  const how = {
    seedOf,
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(signal === undefined ? {} : { signal }),
  }
  const screened = await measure(lab, { name, manifest }, first, how)
  const { reward } = changesOf(screened, elite.outcomes)
  if (reward === null || reward < -SCREEN_MARGIN) return { outcomes: screened, isWhole: false }
  const rest = await measure(lab, { name, manifest }, ordered.slice(first.length), how)
  return { outcomes: [...screened, ...rest], isWhole: true }
}

/** Mean changes on the tasks that both were measured on. */
function changesOf(own: readonly TaskOutcome[], other: readonly TaskOutcome[]): Judged['outcome'] {
  const theirs = new Map(other.map(({ task, outcome }) => [task.id, outcome]))
  const pairs = own.flatMap(({ task, outcome }) => {
    const counterpart = theirs.get(task.id)
    if (counterpart === undefined || counterpart.reward === null || outcome.reward === null) return []
    return [{ own: outcome, other: counterpart, reward: outcome.reward - counterpart.reward }]
  })
  const [usd, before] = [meanOf(pairs.map((pair) => pair.own.usd)), meanOf(pairs.map((pair) => pair.other.usd))]
  const isPriced = usd !== null && before !== null && usd > 0 && before > 0
  return { reward: meanOf(pairs.map(({ reward }) => reward)), logUsd: isPriced ? Math.log(usd / before) : null }
}

function betterOf({ reward, logUsd }: Judged['outcome']): boolean {
  if (reward === null) return false
  return reward > ALIKE || (reward >= -ALIKE && logUsd !== null && logUsd < 0)
}
