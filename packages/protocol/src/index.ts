export { AbortGate } from './abort-gate.js'
export { actionCalls, type BrokenMark, type CallBook, canonicalCalls } from './codec/call-text.js'
export { codecFor } from './codec/codec-for.js'
export { nativeCodec } from './codec/native.js'
export { mapConcurrently } from './concurrency.js'
export {
  checkLimits,
  DEFAULT_LIMITS,
  finiteLimits,
  minLimits,
  wholeLimits,
  withoutUndefined,
} from './effective-limits.js'
export { HarnessError, type HarnessErrorOptions, isHarnessError, messageOf } from './errors/error.js'
export { type Problem, problemsError } from './errors/problem.js'
export { ERRORS, type ErrorCode } from './errors/table.js'
export { EventStream } from './events/event-stream.js'
export { openingMessages } from './history/opening.js'
export { renderHeading, renderPlan, renderTask } from './history/render.js'
export * from './history/validity.js'
export { copyJson, freezeJson, NotJson } from './json/copy.js'
export { objectText } from './json/object-text.js'
export { asText, isClean, mapTexts, utf8Length, wellFormed } from './json/text.js'
export * from './nearest.js'
export { mixSeed, seededRandom } from './random.js'
export { faultOfAction } from './record/action-fault.js'
export { addCharged, chargeOf, NOTHING, spentOf } from './record/charge.js'
export { observationOf, observedAs } from './record/child-observation.js'
export { leasesOf } from './record/leases.js'
export { type Bound, limitReached, Meter, type Reservation } from './record/meter.js'
export * from './record/record.js'
export { RequestSizes, type SizeOptions } from './record/request-size.js'
export { chargedBelow, endOf, recordedResult, stepsOf } from './record/result.js'
export { faultOfSnapshot } from './record/snapshot-fault.js'
export type * from './schema.js'
export * from './shapes.js'
export * from './template.js'
export type * from './types/index.js'
export { addUsage, readUsage } from './usage.js'
