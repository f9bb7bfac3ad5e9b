/** A value of a column. */
export type SqlValue = string | number | null

/** A row of a result, by the names of its columns. */
export type SqlRow = Readonly<Record<string, SqlValue>>

/** What the index needs of a database. Places of values are written `?`. */
export interface SqlDatabase {
  readonly kind: 'sqlite' | 'postgres'
  /**
   * Does one statement; gives its rows, none where it has none.
   *
   * @param isOfOne - Whether it gives one row at most, which may be quicker. Default: no.
   */
  query(sql: string, values?: readonly SqlValue[], isOfOne?: boolean): Promise<readonly SqlRow[]>
  /** Runs work of which all is kept, or nothing. No other such work of any process is under way meanwhile. */
  transaction<T>(work: (database: Pick<SqlDatabase, 'query'>) => Promise<T>): Promise<T>
  /** Ends the connection. */
  close(): Promise<void>
}
