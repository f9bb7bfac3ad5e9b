import type { EvaluationEntry } from '../log/entry.js'
import type { CellStats } from './bank-index.js'

/** Names of the sums, in the order of the table. */
export const SUMS = [
  'n',
  'rewardSum',
  'rewardSquares',
  'judged',
  'masked',
  'usdN',
  'usdSum',
  'usdLogSum',
  'usdLogSquares',
  'msN',
  'msSum',
  'msLogSum',
  'msLogSquares',
  'tokensN',
  'tokensSum',
] as const satisfies readonly (keyof CellStats)[]

type Sums = { -readonly [Name in (typeof SUMS)[number]]: number }

/** Sums while they are added up. */
export interface OpenStats extends Sums {
  readonly harnessId: string
  readonly clusterId: string
  readonly backbone: string
  readonly priceTable: string
  readonly protocol: number
  lastAt: number
}

/** Sums of each harness in each cell. */
export class StatsTable {
  readonly #byKey = new Map<string, OpenStats>()

  /** Adds what a run came to. A masked run is counted, and is in no sum. */
  add(entry: EvaluationEntry): void {
    const { harnessId, clusterId, backbone, priceTable, protocol, at, reward } = entry
    const key = `${harnessId}\n${clusterId}\n${backbone}\n${priceTable}\n${protocol}`
    let stats = this.#byKey.get(key)
    if (stats === undefined) {
      stats = { harnessId, clusterId, backbone, priceTable, protocol, lastAt: at, ...noSums() }
      this.#byKey.set(key, stats)
    }
    if (at > stats.lastAt) stats.lastAt = at
    if (reward === null) stats.masked += 1
    else addRun(stats, entry, reward)
  }

  values(): Iterable<OpenStats> {
    return this.#byKey.values()
  }
}

function noSums(): Sums {
  return {
    n: 0,
    rewardSum: 0,
    rewardSquares: 0,
    judged: 0,
    masked: 0,
    usdN: 0,
    usdSum: 0,
    usdLogSum: 0,
    usdLogSquares: 0,
    msN: 0,
    msSum: 0,
    msLogSum: 0,
    msLogSquares: 0,
    tokensN: 0,
    tokensSum: 0,
  }
}

function addRun(
  stats: OpenStats,
  { usd, ms, rewardKind, inputTokens, outputTokens }: EvaluationEntry,
  reward: number,
): void {
  stats.n += 1
  stats.rewardSum += reward
  stats.rewardSquares += reward * reward
  if (rewardKind === 'judge') stats.judged += 1
  if (usd !== null && usd > 0) {
    const log = Math.log(usd)
    stats.usdN += 1
    stats.usdSum += usd
    stats.usdLogSum += log
    stats.usdLogSquares += log * log
  }
  if (ms !== null && ms > 0) {
    const log = Math.log(ms)
    stats.msN += 1
    stats.msSum += ms
    stats.msLogSum += log
    stats.msLogSquares += log * log
  }
  if (inputTokens !== null && outputTokens !== null) {
    stats.tokensN += 1
    stats.tokensSum += inputTokens + outputTokens
  }
}
