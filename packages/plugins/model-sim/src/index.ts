export { PROFILES_DATE, PROFILES_VERSION } from './profiles.js'
export { createSimModel, type SimModelOptions, type SimProfile, simModels } from './sim-model.js'
