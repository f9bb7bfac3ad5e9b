export {
  type EstimateMethod,
  formatInterval,
  type Interval,
  type NoInformation,
} from '@harnesswright/plugin-bank/statistics'
export type { BenchJob, BenchRow, JobSpace } from './bench-row.js'
export { type BenchProgress, benchWorlds, type WorldBenchOptions } from './bench-worlds.js'
export { type BenchDifference, type Compared, compareResults } from './compare.js'
export { isInfrastructureFault } from './infrastructure.js'
export { readResults } from './results-file.js'
export type { BenchHarness, RunParts, RunPlace } from './run-job.js'
export { type BenchSettings, beganWith, settingsIn } from './settings-file.js'
export { type BenchCell, judge, summarise, type WorldVerdict } from './summary.js'
export { HEADINGS, markdownTable, tableRows, verdictLines } from './table.js'
