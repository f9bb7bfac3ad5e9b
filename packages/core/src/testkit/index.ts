export { assembleModules, type ModulesUnderTest } from './assemble-modules.js'
export type { ConformanceCase } from './conformance/case.js'
export { moduleConformance } from './conformance/module.js'
export { type SeedUnderTest, seedConformance } from './conformance/seed.js'
export type { Subject } from './conformance/trial.js'
export {
  callDeltas,
  callTools,
  FAULT_USAGE,
  type FaultAnswer,
  type FaultScript,
  inTurn,
  type ReplyOptions,
  refuse,
  reply,
  say,
  streamOf,
} from './faults/answer.js'
export type {
  FaultCase,
  FaultLimits,
  FaultMode,
  FaultOutcome,
  FaultScene,
  FaultSetup,
  FaultStage,
  FaultSubject,
  FaultTool,
  FaultToolOptions,
  FaultTrait,
  ToolBehaviour,
} from './faults/case.js'
export { createQuickClock, ManualClock } from './faults/clocks.js'
export { checkEndpoint, type EndpointReport } from './faults/endpoint/check-endpoint.js'
export type { EndpointUnderTest } from './faults/endpoint/line.js'
export { faultCases } from './faults/fault-cases.js'
export {
  describeFinding,
  type FaultFinding,
  type FaultOptions,
  type FaultReport,
  faultConformance,
  runFaultCase,
} from './faults/run-fault-case.js'
export { type FaultRequest, type FaultServer, type FaultServerOptions, startFaultServer } from './faults/server.js'
export { FaultMismatch, type FaultTrace, type ToolRun } from './faults/trace.js'
export { type ChatBody, type WireCall, type WireMessage, wireCall } from './faults/wire.js'
export { minimalAction, minimalCapability, minimalMemory, minimalPlanning } from './minimal-modules.js'
export { type FreshHarness, type ResumeLawOptions, type ResumeLawReport, resumeLaw } from './resume-law.js'
export { createScriptedModel, type Script, type ScriptedModel, type ScriptedModelOptions } from './scripted-model.js'
export { createVirtualClock, type VirtualClock } from './virtual-clock.js'
