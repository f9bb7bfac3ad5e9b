import type { Codec, Json, ModelRequest, ModelResponse, Reply, ToolCall } from '../types/index.js'
import { readUsage } from '../usage.js'

/** The name under which a model gives its answer as a call, unless a tool has it. */
const FINAL_ANSWER = 'final_answer'

/** The codec of endpoints with native tool calls: requests go as they are. */
export const nativeCodec: Codec = Object.freeze({
  name: 'native',
  encode: (request: ModelRequest): ModelRequest => request,
  decode(response: ModelResponse, request: ModelRequest): Reply {
    const calls = response.toolCalls ?? []
    if (typeof (response.content ?? '') !== 'string') throw new TypeError('the content of its response is no text')
    const answer = finalAnswer(calls, request)
    return {
      content: response.content ?? '', // some endpoints send null
      toolCalls: answer === undefined ? calls : calls.filter((call) => call.name !== FINAL_ANSWER),
      ...(response.reasoning === undefined ? {} : { reasoning: response.reasoning }),
      ...(answer === undefined ? {} : { answer }),
      finish: response.finish,
      usage: readUsage(response.usage),
    }
  },
})

function finalAnswer(calls: readonly ToolCall[], request: ModelRequest): Json | undefined {
  const call = calls.find((one) => one.name === FINAL_ANSWER)
  if (call === undefined || request.tools?.some((tool) => tool.name === FINAL_ANSWER) === true) return undefined
  try {
    const value = JSON.parse(call.arguments) as Json
    return typeof value === 'object' && value !== null && !Array.isArray(value) && 'answer' in value
      ? ((value as { answer: Json }).answer ?? null)
      : value
  } catch {
    return call.arguments
  }
}
