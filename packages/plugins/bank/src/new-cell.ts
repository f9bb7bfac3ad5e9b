import type { CellStats, HarnessRow, HolderRow } from './index/bank-index.js'

/** A harness that has to be measured in a cell. */
export interface ToMeasure {
  readonly harnessId: string
  readonly why: string
}

/** What is known of a cluster from its other cells. */
export interface KnownOfCluster {
  readonly holders: readonly HolderRow[]
  readonly stats: readonly CellStats[]
  readonly harnesses: readonly HarnessRow[]
}

const BEST_SEEDS = 2

/** What is measured first in a new cell: the holders of the cell before it, and the best seeds. */
export function toMeasureAnew({ holders, stats, harnesses }: KnownOfCluster): readonly ToMeasure[] {
  const latest = (role: HolderRow['role']): string | undefined =>
    holders.filter((holder) => holder.role === role).toSorted((a, b) => b.since - a.since)[0]?.harnessId
  const reasons = new Map<string, string[]>()
  for (const role of ['champion', 'anchor'] as const) {
    const harnessId = latest(role)
    if (harnessId !== undefined) reasons.set(harnessId, [...(reasons.get(harnessId) ?? []), role])
  }
  const held = [...reasons].map(([harnessId, roles]) => ({
    harnessId,
    why: `${roles.join(' and ')} of the cell before`,
  }))
  const seeds = bestSeeds(stats, harnesses).filter((harnessId) => !reasons.has(harnessId))
  return [...held, ...seeds.map((harnessId) => ({ harnessId, why: 'one of the two best seeds of the cluster' }))]
}

function bestSeeds(stats: readonly CellStats[], harnesses: readonly HarnessRow[]): readonly string[] {
  const seeds = harnesses.filter(({ operator, status }) => operator === 'seed' && status !== 'retired')
  const meanOf = (id: string): number => {
    const own = stats.filter(({ harnessId }) => harnessId === id)
    const n = own.reduce((sum, one) => sum + one.n, 0)
    return n === 0 ? -1 : own.reduce((sum, one) => sum + one.rewardSum, 0) / n
  }
  return seeds
    .map(({ id, name }) => ({ id, name, mean: meanOf(id) }))
    .sort((a, b) => b.mean - a.mean || (a.name < b.name ? -1 : 1))
    .slice(0, BEST_SEEDS)
    .map(({ id }) => id)
}
