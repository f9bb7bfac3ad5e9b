import type { BenchRow } from './bench-row.js'
import { halfWidth, mean } from './spread.js'

/** What the runs of one harness in one world came to: means over those whose reward is known. */
export interface BenchCell {
  readonly harness: string
  readonly world: string
  /** Runs in the means. */
  readonly runs: number
  /** Runs that the endpoint failed, which are in no mean. */
  readonly masked: number
  /** null where no run has one. */
  readonly reward: number | null
  /** Half the width of the interval of 95 % around the reward. */
  readonly rewardHalfWidth: number
  /** Input and output tokens; null where some are unknown. */
  readonly tokens: number | null
  readonly usd: number | null
  readonly ms: number | null
  readonly modelCalls: number | null
  /** How many runs ended how: `answered`, `failed`, a limit, or a code. */
  readonly ends: Readonly<Record<string, number>>
}

/** Which harnesses are good in a world. */
export interface WorldVerdict {
  readonly world: string
  /** Highest mean reward; of several the cheaper. */
  readonly best: string
  /** The best one, and those whose rewards on the same tasks do not differ from its by more than chance: a paired t interval of 95 %. */
  readonly good: readonly string[]
  /** The cheapest of the good ones; absent where a cost is unknown. */
  readonly cheapest?: string
  /** The quickest of the good ones. */
  readonly quickest: string
}

/** Means of each harness in each world, in the order in which they first stand in the results. */
export function summarise(rows: readonly BenchRow[]): readonly BenchCell[] {
  return [...groupBy(rows, ({ harness, world }) => JSON.stringify([harness, world])).values()].map(toCell)
}

function toCell(rows: readonly BenchRow[]): BenchCell {
  const { harness, world } = rows[0] as BenchRow // no group is empty
  const measured = rows.filter(({ reward }) => reward !== null)
  const rewards = measured.map(({ reward }) => reward as number)
  return {
    harness,
    world,
    runs: measured.length,
    masked: rows.length - measured.length,
    reward: meanOrNull(rewards),
    rewardHalfWidth: halfWidth(rewards),
    tokens: meanOrNull(measured.map(tokensOf)),
    usd: meanOrNull(measured.map(({ usd }) => usd)),
    ms: meanOrNull(measured.map(({ ms }) => ms)),
    modelCalls: meanOrNull(measured.map(({ modelCalls }) => modelCalls)),
    ends: countEnds(rows),
  }
}

function tokensOf({ inputTokens, outputTokens }: BenchRow): number | null {
  return inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens
}

function meanOrNull(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return values.length === 0 || known.length < values.length ? null : mean(known)
}

function countEnds(rows: readonly BenchRow[]): Readonly<Record<string, number>> {
  const groups = groupBy(rows, ({ status, reason }) => reason ?? status)
  return Object.fromEntries([...groups].map(([end, { length }]) => [end, length]))
}

/** Which harness is good where, for each world of the results in which two were measured: of one alone nothing is said. */
export function judge(rows: readonly BenchRow[]): readonly WorldVerdict[] {
  return [...groupBy(rows, ({ world }) => world).values()].flatMap((ofWorld) => {
    const cells = summarise(ofWorld).filter(({ reward }) => reward !== null)
    const [best] = [...cells].sort((a, b) => Number(b.reward) - Number(a.reward) || lessFirst(a.usd, b.usd))
    if (best === undefined || cells.length === 1) return []
    const good = cells.filter(({ harness }) => !isWorse(harness, best.harness, ofWorld))
    const [cheapest] = good.some(({ usd }) => usd === null) ? [] : good.toSorted((a, b) => lessFirst(a.usd, b.usd))
    const [quickest = best] = good.toSorted((a, b) => lessFirst(a.ms, b.ms))
    return {
      world: best.world,
      best: best.harness,
      good: good.map(({ harness }) => harness),
      ...(cheapest === undefined ? {} : { cheapest: cheapest.harness }),
      quickest: quickest.harness,
    }
  })
}

function lessFirst(a: number | null, b: number | null): number {
  return (a ?? Infinity) === (b ?? Infinity) ? 0 : (a ?? Infinity) - (b ?? Infinity)
}

/** Whether a harness is worse than another on the same tasks, by more than chance. */
function isWorse(harness: string, other: string, rows: readonly BenchRow[]): boolean {
  const rewardOf = (name: string): Map<number, number | null> =>
    new Map(rows.filter((row) => row.harness === name).map(({ rng, reward }) => [rng, reward]))
  const [own, others] = [rewardOf(harness), rewardOf(other)]
  const differences = [...own].flatMap(([rng, reward]) => {
    const theirs = others.get(rng)
    return reward === null || theirs === null || theirs === undefined ? [] : [theirs - reward]
  })
  return differences.length > 0 && mean(differences) - halfWidth(differences) > 0
}

function groupBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const name = nameOf(item)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [item])
    else group.push(item)
  }
  return groups
}
