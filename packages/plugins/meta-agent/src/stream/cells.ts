import type { LabOutcome } from '../lab/lab.js'

/** What one harness came to on tasks of one cluster. */
export interface CellStats {
  readonly runs: number
  readonly reward: number
  /** Geometric mean of the USD of a run; null where one is unknown or nothing was paid. */
  readonly usd: number | null
}

/** One run as evidence. */
export interface Evidence {
  readonly cluster: string
  /** Name of the harness. */
  readonly entry: string
  readonly outcome: Pick<LabOutcome, 'reward' | 'usd'>
}

interface Sums {
  runs: number
  reward: number
  squares: number
  logUsd: number | null
}

/** What is known of harnesses, by cluster. Runs without a reward are no evidence. */
export class Cells {
  readonly #clusters = new Map<string, Map<string, Sums>>()

  constructor(evidence: Iterable<Evidence> = []) {
    for (const one of evidence) this.add(one)
  }

  /** Counts a run in. */
  add({ cluster, entry, outcome: { reward, usd } }: Evidence): void {
    if (reward === null) return
    const entries = this.#clusters.get(cluster) ?? new Map<string, Sums>()
    this.#clusters.set(cluster, entries)
    const sums = entries.get(entry) ?? { runs: 0, reward: 0, squares: 0, logUsd: 0 }
    entries.set(entry, sums)
    sums.runs += 1
    sums.reward += reward
    sums.squares += reward * reward
    sums.logUsd = sums.logUsd === null || usd === null || usd <= 0 ? null : sums.logUsd + Math.log(usd)
  }

  /** Clusters of which something is known. */
  get clusters(): readonly string[] {
    return [...this.#clusters.keys()]
  }

  /** Names of the harnesses that were measured in a cluster. */
  entries(cluster: string): readonly string[] {
    return [...(this.#clusters.get(cluster)?.keys() ?? [])]
  }

  /** What a harness came to in a cluster. Undefined where it was never measured. */
  of(cluster: string, entry: string): CellStats | undefined {
    const sums = this.#clusters.get(cluster)?.get(entry)
    if (sums === undefined) return undefined
    const { runs, reward, logUsd } = sums
    return { runs, reward: reward / runs, usd: logUsd === null ? null : Math.exp(logUsd / runs) }
  }

  /** All runs of a cluster together: their number, their mean reward and its standard deviation. */
  whole(cluster: string): { readonly runs: number; readonly reward: number; readonly deviation: number } {
    let [runs, sum, squares] = [0, 0, 0]
    for (const one of this.#clusters.get(cluster)?.values() ?? []) {
      runs += one.runs
      sum += one.reward
      squares += one.squares
    }
    const reward = runs === 0 ? 0 : sum / runs
    const variance = runs === 0 ? 0 : Math.max(0, squares / runs - reward ** 2)
    return { runs, reward, deviation: Math.sqrt(variance) }
  }
}
