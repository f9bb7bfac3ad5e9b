export { Bank, type BankOptions, type ClusterOf, type NewEntry } from './bank.js'
export {
  CLUSTER_RADIUS,
  type FoundingTask,
  MOST_EXEMPLARS,
  type NearCluster,
  nearestClusters,
} from './cluster/clusters.js'
export { type ClusteredTask, clusterDistance, featureDistance } from './cluster/distance.js'
export { taskRecord } from './cluster/task-record.js'
export type { DecisionInput } from './decide.js'
export type {
  BankIndex,
  CellFilter,
  CellStats,
  Counts,
  DecisionRow,
  EvaluationFilter,
  HarnessRow,
  HolderRow,
  Pointer,
} from './index/bank-index.js'
export type { IndexChoice } from './index/open-index.js'
export { type PostgresClient, postgresDatabase } from './index/postgres-database.js'
export type { SqlDatabase, SqlRow, SqlValue } from './index/sql-database.js'
export { SqlIndex } from './index/sql-index.js'
export { INSTALL_SQLITE } from './index/sqlite-database.js'
export { LOG_FILE, type LogBatch, type LoggedEntry, type LogPlace, type SetAside } from './log/bank-log.js'
export { faultOfEntry } from './log/check-entry.js'
export {
  type Cell,
  type ClusterEntry,
  type DecisionEntry,
  type Entry,
  type EntryBase,
  type EntryKind,
  type EvaluationEntry,
  type Exemplar,
  type HarnessEntry,
  type HarnessOperator,
  type HarnessStatus,
  type HolderEntry,
  LOG_VERSION,
  type TaskRecord,
} from './log/entry.js'
export type { ToMeasure } from './new-cell.js'
export { openBank } from './open-bank.js'
export type { PruneOptions, PruneReport } from './prune.js'
export type { DecidedChallenger } from './race/field.js'
export type { MeasuredFirst, OpenedCell } from './race/first-holders.js'
export { type CellRace, type CellRaceOptions, raceCell } from './race/race-cell.js'
export type { RunOf } from './race/race-runs.js'
export type { PickKind, Reference, ReferenceMeasures, ReferenceQuery } from './retrieve/references.js'
export * from './rule/index.js'
