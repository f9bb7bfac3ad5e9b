import { SUMS } from './stats.js'

/** Names of sums as columns. */
export const columnOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const CELL =
  'cluster_id TEXT NOT NULL, backbone TEXT NOT NULL, price_table TEXT NOT NULL, protocol DOUBLE PRECISION NOT NULL'
const POINTER = 'position DOUBLE PRECISION NOT NULL, bytes DOUBLE PRECISION NOT NULL'

/**
 * Steps that make the tables, each once and in this order, in words that SQLite and PostgreSQL share. A change of the tables
 * is a step of its own at the end.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    'CREATE TABLE bank_place (one INTEGER PRIMARY KEY, log_id TEXT NOT NULL, position DOUBLE PRECISION NOT NULL)',
    `CREATE TABLE harness (id TEXT PRIMARY KEY, name TEXT NOT NULL, card TEXT NOT NULL, status TEXT NOT NULL,
      operator TEXT NOT NULL, at DOUBLE PRECISION NOT NULL, ${POINTER})`,
    'CREATE INDEX harness_by_position ON harness (position)',
    `CREATE TABLE evaluation (id TEXT PRIMARY KEY, harness_id TEXT NOT NULL, task_id TEXT NOT NULL,
      at DOUBLE PRECISION NOT NULL, ${CELL}, ${POINTER})`,
    'CREATE INDEX evaluation_by_harness ON evaluation (harness_id, at)',
    'CREATE INDEX evaluation_by_task ON evaluation (task_id, harness_id)',
    `CREATE TABLE cell_stats (harness_id TEXT NOT NULL, ${CELL},
      ${SUMS.map((name) => `${columnOf(name)} DOUBLE PRECISION NOT NULL`).join(', ')}, last_at DOUBLE PRECISION NOT NULL,
      PRIMARY KEY (cluster_id, backbone, price_table, protocol, harness_id))`,
    'CREATE INDEX cell_stats_by_harness ON cell_stats (harness_id)',
    `CREATE TABLE decision (id TEXT PRIMARY KEY, challenger_id TEXT NOT NULL, rule TEXT NOT NULL, verdict TEXT NOT NULL,
      at DOUBLE PRECISION NOT NULL, ${CELL}, ${POINTER})`,
    'CREATE INDEX decision_by_challenger ON decision (challenger_id)',
    `CREATE TABLE holder (role TEXT NOT NULL, harness_id TEXT NOT NULL, since DOUBLE PRECISION NOT NULL, evidence_id TEXT,
      ${CELL}, PRIMARY KEY (cluster_id, backbone, price_table, protocol, role))`,
    `CREATE TABLE cluster (id TEXT PRIMARY KEY, version DOUBLE PRECISION NOT NULL, at DOUBLE PRECISION NOT NULL, ${POINTER})`,
    'CREATE TABLE set_aside (position DOUBLE PRECISION PRIMARY KEY, bytes DOUBLE PRECISION NOT NULL, reason TEXT NOT NULL)',
  ],
]

/** Tables that hold what the log says. */
export const TABLES = ['harness', 'evaluation', 'cell_stats', 'decision', 'holder', 'cluster', 'set_aside'] as const
