// The worlds, for tests only: the simulator itself never sees them.
export { type CheckResult, generateTask, type WorldTask, withLatency } from '@harnesswright/plugin-worlds'
