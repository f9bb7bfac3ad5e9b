export { PROFILES_DATE, PROFILES_VERSION, type SimProfile } from './profiles.js'
export { createSimModel, type SimModelOptions, simModels } from './sim-model.js'
