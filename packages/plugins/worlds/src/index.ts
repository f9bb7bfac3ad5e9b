export { WORLDS_VERSION } from './constants.js'
export { type ToolLatency, withLatency } from './latency.js'
export type { CheckInput, CheckResult, World, WorldOptions, WorldSize, WorldTask } from './world.js'
export { findWorld, generateTask, worlds } from './worlds.js'
