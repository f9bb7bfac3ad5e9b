// The worlds, for tests only: the simulator itself never sees them.
export { type CheckResult, generateTask, type WorldTask } from '@harnesswright/plugin-worlds'
