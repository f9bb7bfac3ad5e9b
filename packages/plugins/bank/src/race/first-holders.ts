import type { Bank } from '../bank.js'
import type { Cell } from '../log/entry.js'
import type { ToMeasure } from '../new-cell.js'
import type { RaceRun } from '../rule/race.js'
import { mean } from '../statistics/moments.js'
import type { RaceRuns } from './race-runs.js'

/** A harness that was measured to open a cell. */
export interface MeasuredFirst extends ToMeasure {
  /** Means over its tasks that no endpoint failed; null where there are none, and a cost where one is unknown. */
  readonly reward: number | null
  readonly usd: number | null
}

/** How a cell got its first champion and anchor. */
export interface OpenedCell {
  readonly championId: string
  readonly anchorId: string
  /** The best first: by reward, then by cost. */
  readonly measured: readonly MeasuredFirst[]
}

/**
 * Measures what a cell may begin with, and gives it the best of them as champion. The anchor is that of the cluster's last
 * cell, which says nothing here but is run again in every race, or the champion where there is none.
 *
 * @returns undefined where the cell has a champion, or where no harness of the bank did a task.
 */
export async function openCellFor<Task extends { readonly id: string }>(
  bank: Bank,
  cell: Cell,
  { runs, tasks }: { readonly runs: RaceRuns<Task>; readonly tasks: readonly Task[] },
): Promise<OpenedCell | undefined> {
  if ((await bank.cell(cell)).champion !== undefined) return undefined
  const measured: MeasuredFirst[] = []
  for (const one of await bank.toMeasure(cell)) measured.push(measuredOf(one, await runs.ofAll(one.harnessId, tasks)))
  await bank.refresh()
  if ((await bank.cell(cell)).champion !== undefined) return undefined // another process was quicker
  measured.sort(betterFirst)
  const [best] = measured
  if (best === undefined || best.reward === null) return undefined
  const anchors = (await bank.holders({ clusterId: cell.clusterId })).filter(({ role }) => role === 'anchor')
  const [anchor] = anchors.toSorted((a, b) => b.since - a.since)
  const opened = { championId: best.harnessId, anchorId: anchor?.harnessId ?? best.harnessId }
  await bank.openCell(cell, opened)
  return { ...opened, measured }
}

function measuredOf(one: ToMeasure, runs: readonly RaceRun[]): MeasuredFirst {
  const counted = runs.filter(({ reward }) => reward !== null)
  return { ...one, reward: meanOf(counted.map(({ reward }) => reward)), usd: meanOf(counted.map(({ usd }) => usd)) }
}

function meanOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 || known.length < values.length ? null : mean(known)
}

function betterFirst(a: MeasuredFirst, b: MeasuredFirst): number {
  return (b.reward ?? -1) - (a.reward ?? -1) || (a.usd ?? Number.MAX_VALUE) - (b.usd ?? Number.MAX_VALUE)
}
