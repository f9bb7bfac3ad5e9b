export { PROFILES_DATE, PROFILES_VERSION, type SimProfile } from './profiles.js'
export type { SimServerLimits } from './serve/limits.js'
export { type SimServer, type SimServerOptions, serveSim } from './serve/serve-sim.js'
export { createSimModel, type SimModelOptions, simModels } from './sim-model.js'
