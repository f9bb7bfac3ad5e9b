import { messageOf } from '@harnesswright/core/manifest'
import type postgres from 'postgres'
import { bankError } from '../errors.js'
import type { SqlDatabase, SqlRow, SqlValue } from './sql-database.js'

/** What answers statements of PostgreSQL: places of values are written `$1`. */
export interface PostgresClient {
  /** Does one statement; gives its rows, none where it has none. */
  query(sql: string, values: readonly SqlValue[]): Promise<readonly SqlRow[]>
  /** Does statements of which all are kept, or nothing. */
  transaction<T>(work: (client: Pick<PostgresClient, 'query'>) => Promise<T>): Promise<T>
  /** Ends the connection. */
  close(): Promise<void>
}

/** The number that processes agree on, so that only one at a time changes the index. */
const LOCK = 4_711_942

/** A database of PostgreSQL. */
export function postgresDatabase(client: PostgresClient): SqlDatabase {
  const queriesOf = ({ query }: Pick<PostgresClient, 'query'>): Pick<SqlDatabase, 'query'> => ({
    query: async (sql, values = []) => await query(numbered(sql), values),
  })
  return {
    kind: 'postgres',
    ...queriesOf(client),
    transaction: async (work) =>
      await client.transaction(async (inside) => {
        await inside.query(`SELECT pg_advisory_xact_lock(${LOCK})`, [])
        return await work(queriesOf(inside))
      }),
    close: client.close,
  }
}

/** Writes `?` as `$1`, `$2` … None of our statements has one in a text. */
function numbered(sql: string): string {
  let count = 0
  return sql.replaceAll('?', () => {
    count += 1
    return `$${count}`
  })
}

/**
 * PostgreSQL at an address, by the package postgres, which is installed by those who want it.
 *
 * @param url - `postgres://user@host/database`. It may hold a password, and is never shown.
 * @throws HarnessError `E_BANK_INDEX` when the package is missing, or nobody answers.
 */
export async function openPostgres(url: string): Promise<SqlDatabase> {
  const create = await loadPostgres()
  const sql = create(url, { max: 2, onnotice: () => undefined, connect_timeout: 10 })
  try {
    await sql.unsafe('SELECT 1')
  } catch (cause) {
    await sql.end({ timeout: 1 })
    throw bankError('E_BANK_INDEX', {
      message: `PostgreSQL cannot be used: ${messageOf(cause)}.`,
      where: hostOf(url),
      expected: 'a server that answers, and a database in which tables may be made',
      fix: 'Mend the address, or leave it out: then the index is a file beside the log.',
    })
  }
  return postgresDatabase({
    query: async (text, values) => await run(sql, text, values),
    transaction: async (work) =>
      (await sql.begin(async (inside) =>
        work({ query: async (text, values) => await run(inside, text, values) }),
      )) as Awaited<ReturnType<typeof work>>,
    close: async () => await sql.end(),
  })
}

async function run(
  sql: Pick<postgres.Sql, 'unsafe'>,
  text: string,
  values: readonly SqlValue[],
): Promise<readonly SqlRow[]> {
  return (await sql.unsafe(text, values as SqlValue[])) as unknown as readonly SqlRow[]
}

async function loadPostgres(): Promise<typeof postgres> {
  try {
    return ((await import('postgres')) as unknown as { readonly default: typeof postgres }).default
  } catch (cause) {
    throw bankError('E_BANK_INDEX', {
      message: 'The package postgres is not installed, or cannot be loaded.',
      where: 'the index of the bank',
      expected: 'postgres beside @harnesswright/plugin-bank',
      fix: 'Run: npm install postgres@3',
      cause,
    })
  }
}

/** The host of an address, without user and password. */
function hostOf(url: string): string {
  try {
    return `postgres://${new URL(url).host}`
  } catch {
    return 'the address of PostgreSQL'
  }
}
