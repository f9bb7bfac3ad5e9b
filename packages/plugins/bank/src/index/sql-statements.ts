import { columnOf } from './migrations.js'
import type { SqlDatabase, SqlRow, SqlValue } from './sql-database.js'
import { SUMS } from './stats.js'

/** What statements are run on. */
export type Queries = Pick<SqlDatabase, 'query'>

/** Takes the new row where it is not older than the one that is there. */
export function replaceIf(table: string, key: readonly string[], columns: readonly string[], order: string): string {
  const changes = columns.map((column) => `${column} = excluded.${column}`).join(', ')
  return `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${changes} WHERE excluded.${order} >= ${table}.${order}`
}

/** How rows get into a table: a statement for each count of rows, made once. */
export class Insertion {
  /** Most rows of a statement. */
  readonly most: number
  readonly #start: string
  readonly #width: number
  readonly #conflict: string
  readonly #texts = new Map<number, string>()

  /** @param conflict - What is done with a row that is there. */
  constructor(table: string, columns: readonly string[], conflict: string) {
    this.most = Math.floor(MOST_VALUES / columns.length)
    this.#start = `INSERT INTO ${table} (${columns.join(', ')}) VALUES`
    this.#width = columns.length
    this.#conflict = conflict
  }

  /** The statement for so many rows. */
  textOf(rows: number): string {
    const known = this.#texts.get(rows)
    if (known !== undefined) return known
    const text = `${this.#start} ${places(rows, this.#width)} ${this.#conflict}`
    if (this.#texts.size >= MOST_TEXTS) this.#texts.clear()
    this.#texts.set(rows, text)
    return text
  }
}

/** Most values of a statement: both databases take more. */
const MOST_VALUES = 2_000
const MOST_TEXTS = 20

/** Inserts rows, many with each statement; gives what the statements return. */
export async function insert(
  database: Queries,
  insertion: Insertion,
  rows: readonly (readonly SqlValue[])[],
): Promise<readonly SqlRow[]> {
  const found: SqlRow[] = []
  for (let at = 0; at < rows.length; at += insertion.most) {
    const part = rows.slice(at, at + insertion.most)
    found.push(...(await database.query(insertion.textOf(part.length), part.flat(), part.length === 1)))
  }
  return found
}

/** Places for so many rows of so many values. */
function places(rows: number, columns: number): string {
  return `(${marks(columns)}), `.repeat(rows).slice(0, -2)
}

/** So many marks of values. */
export function marks(count: number): string {
  return '?, '.repeat(count).slice(0, -2)
}

/** A WHERE of the values that are given. */
export function conditions(filter: object): { readonly where: string; readonly values: readonly SqlValue[] } {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  const where = given.map(([name]) => `${columnOf(name)} = ?`).join(' AND ')
  return { where: where === '' ? '' : `WHERE ${where}`, values: given.map(([, value]) => value as SqlValue) }
}

/** A row with the names that the program uses. */
export function camelCased(row: SqlRow): object {
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
