import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll } from 'vitest'
import { type BankIndex, postgresDatabase, SqlIndex, type SqlRow } from '../../src/index.js'

/** Directories for banks, removed when the tests of the file are over. */
export function temporaryDirectories(): (name: string) => string {
  const root = mkdtempSync(join(tmpdir(), 'harnesswright-bank-'))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  return (name) => join(root, name)
}

/** Indexes in one PostgreSQL of this process, which is made when it is first needed: a bank makes its index anew there. */
export function pgliteIndexes(): () => Promise<BankIndex> {
  let made: Promise<PGlite> | undefined
  afterAll(async () => await (await made)?.close(), START_MS)
  return async () => {
    made ??= PGlite.create()
    return await indexIn(await made)
  }
}

/** It is compiled at its start, which takes long where the machine is busy. */
export const START_MS = 180_000

async function indexIn(database: PGlite): Promise<BankIndex> {
  return await SqlIndex.open(
    postgresDatabase({
      query: async (sql, values) => (await database.query<SqlRow>(sql, [...values])).rows,
      transaction: async (work) =>
        await database.transaction(async (inside) =>
          work({ query: async (sql, values) => (await inside.query<SqlRow>(sql, [...values])).rows }),
        ),
      close: async () => undefined,
    }),
    'PGlite',
  )
}
