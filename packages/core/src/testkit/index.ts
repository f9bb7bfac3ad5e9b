export { assembleModules, type ModulesUnderTest } from './assemble-modules.js'
export { minimalAction, minimalCapability, minimalMemory, minimalPlanning } from './minimal-modules.js'
export { createScriptedModel, type Script, type ScriptedModel, type ScriptedModelOptions } from './scripted-model.js'
export { createVirtualClock, type VirtualClock } from './virtual-clock.js'
