import type { LoggedEntry } from '../log/bank-log.js'
import type { Cell, Entry, EntryKind, HolderEntry } from '../log/entry.js'
import { columnOf } from './migrations.js'
import type { SqlValue } from './sql-database.js'
import { Insertion, insert, type Queries, replaceIf } from './sql-statements.js'
import { type OpenStats, StatsTable, SUMS } from './stats.js'

const CELL_COLUMNS = ['cluster_id', 'backbone', 'price_table', 'protocol'] as const

/** Puts entries of the log into the tables. */
export async function applyEntries(database: Queries, entries: readonly LoggedEntry[]): Promise<void> {
  const evaluations = ofKind(entries, 'evaluation')
  if (evaluations.length > 0) await applyEvaluations(database, evaluations)
  if (evaluations.length < entries.length) await applyOthers(database, entries)
}

const HARNESSES = new Insertion(
  'harness',
  ['id', 'name', 'card', 'status', 'operator', 'at', 'position', 'bytes'],
  replaceIf('harness', ['id'], ['name', 'card', 'status', 'operator', 'at', 'position', 'bytes'], 'at'),
)
const DECISIONS = new Insertion(
  'decision',
  ['id', 'challenger_id', 'rule', 'verdict', 'at', ...CELL_COLUMNS, 'position', 'bytes'],
  'ON CONFLICT DO NOTHING',
)
const CLUSTERS = new Insertion(
  'cluster',
  ['id', 'version', 'at', 'position', 'bytes'],
  replaceIf('cluster', ['id'], ['version', 'at', 'position', 'bytes'], 'version'),
)

async function applyOthers(database: Queries, entries: readonly LoggedEntry[]): Promise<void> {
  const harnesses = lastOfEach(ofKind(entries, 'harness'), ({ entry }) => entry.id, laterAt)
  const harnessRows = harnesses.map(({ entry: { id, name, card, status, operator, at }, position, bytes }) => [
    ...[id, name, card, status, operator, at],
    position,
    bytes,
  ])
  await insert(database, HARNESSES, harnessRows)
  const decisionRows = ofKind(entries, 'decision').map(({ entry, position, bytes }) => [
    ...[entry.id, entry.challengerId, entry.rule, entry.verdict, entry.at],
    ...cellValues(entry),
    position,
    bytes,
  ])
  await insert(database, DECISIONS, decisionRows)
  await applyHolders(database, entries)
  const clusters = lastOfEach(ofKind(entries, 'cluster'), ({ entry }) => entry.id, laterVersion)
  const clusterRows = clusters.map(({ entry: { id, version, at }, position, bytes }) => [
    id,
    version,
    at,
    position,
    bytes,
  ])
  await insert(database, CLUSTERS, clusterRows)
}

const HOLDERS = new Insertion(
  'holder',
  ['role', 'harness_id', 'since', 'evidence_id', ...CELL_COLUMNS],
  replaceIf('holder', [...CELL_COLUMNS, 'role'], ['harness_id', 'since', 'evidence_id'], 'since'),
)

async function applyHolders(database: Queries, entries: readonly LoggedEntry[]): Promise<void> {
  const keyOf = ({ entry }: LoggedHolder): string => JSON.stringify([entry.kind, cellValues(entry)])
  const holders = lastOfEach(entries.filter(isHolder), keyOf, laterAt)
  const rows = holders.map(({ entry }) => [
    ...[entry.kind, entry.harnessId, entry.at, entry.evidenceId],
    ...cellValues(entry),
  ])
  await insert(database, HOLDERS, rows)
}

type LoggedHolder = LoggedEntry & { readonly entry: HolderEntry }

function isHolder(logged: LoggedEntry): logged is LoggedHolder {
  return logged.entry.kind === 'champion' || logged.entry.kind === 'anchor'
}

const EVALUATIONS = new Insertion(
  'evaluation',
  ['id', 'harness_id', 'task_id', 'at', ...CELL_COLUMNS, 'position', 'bytes'],
  'ON CONFLICT DO NOTHING RETURNING id',
)

/** Only an evaluation that is new counts in the sums. */
async function applyEvaluations(database: Queries, logged: readonly LoggedOf<'evaluation'>[]): Promise<void> {
  const rows = logged.map(({ entry, position, bytes }) => [
    ...[entry.id, entry.harnessId, entry.taskId, entry.at],
    ...cellValues(entry),
    position,
    bytes,
  ])
  const inserted = await insert(database, EVALUATIONS, rows)
  const fresh = new Set(inserted.map((row) => row['id']))
  const stats = new StatsTable()
  for (const { entry } of logged) if (fresh.delete(entry.id)) stats.add(entry)
  await addStats(database, [...stats.values()])
}

const STATS = new Insertion(
  'cell_stats',
  ['harness_id', ...CELL_COLUMNS, ...SUMS.map(columnOf), 'last_at'],
  // sums are added to those that are there
  `ON CONFLICT (${CELL_COLUMNS.join(', ')}, harness_id) DO UPDATE SET ${[
    ...SUMS.map(columnOf).map((column) => `${column} = cell_stats.${column} + excluded.${column}`),
    'last_at = CASE WHEN excluded.last_at > cell_stats.last_at THEN excluded.last_at ELSE cell_stats.last_at END',
  ].join(', ')}`,
)

async function addStats(database: Queries, stats: readonly OpenStats[]): Promise<void> {
  const rows = stats.map((row) => [row.harnessId, ...cellValues(row), ...SUMS.map((name) => row[name]), row.lastAt])
  await insert(database, STATS, rows)
}

type LoggedOf<Kind extends EntryKind> = LoggedEntry & { readonly entry: Extract<Entry, { readonly kind: Kind }> }

function ofKind<Kind extends EntryKind>(entries: readonly LoggedEntry[], kind: Kind): readonly LoggedOf<Kind>[] {
  return entries.filter(({ entry }) => entry.kind === kind) as unknown as readonly LoggedOf<Kind>[]
}

/** Of rows with the same key the one that counts: a statement may not change a row twice. */
function lastOfEach<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  isLater: (a: Row, b: Row) => boolean,
): Row[] {
  const last = new Map<string, Row>()
  for (const row of rows) {
    const known = last.get(keyOf(row))
    if (known === undefined || isLater(row, known)) last.set(keyOf(row), row)
  }
  return [...last.values()]
}

function laterAt(
  a: { readonly entry: { readonly at: number } },
  b: { readonly entry: { readonly at: number } },
): boolean {
  return a.entry.at >= b.entry.at
}

function laterVersion(
  a: { readonly entry: { readonly version: number } },
  b: { readonly entry: { readonly version: number } },
): boolean {
  return a.entry.version >= b.entry.version
}

function cellValues({ clusterId, backbone, priceTable, protocol }: Cell): readonly SqlValue[] {
  return [clusterId, backbone, priceTable, protocol]
}
