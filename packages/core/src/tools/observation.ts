import {
  asText,
  type ErrorCode,
  type Json,
  mapTexts,
  type Observation,
  type Tool,
  type ToolCall,
  wellFormed,
} from '@harnesswright/protocol'
import type { RunState } from '../run/run-state.js'

/** Default for the longest result of a tool, in characters. */
const MAX_RESULT_CHARS = 32_000
/** Longest message in the record of a failure whose text is cut. */
const MAX_ERROR_CHARS = 1_000

/** The observation of a call that was not made or did not succeed. */
export function failedObservation(call: ToolCall, code: ErrorCode, message: string): Observation {
  return { callId: call.id, tool: call.name, ok: false, content: `error: ${message}`, error: { code, message } }
}

/** The observation of a result. */
export function toObservation(call: ToolCall, result: Json): Observation {
  const data = mapTexts(result, wellFormed)
  const shown = { callId: call.id, tool: call.name, ok: true, content: asText(data) }
  return typeof data === 'string' ? shown : { ...shown, data }
}

/** The observation as it is recorded: secrets replaced, text well formed, and cut to its limit with the rest as an artifact. */
export function finalObservation(run: RunState, observation: Observation, tool: Tool | undefined): Observation {
  const clean = run.clean(observation)
  const most = tool?.maxResultChars ?? MAX_RESULT_CHARS
  if (clean.content.length <= most) return clean // the same one, where nothing was to be done
  const truncated = run.put(clean.content)
  run.hasCutResults = true
  const { data: _whole, error, ...rest } = clean
  const brief = error === undefined ? {} : { error: { ...error, message: error.message.slice(0, MAX_ERROR_CHARS) } }
  return { ...rest, content: cut(clean.content, most, truncated), ...brief, truncated }
}

/** Half of the limit from the head, a quarter from the tail. */
function cut(content: string, most: number, id: string): string {
  const head = wellFormed(content.slice(0, Math.floor(most / 2)))
  const tail = wellFormed(content.slice(content.length - Math.floor(most / 4)))
  const left = content.length - Math.floor(most / 2) - Math.floor(most / 4)
  return `${head}\n[… ${left} characters left out; read_result gives them with id "${id}" …]\n${tail}`
}
