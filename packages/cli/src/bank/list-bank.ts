import type { Bank, CellStats, HarnessRow, HolderRow } from '@harnesswright/plugin-bank'
import type { Listing } from '../commands/list-command.js'
import { cleanLine } from '../text/clean.js'
import { countOf, formatTable, formatTime, formatUsd, shortId, shownName } from '../text/format.js'
import { groupBy } from './group-by.js'

/** What a harness came to, over all cells: the row of a listing. */
interface BankRow {
  readonly harnessId: string
  readonly name: string
  readonly status: string
  readonly operator: string
  /** Runs with a reward, and those that failed for no fault of the harness. */
  readonly runs: number
  readonly masked: number
  readonly reward: number | null
  readonly usd: number | null
  readonly ms: number | null
  /** Clusters in which it is the champion, with the model. */
  readonly championOf: readonly string[]
  readonly anchorOf: readonly string[]
}

/** `bank ls`: every harness, with what it came to. */
export async function listBank(bank: Bank): Promise<Listing> {
  const [stats, holders, counts, broken] = [
    await bank.stats(),
    await bank.holders(),
    await bank.counts(),
    await bank.setAside(),
  ]
  const byHarness = groupBy(stats, ({ harnessId }) => harnessId)
  const rows = (await bank.harnesses()).map((row) => toRow(row, byHarness.get(row.id) ?? [], holders))
  rows.sort((a, b) => b.runs - a.runs || (a.name < b.name ? -1 : 1))
  const json = { directory: bank.directory, index: bank.indexKind, counts, setAside: broken.length, harnesses: rows }
  return { json, lines: [...table(rows), '', summary(counts, bank)] }
}

function toRow(
  { id, name, status, operator }: HarnessRow,
  stats: readonly CellStats[],
  holders: readonly HolderRow[],
): BankRow {
  const total = (field: 'n' | 'masked' | 'rewardSum' | 'usdN' | 'usdSum' | 'msN' | 'msSum'): number =>
    stats.reduce((sum, one) => sum + one[field], 0)
  const mean = (sum: number, n: number): number | null => (n === 0 ? null : sum / n)
  const held = (role: HolderRow['role']): readonly string[] =>
    holders.filter((holder) => holder.harnessId === id && holder.role === role).map(cellText)
  return {
    harnessId: id,
    name,
    status,
    operator,
    runs: total('n'),
    masked: total('masked'),
    reward: mean(total('rewardSum'), total('n')),
    usd: mean(total('usdSum'), total('usdN')),
    ms: mean(total('msSum'), total('msN')),
    championOf: held('champion'),
    anchorOf: held('anchor'),
  }
}

/** A cell in a few words. */
export function cellText({ clusterId, backbone }: Pick<HolderRow, 'clusterId' | 'backbone'>): string {
  return `${shownName(clusterId)} with ${shownName(backbone)}`
}

function table(rows: readonly BankRow[]): readonly string[] {
  const head = ['harness', 'name', 'status', 'made by', 'runs', 'reward', 'cost', 'time', 'holds']
  return formatTable([
    head,
    ...rows.map(({ harnessId, name, status, operator, runs, reward, usd, ms, championOf, anchorOf }) => [
      cleanLine(shortId(harnessId)),
      shownName(name),
      status,
      operator,
      String(runs),
      reward === null ? '-' : reward.toFixed(3),
      usd === null ? '-' : formatUsd(usd),
      ms === null ? '-' : formatTime(ms),
      [...championOf.map((cell) => `champion of ${cell}`), ...anchorOf.map((cell) => `anchor of ${cell}`)].join('; '),
    ]),
  ])
}

function summary(
  { harnesses, evaluations, decisions, clusters }: Awaited<ReturnType<Bank['counts']>>,
  bank: Bank,
): string {
  const counts = [
    `${harnesses} ${harnesses === 1 ? 'harness' : 'harnesses'}`,
    countOf(evaluations, 'evaluation'),
    countOf(decisions, 'decision'),
    countOf(clusters, 'cluster'),
  ].join(', ')
  return `${counts} in ${bank.directory} (index: ${bank.indexKind})`
}
