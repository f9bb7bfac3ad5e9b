import { join } from 'node:path'
import { bankError } from '../errors.js'
import type { BankIndex } from './bank-index.js'
import { MemoryIndex } from './memory-index.js'
import { openPostgres } from './postgres-database.js'
import { SqlIndex } from './sql-index.js'
import { INSTALL_SQLITE, openSqlite } from './sqlite-database.js'

/** Name of the index in the directory of a bank. */
const INDEX_FILE = 'index.db'

/** Longest log that is indexed in memory, in bytes. */
const MOST_MEMORY_BYTES = 64 * 2 ** 20

/**
 * Where the index is: `sqlite` in a file beside the log, `memory` for small banks, or the address of a PostgreSQL database that
 * no other bank uses. `auto` takes SQLite where libsql is installed, and memory otherwise.
 */
export type IndexChoice = 'auto' | 'sqlite' | 'memory' | `postgres://${string}` | `postgresql://${string}` | BankIndex

/** The bank that an index is for. */
export interface IndexedBank {
  readonly directory: string
  /** Length of its log. */
  readonly logBytes: number
}

/**
 * Opens an index.
 *
 * @throws HarnessError `E_BANK_INDEX` when it cannot be, `E_BANK_NEWER` when a newer program made it.
 */
export async function openIndex(choice: IndexChoice, { directory, logBytes }: IndexedBank): Promise<BankIndex> {
  if (typeof choice === 'object') return choice
  if (/^postgres(ql)?:\/\//.test(choice)) return await SqlIndex.open(await openPostgres(choice), 'PostgreSQL')
  if (choice === 'memory') return new MemoryIndex()
  const path = join(directory, INDEX_FILE)
  const database = await openSqlite(path)
  if (database !== undefined) return await SqlIndex.open(database, path)
  if (choice === 'auto' && logBytes <= MOST_MEMORY_BYTES) return new MemoryIndex()
  throw bankError('E_BANK_INDEX', {
    message:
      choice === 'auto'
        ? `This bank is too large for an index in memory: its log has ${Math.round(logBytes / 2 ** 20)} MB.`
        : 'SQLite needs libsql, which is not installed.',
    where: directory,
    expected: 'libsql beside @harnesswright/plugin-bank',
    fix: `Run: ${INSTALL_SQLITE}`,
  })
}
