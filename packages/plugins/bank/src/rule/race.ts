/** What said how good an answer is: a checker, a model, or a person. */
export type RewardKind = 'hard' | 'judge' | 'person'

/** What one run of a race came to. */
export interface RaceRun {
  /** From 0 to 1; null for a run that failed for no fault of the harness, such as of an endpoint: it is masked, not 0. */
  readonly reward: number | null
  /** Default: `hard`. */
  readonly rewardKind?: RewardKind
  /** Cost in USD; null where unknown. */
  readonly usd: number | null
  /** Time in ms; null where unknown. */
  readonly ms: number | null
}

/** One task of a race, run afresh by each of the three with the same seed, budget and price table. */
export interface RaceTask {
  readonly taskId: string
  readonly challenger: RaceRun
  readonly champion: RaceRun
  /** The same object as `champion` where they are the same harness: one run serves both. */
  readonly anchor: RaceRun
}

/** A race: a challenger against the champion and the anchor of a cell. */
export interface Race {
  /** Pairs on which it is decided, fixed before the first. */
  readonly n: number
  /**
   * Whether this is the first race of 40 pairs or more since the champion was promoted: then it also
   * says whether the champion becomes the anchor. Default: no.
   */
  readonly isFirstOfChampion?: boolean
  /** In the order in which they were set, which no result changes. */
  readonly tasks: readonly RaceTask[]
}

/** Tasks of which no run is masked, in their order. */
export function measuredTasks({ tasks }: Pick<Race, 'tasks'>): readonly RaceTask[] {
  return tasks.filter(
    ({ challenger, champion, anchor }) =>
      challenger.reward !== null && champion.reward !== null && anchor.reward !== null,
  )
}
