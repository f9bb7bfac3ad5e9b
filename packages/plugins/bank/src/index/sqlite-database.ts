import { messageOf } from '@harnesswright/core/manifest'
import type Database from 'libsql'
import { bankError } from '../errors.js'
import type { SqlDatabase, SqlRow, SqlValue } from './sql-database.js'

/** How long a statement waits for another process, in ms. */
const BUSY_MS = 30_000

/** The line that installs what the index of large banks needs. */
export const INSTALL_SQLITE = 'npm install libsql@0.5'

/**
 * SQLite by libsql, which is installed by those who want it.
 *
 * @returns undefined where libsql is not installed.
 * @throws HarnessError `E_BANK_INDEX` when the file is no database, or cannot be opened.
 */
export async function openSqlite(path: string): Promise<SqlDatabase | undefined> {
  const create = await loadLibsql(path)
  if (create === undefined) return undefined
  try {
    const database = new create(path)
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
    useWriteAheadLog(database)
    database.exec('PRAGMA synchronous = NORMAL')
    return new SqliteDatabase(database)
  } catch (cause) {
    throw bankError('E_BANK_INDEX', {
      message: `The index of the bank cannot be opened: ${messageOf(cause)}.`,
      where: path,
      expected: 'a database of SQLite',
      fix: 'Remove the file: it is made anew from the log.',
      cause,
    })
  }
}

/**
 * Turns to the write-ahead log, which the file remembers. Of several processes that do so at once all but one are told that
 * it is locked, without being made to wait: a transaction waits for them.
 */
function useWriteAheadLog(database: InstanceType<typeof Database>): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (attempt === MOST_ATTEMPTS) throw error
      database.exec('BEGIN IMMEDIATE')
      database.exec('COMMIT')
    }
  }
}

const MOST_ATTEMPTS = 100

async function loadLibsql(where: string): Promise<typeof Database | undefined> {
  try {
    return (await import('libsql')).default
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw bankError('E_BANK_INDEX', {
      message: `libsql cannot be loaded: ${messageOf(cause)}.`,
      where,
      expected: 'libsql as it was published, for this computer',
      fix: `Install it again: ${INSTALL_SQLITE}`,
      cause,
    })
  }
}

function isMissing(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && String(message).includes("'libsql'")
}

/** What is used of a statement of libsql. A value that is true or false would end the process. */
interface Statement {
  readonly reader: boolean
  all(...values: readonly SqlValue[]): SqlRow[]
  get(...values: readonly SqlValue[]): SqlRow | undefined
  run(...values: readonly SqlValue[]): unknown
}

/** A statement, and whether it gives rows. */
interface Prepared {
  readonly statement: Statement
  readonly gives: boolean
}

class SqliteDatabase implements SqlDatabase {
  readonly kind = 'sqlite'
  readonly #database: InstanceType<typeof Database>
  readonly #statements = new Map<string, Prepared>()

  constructor(database: InstanceType<typeof Database>) {
    this.#database = database
  }

  async query(sql: string, values: readonly SqlValue[] = [], isOfOne = false): Promise<readonly SqlRow[]> {
    const { statement, gives } = this.#prepare(sql)
    if (!gives) {
      statement.run(...values)
      return []
    }
    if (!isOfOne) return statement.all(...values)
    const row = statement.get(...values)
    return row === undefined ? [] : [row]
  }

  async transaction<T>(work: (database: Pick<SqlDatabase, 'query'>) => Promise<T>): Promise<T> {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      const result = await work(this)
      this.#database.exec('COMMIT')
      return result
    } catch (error) {
      this.#database.exec('ROLLBACK')
      throw error
    }
  }

  async close(): Promise<void> {
    this.#statements.clear()
    this.#database.close()
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql) as unknown as Statement
    const prepared = { statement, gives: statement.reader }
    if (this.#statements.size >= MOST_STATEMENTS) this.#statements.clear()
    this.#statements.set(sql, prepared)
    return prepared
  }
}

const MOST_STATEMENTS = 100
