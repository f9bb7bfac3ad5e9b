import { bankError } from '../errors.js'
import type { LogBatch, LogPlace, SetAside } from '../log/bank-log.js'
import type { EntryKind } from '../log/entry.js'
import type {
  BankIndex,
  CellFilter,
  CellStats,
  Counts,
  DecisionRow,
  EvaluationFilter,
  HarnessRow,
  HolderRow,
  Pointer,
} from './bank-index.js'
import { MIGRATIONS, TABLES } from './migrations.js'
import type { SqlDatabase } from './sql-database.js'
import { applyEntries } from './sql-entries.js'
import { camelCased, conditions, Insertion, insert, marks, type Queries } from './sql-statements.js'

/** Goes on in the log, where nobody else has. */
const MOVE = 'UPDATE bank_place SET position = ? WHERE log_id = ? AND position = ? RETURNING one'

const SET_ASIDE = new Insertion('set_aside', ['position', 'bytes', 'reason'], 'ON CONFLICT DO NOTHING')

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

  async place(): Promise<LogPlace | undefined> {
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
      const moved = await database.query(MOVE, [to, logId, from], true)
      if (moved.length === 0) return false
      await applyEntries(database, entries)
      const rows = setAside.map(({ position, bytes, reason }) => [position, bytes, reason])
      await insert(database, SET_ASIDE, rows)
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

async function placeOf(database: Queries): Promise<LogPlace | undefined> {
  const [row] = await database.query('SELECT log_id, position FROM bank_place')
  return row && { logId: String(row['log_id']), position: Number(row['position']) }
}
