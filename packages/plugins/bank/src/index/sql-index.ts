import { bankError } from '../errors.js'
import type { LogBatch, LoggedEntry, SetAside } from '../log/bank-log.js'
import type { Cell, Entry, EntryKind, HolderEntry } from '../log/entry.js'
import type {
  BankIndex,
  CellFilter,
  CellStats,
  Counts,
  DecisionRow,
  EvaluationFilter,
  HarnessRow,
  HolderRow,
  IndexPlace,
  Pointer,
} from './bank-index.js'
import { columnOf, MIGRATIONS, TABLES } from './migrations.js'
import type { SqlDatabase, SqlRow, SqlValue } from './sql-database.js'
import { type OpenStats, StatsTable, SUMS } from './stats.js'

type Queries = Pick<SqlDatabase, 'query'>

const CELL_COLUMNS = ['cluster_id', 'backbone', 'price_table', 'protocol'] as const
const STATS_COLUMNS = ['harness_id', ...CELL_COLUMNS, ...SUMS.map(columnOf), 'last_at'] as const

/** Goes on in the log, where nobody else has. */
const MOVE = 'UPDATE bank_place SET position = ? WHERE log_id = ? AND position = ? RETURNING one'

/** The index in a database: SQLite or PostgreSQL, which share every statement. */
export class SqlIndex implements BankIndex {
  readonly #database: SqlDatabase

  private constructor(database: SqlDatabase) {
    this.#database = database
  }

  /**
   * Makes the tables where they are not there yet.
   *
   * @throws HarnessError `E_BANK_NEWER` when a newer program made them.
   */
  static async open(database: SqlDatabase, where: string): Promise<SqlIndex> {
    await database.query('CREATE TABLE IF NOT EXISTS bank_migration (version INTEGER PRIMARY KEY)')
    const done = await versionOf(database)
    if (done < MIGRATIONS.length) await database.transaction(migrate)
    if (done > MIGRATIONS.length) throw newerIndex(where, done)
    return new SqlIndex(database)
  }

  /** Which database it is. */
  get kind(): 'sqlite' | 'postgres' {
    return this.#database.kind
  }

  async place(): Promise<IndexPlace | undefined> {
    return await placeOf(this.#database)
  }

  async clear(logId: string): Promise<void> {
    await this.#database.transaction(async (database) => {
      for (const table of TABLES) await database.query(`DELETE FROM ${table}`)
      await database.query('DELETE FROM bank_place')
      await database.query('INSERT INTO bank_place (one, log_id, position) VALUES (1, ?, 0)', [logId])
    })
  }

  async apply(logId: string, { from, to, entries, setAside }: LogBatch): Promise<boolean> {
    return await this.#database.transaction(async (database) => {
      const moved = await database.query(MOVE, [to, logId, from])
      if (moved.length === 0) return false
      await applyEntries(database, entries)
      await insert(database, 'set_aside', ['position', 'bytes', 'reason'], {
        rows: setAside.map(({ position, bytes, reason }) => [position, bytes, reason]),
        conflict: 'ON CONFLICT DO NOTHING',
      })
      return true
    })
  }

  async harnesses({
    id,
    after = -1,
  }: {
    readonly id?: string
    readonly after?: number
  } = {}): Promise<readonly HarnessRow[]> {
    const [where, values] = id === undefined ? ['position > ?', [after]] : ['id = ?', [id]]
    const rows = await this.#database.query(`SELECT * FROM harness WHERE ${where} ORDER BY id`, values)
    return rows as unknown as readonly HarnessRow[]
  }

  async stats(filter: CellFilter & { readonly harnessId?: string } = {}): Promise<readonly CellStats[]> {
    return (await this.#select('cell_stats', filter)) as unknown as readonly CellStats[]
  }

  async holders(filter: CellFilter & { readonly harnessId?: string } = {}): Promise<readonly HolderRow[]> {
    return (await this.#select('holder', filter)) as unknown as readonly HolderRow[]
  }

  async evaluations(filter: EvaluationFilter, limit: number): Promise<readonly Pointer[]> {
    return (await this.#select(
      'evaluation',
      filter,
      `ORDER BY at DESC, position DESC LIMIT ${limit}`,
    )) as unknown as Pointer[]
  }

  async harnessesOn(taskId: string): Promise<readonly string[]> {
    const sql = 'SELECT DISTINCT harness_id FROM evaluation WHERE task_id = ? ORDER BY harness_id'
    return (await this.#database.query(sql, [taskId])).map((row) => String(row['harness_id']))
  }

  async decisions(
    filter: CellFilter & { readonly challengerId?: string },
    limit: number,
  ): Promise<readonly DecisionRow[]> {
    const order = `ORDER BY at DESC, position DESC LIMIT ${limit}`
    return (await this.#select('decision', filter, order)) as unknown as readonly DecisionRow[]
  }

  async clusters(after = -1): Promise<readonly Pointer[]> {
    const sql = 'SELECT position, bytes FROM cluster WHERE position > ? ORDER BY position'
    return (await this.#database.query(sql, [after])) as unknown as readonly Pointer[]
  }

  async setAside(): Promise<readonly SetAside[]> {
    return (await this.#select('set_aside', {}, 'ORDER BY position')) as unknown as readonly SetAside[]
  }

  async counts(): Promise<Counts> {
    const count = async (table: string): Promise<number> => {
      const [row] = await this.#database.query(`SELECT count(*) AS n FROM ${table}`)
      return Number(row?.['n'])
    }
    return {
      harnesses: await count('harness'),
      evaluations: await count('evaluation'),
      decisions: await count('decision'),
      clusters: await count('cluster'),
    }
  }

  async known(kind: EntryKind, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (ids.length === 0 || kind === 'champion' || kind === 'anchor') return new Map()
    const rows = await this.#database.query(`SELECT id, at FROM ${kind} WHERE id IN (${marks(ids.length)})`, ids)
    return new Map(rows.map(({ id, at }) => [String(id), Number(at)]))
  }

  async close(): Promise<void> {
    await this.#database.close()
  }

  /** Rows of a table that have these values, with the names that the program uses. */
  async #select(table: string, filter: object, end = ''): Promise<readonly object[]> {
    const { where, values } = conditions(filter)
    return (await this.#database.query(`SELECT * FROM ${table} ${where} ${end}`, values)).map(camelCased)
  }
}

async function versionOf(database: Queries): Promise<number> {
  const [row] = await database.query('SELECT max(version) AS version FROM bank_migration')
  return Number(row?.['version'] ?? 0)
}

/** Makes what is missing; another process may have made it while this one waited. */
async function migrate(database: Queries): Promise<void> {
  const done = await versionOf(database)
  for (const [index, statements] of MIGRATIONS.entries()) {
    if (index < done) continue
    for (const statement of statements) await database.query(statement)
    await database.query('INSERT INTO bank_migration (version) VALUES (?)', [index + 1])
  }
}

function newerIndex(where: string, version: number): Error {
  return bankError('E_BANK_NEWER', {
    message: `A newer program made the index of this bank: its tables are of version ${version}. Nothing was changed.`,
    where,
    expected: `tables of version ${MIGRATIONS.length}, or older ones`,
    fix: 'Update: npm install harnesswright@latest; or name another directory with --bank.',
    details: { version },
  })
}

async function placeOf(database: Queries): Promise<IndexPlace | undefined> {
  const [row] = await database.query('SELECT log_id, position FROM bank_place')
  return row && { logId: String(row['log_id']), position: Number(row['position']) }
}

async function applyEntries(database: Queries, entries: readonly LoggedEntry[]): Promise<void> {
  const evaluations = ofKind(entries, 'evaluation')
  if (evaluations.length > 0) await applyEvaluations(database, evaluations)
  if (evaluations.length < entries.length) await applyOthers(database, entries)
}

async function applyOthers(database: Queries, entries: readonly LoggedEntry[]): Promise<void> {
  await insert(database, 'harness', ['id', 'name', 'card', 'status', 'operator', 'at', 'position', 'bytes'], {
    rows: lastOfEach(ofKind(entries, 'harness'), ({ entry }) => entry.id, laterAt).map(({ entry, position, bytes }) => [
      entry.id,
      entry.name,
      entry.card,
      entry.status,
      entry.operator,
      entry.at,
      position,
      bytes,
    ]),
    conflict: replaceIf('harness', ['id'], ['name', 'card', 'status', 'operator', 'at', 'position', 'bytes'], 'at'),
  })
  await insert(
    database,
    'decision',
    ['id', 'challenger_id', 'rule', 'verdict', 'at', ...CELL_COLUMNS, 'position', 'bytes'],
    {
      rows: ofKind(entries, 'decision').map(({ entry, position, bytes }) => [
        entry.id,
        entry.challengerId,
        entry.rule,
        entry.verdict,
        entry.at,
        ...cellValues(entry),
        position,
        bytes,
      ]),
      conflict: 'ON CONFLICT DO NOTHING',
    },
  )
  await applyHolders(database, entries)
  await insert(database, 'cluster', ['id', 'version', 'at', 'position', 'bytes'], {
    rows: lastOfEach(ofKind(entries, 'cluster'), ({ entry }) => entry.id, laterVersion).map(
      ({ entry, position, bytes }) => [entry.id, entry.version, entry.at, position, bytes],
    ),
    conflict: replaceIf('cluster', ['id'], ['version', 'at', 'position', 'bytes'], 'version'),
  })
}

async function applyHolders(database: Queries, entries: readonly LoggedEntry[]): Promise<void> {
  const holders = entries.filter(isHolder)
  const keyOf = ({ entry }: LoggedHolder): string => JSON.stringify([entry.kind, cellValues(entry)])
  await insert(database, 'holder', ['role', 'harness_id', 'since', 'evidence_id', ...CELL_COLUMNS], {
    rows: lastOfEach(holders, keyOf, laterAt).map(({ entry }) => [
      entry.kind,
      entry.harnessId,
      entry.at,
      entry.evidenceId,
      ...cellValues(entry),
    ]),
    conflict: replaceIf('holder', [...CELL_COLUMNS, 'role'], ['harness_id', 'since', 'evidence_id'], 'since'),
  })
}

type LoggedHolder = LoggedEntry & { readonly entry: HolderEntry }

function isHolder(logged: LoggedEntry): logged is LoggedHolder {
  return logged.entry.kind === 'champion' || logged.entry.kind === 'anchor'
}

/** Only an evaluation that is new counts in the sums. */
async function applyEvaluations(database: Queries, logged: readonly LoggedOf<'evaluation'>[]): Promise<void> {
  const inserted = await insert(
    database,
    'evaluation',
    ['id', 'harness_id', 'task_id', 'at', ...CELL_COLUMNS, 'position', 'bytes'],
    {
      rows: logged.map(({ entry, position, bytes }) => [
        entry.id,
        entry.harnessId,
        entry.taskId,
        entry.at,
        ...cellValues(entry),
        position,
        bytes,
      ]),
      conflict: 'ON CONFLICT DO NOTHING RETURNING id',
    },
  )
  const fresh = new Set(inserted.map((row) => row['id']))
  const stats = new StatsTable()
  for (const { entry } of logged) if (fresh.delete(entry.id)) stats.add(entry)
  await addStats(database, [...stats.values()])
}

/** Adds sums to those that are there. */
const ADD_SUMS = `ON CONFLICT (${CELL_COLUMNS.join(', ')}, harness_id) DO UPDATE SET ${[
  ...SUMS.map(columnOf).map((column) => `${column} = cell_stats.${column} + excluded.${column}`),
  'last_at = CASE WHEN excluded.last_at > cell_stats.last_at THEN excluded.last_at ELSE cell_stats.last_at END',
].join(', ')}`

async function addStats(database: Queries, stats: readonly OpenStats[]): Promise<void> {
  await insert(database, 'cell_stats', STATS_COLUMNS, {
    rows: stats.map((row) => [row.harnessId, ...cellValues(row), ...SUMS.map((name) => row[name]), row.lastAt]),
    conflict: ADD_SUMS,
  })
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

/** Takes the new row where it is not older than the one that is there. */
function replaceIf(table: string, key: readonly string[], columns: readonly string[], order: string): string {
  const changes = columns.map((column) => `${column} = excluded.${column}`).join(', ')
  return `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${changes} WHERE excluded.${order} >= ${table}.${order}`
}

/** Rows to insert, and what is done with one that is there. */
interface Insertion {
  readonly rows: readonly (readonly SqlValue[])[]
  readonly conflict: string
}

/** Most values of a statement: both databases take more. */
const MOST_VALUES = 2_000

/** Inserts rows, many with each statement; gives what the statements return. */
async function insert(
  database: Queries,
  table: string,
  columns: readonly string[],
  { rows, conflict }: Insertion,
): Promise<readonly SqlRow[]> {
  if (rows.length === 0) return []
  const width = Math.floor(MOST_VALUES / columns.length)
  const found: SqlRow[] = []
  for (let at = 0; at < rows.length; at += width) {
    const part = rows.slice(at, at + width)
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${places(part.length, columns.length)} ${conflict}`
    found.push(...(await database.query(sql, part.flat())))
  }
  return found
}

/** Places for so many rows of so many values. */
function places(rows: number, columns: number): string {
  return `(${marks(columns)}), `.repeat(rows).slice(0, -2)
}

function marks(count: number): string {
  return '?, '.repeat(count).slice(0, -2)
}

/** A WHERE of the values that are given. */
function conditions(filter: object): { readonly where: string; readonly values: readonly SqlValue[] } {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  const where = given.map(([name]) => `${columnOf(name)} = ?`).join(' AND ')
  return { where: where === '' ? '' : `WHERE ${where}`, values: given.map(([, value]) => value as SqlValue) }
}

/** A row with the names that the program uses. */
function camelCased(row: SqlRow): object {
  const named: Record<string, SqlValue> = {}
  for (const name in row) named[FIELDS.get(name) ?? name] = row[name] as SqlValue // it is one of its names
  return named
}

/** Names of fields by the columns that are written otherwise. */
const FIELDS: ReadonlyMap<string, string> = new Map(
  [
    ...['harnessId', 'clusterId', 'priceTable', 'challengerId', 'evidenceId', 'lastAt'],
    ...SUMS.filter((name) => columnOf(name) !== name),
  ].map((name) => [columnOf(name), name]),
)
