import type { FaultCase } from './case.js'
import { ARGUMENT_CASES } from './cases/arguments.js'
import { CALL_CASES } from './cases/calls.js'
import { ENDING_CASES } from './cases/endings.js'
import { HANG_CASE } from './cases/hang.js'
import { LINE_CASES } from './cases/lines.js'
import { OVERFLOW_CASE } from './cases/overflow.js'
import { STREAM_CASES } from './cases/streams.js'
import { TEXT_MARKER_CASE } from './cases/text-marker.js'
import { TOOL_CASES } from './cases/tools.js'

/**
 * What endpoints, models and tools do wrong, a row for each kind: 32 rows, each played against a real server on this
 * computer. Every row asserts what the harness asks next, or what comes of its run.
 */
export const faultCases: readonly FaultCase[] = [
  ...CALL_CASES,
  ...ARGUMENT_CASES,
  ...ENDING_CASES,
  TEXT_MARKER_CASE,
  ...TOOL_CASES,
  ...LINE_CASES,
  OVERFLOW_CASE,
  HANG_CASE,
  ...STREAM_CASES,
]
