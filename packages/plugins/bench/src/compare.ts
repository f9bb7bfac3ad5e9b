import {
  type Interval,
  intervalOf,
  type NoInformation,
  type Pair,
  pairedDifference,
  pairedT,
} from '@harnesswright/plugin-bank/statistics'
import type { BenchRow } from './bench-row.js'
import { mean } from './spread.js'

/** A figure in two benches, over the tasks that both have measured. */
export interface Compared {
  /** Its means; null where it is unknown for some run. */
  readonly first: number | null
  readonly second: number | null
  /** Mean of second - first on the same tasks, with its interval of 95 %. */
  readonly difference: Interval | NoInformation
}

/** How a harness in one world differs between two benches. */
export interface BenchDifference {
  readonly world: string
  /** Name in the first bench, and in the second. */
  readonly harnesses: readonly [first: string, second: string]
  /** Tasks that both have measured. */
  readonly pairs: number
  /** Where every reward is 0 or 1 the interval is that of Agresti and Min, else that of Student's t over the pairs. */
  readonly reward: Compared
  readonly usd: Compared
  readonly ms: Compared
}

/**
 * Compares two benches task by task, in the order of the first: harnesses of the same name, or, where each bench has a single
 * one, that with the other's. Runs without a reward are in no pair. Empty where no task was measured by both.
 */
export function compareResults(first: readonly BenchRow[], second: readonly BenchRow[]): readonly BenchDifference[] {
  const nameIn = namesOf(first, second)
  const others = new Map(second.filter(isMeasured).map((row) => [keyOf(row, row.harness), row]))
  const groups = new Map<string, [BenchRow, BenchRow][]>()
  for (const row of first.filter(isMeasured)) {
    const other = others.get(keyOf(row, nameIn(row.harness)))
    if (other === undefined) continue
    const key = JSON.stringify([row.world, row.harness])
    groups.set(key, [...(groups.get(key) ?? []), [row, other]])
  }
  return [...groups.values()].map(toDifference)
}

const isMeasured = ({ reward }: BenchRow): boolean => reward !== null
const keyOf = ({ world, rng }: BenchRow, harness: string): string => JSON.stringify([harness, world, rng])

/** What a harness of the first bench is called in the second. */
function namesOf(first: readonly BenchRow[], second: readonly BenchRow[]): (name: string) => string {
  const [own, others] = [first, second].map((rows) => [...new Set(rows.map(({ harness }) => harness))])
  const [only] = others as readonly string[]
  return own?.length === 1 && others?.length === 1 && only !== undefined ? () => only : (name) => name
}

function toDifference(pairs: readonly [BenchRow, BenchRow][]): BenchDifference {
  const [[one, other]] = pairs as readonly [[BenchRow, BenchRow]] // no group is empty
  return {
    world: one.world,
    harnesses: [one.harness, other.harness],
    pairs: pairs.length,
    reward: compare(pairs, ({ reward }) => reward, pairedDifference),
    usd: compare(pairs, ({ usd }) => usd, pairedT),
    ms: compare(pairs, ({ ms }) => ms, pairedT),
  }
}

function compare(
  pairs: readonly [BenchRow, BenchRow][],
  figure: (row: BenchRow) => number | null,
  estimate: typeof pairedT,
): Compared {
  const [first, second] = [0, 1].map((index) => pairs.map((pair) => figure(pair[index] as BenchRow)))
  const known = pairs.flatMap(([one, other]): Pair[] => {
    const [before, after] = [figure(one), figure(other)]
    return before === null || after === null ? [] : [[after, before]]
  })
  return { first: meanOrNull(first), second: meanOrNull(second), difference: intervalOf(estimate(known)) }
}

function meanOrNull(values: readonly (number | null)[] = []): number | null {
  const known = values.filter((value) => value !== null)
  return known.length < values.length ? null : mean(known)
}
