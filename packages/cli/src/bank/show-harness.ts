import type { Bank, CellStats, DecisionEntry, HolderRow } from '@harnesswright/plugin-bank'
import { formatInterval, intervalOf, meanByT } from '@harnesswright/plugin-bank/statistics'
import type { Listing } from '../commands/list-command.js'
import { cleanLine } from '../text/clean.js'
import { formatTable, formatTime, formatUsd, shortId, shownName } from '../text/format.js'
import { groupBy } from './group-by.js'
import { cellText } from './list-bank.js'

/** Runs whose rewards an interval is made of, the newest. */
const MOST_RUNS = 1_000

/** `bank show <harness>`: its manifest, its card, where it comes from, and what it came to in each cell. */
export async function showHarness(bank: Bank, wanted: string): Promise<Listing> {
  const harness = await bank.harness(wanted)
  const stats = await bank.stats({ harnessId: harness.id })
  const holds = (await bank.holders({ harnessId: harness.id })).map((holder) => `${holder.role} of ${cellText(holder)}`)
  const rows = await Promise.all(stats.map(async (one) => await cellRow(bank, one)))
  const { v: _v, kind: _kind, ...shown } = harness
  const lines = [
    `${shownName(harness.name)}  (${cleanLine(harness.id)})`,
    `  ${harness.status}, made by ${harness.operator} (${shownName(harness.createdBy)})${harness.parentIds.length === 0 ? '' : `, from ${cleanLine(harness.parentIds.map(shortId).join(' and '))}`}`,
    ...(harness.card === '' ? [] : [`  ${cleanLine(harness.card, 2_000)}`]),
    ...holds.map((hold) => `  ${hold}`),
    '',
    ...(rows.length === 0
      ? ['Not measured yet.']
      : formatTable([['cell', 'runs', 'masked', 'cost', 'time', 'reward'], ...rows])),
    '',
    JSON.stringify(harness.manifest, null, 2),
  ]
  return { json: { harness: shown, holds, stats }, lines }
}

async function cellRow(bank: Bank, stats: CellStats): Promise<readonly string[]> {
  const { harnessId, clusterId, backbone, priceTable, protocol, n, masked, usdN, usdSum, msN, msSum } = stats
  const runs = await bank.evaluations({ harnessId, clusterId, backbone, priceTable, protocol }, MOST_RUNS)
  const byTask = groupBy(
    runs.filter(({ reward }) => reward !== null),
    ({ taskId }) => taskId,
  )
  const tasks = [...byTask.values()].map(
    (ofTask) => ofTask.reduce((sum, { reward }) => sum + Number(reward), 0) / ofTask.length,
  )
  return [
    cellText(stats),
    String(n),
    String(masked),
    usdN === 0 ? '-' : formatUsd(usdSum / usdN),
    msN === 0 ? '-' : formatTime(msSum / msN),
    formatInterval(intervalOf(meanByT(tasks))),
  ]
}

/** `bank why <harness>`: every decision about it, with its reason in words. */
export async function explainHarness(bank: Bank, wanted: string): Promise<Listing> {
  const { id, name, operator, createdBy } = await bank.harness(wanted)
  const decisions = await bank.decisions({ challengerId: id }, 1_000)
  const firsts = (await bank.holders({ harnessId: id })).filter(({ evidenceId }) => evidenceId === null)
  const told =
    decisions.length === 0
      ? [
          `${shownName(name)} was never a challenger: no race was decided about it. It was made by ${operator} (${shownName(createdBy)}).`,
        ]
      : decisions.flatMap((decision) => [...decisionLines(decision), ''])
  return { json: { harnessId: id, name, decisions, firsts }, lines: [...firsts.map(firstLine), ...told] }
}

/** A place that no decision gave: nobody stood there before. */
function firstLine(holder: HolderRow): string {
  return `${new Date(holder.since).toISOString()}  first ${holder.role} of ${cellText(holder)}: nobody stood there before`
}

function decisionLines(decision: DecisionEntry): readonly string[] {
  const { at, verdict, reason, rule, ruleVersion, championId, anchorId } = decision
  const against = championId === null ? '' : ` against ${shortId(championId)}`
  const anchor = anchorId === null || anchorId === championId ? '' : `, anchor ${shortId(anchorId)}`
  return [
    `${new Date(at).toISOString()}  ${shownName(verdict)}  (${shownName(rule)} rule, version ${ruleVersion})`,
    `  ${cellText(decision)}${against}${anchor}`,
    `  ${cleanLine(reason, 2_000)}`,
  ]
}
