import type { Codec, Environment, Model, ModelRequest, ModelResponse, Tool, ToolCall } from '@harnesswright/core'
import { listJsonObjects } from '@harnesswright/plugin-manifest'
import { askModel } from '../ask-model.js'
import type { Spending } from '../spending.js'
import type { ModelProbe } from './model-probe.js'

/** What a model is probed with. */
export interface ProbeOptions {
  readonly env: Environment
  readonly spending: Spending
  readonly signal: AbortSignal | undefined
}

const PROBE_TIMEOUT_MS = 60_000
const PROBE_TOKENS = 1_024

const TOOL: Tool = {
  name: 'note_number',
  description: 'Writes a number down.',
  parameters: {
    type: 'object',
    properties: { number: { type: 'integer', description: 'The number.' } },
    required: ['number'],
    additionalProperties: false,
  },
  execute: () => 'noted',
}

const PLAN_SCHEMA = {
  title: 'plan',
  type: 'object',
  properties: {
    goals: {
      type: 'array',
      items: {
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
        additionalProperties: false,
      },
    },
  },
  required: ['goals'],
  additionalProperties: false,
} as const

/**
 * Asks a model three short things: a call of its own, a call in the codec json, and a plan as JSON. Each is one model call
 * that is counted; what a model has not is not asked for.
 *
 * @throws what the model throws: nothing is then known of it.
 */
export async function probeModel(model: Model, { env, spending, signal }: ProbeOptions): Promise<ModelProbe> {
  const ask = (request: ModelRequest): Promise<ModelResponse> =>
    askModel(request, { model, clock: env.clock, spending, timeoutMs: PROBE_TIMEOUT_MS, signal })
  const hasTools = model.supports.tools === true
  const codec = env.codecs.find(({ name }) => name === 'json')
  const asked = calling()
  const native = hasTools ? seen(await ask(asked), ({ toolCalls = [] }) => isRight(toolCalls)) : null
  const json = codec === undefined ? null : await followsCodec(codec, asked, ask)
  const plan = seen(await ask(planning(model)), ({ content }) => isPlan(content ?? ''))
  return Object.freeze({ model: model.id, hasTools, native, json, plan, version: 1 })
}

function calling(): ModelRequest {
  const content = 'Call the tool note_number with the number 7. Make that one call, and say nothing else.'
  return {
    purpose: 'probe',
    messages: [{ role: 'user', content }],
    tools: [TOOL],
    maxTokens: PROBE_TOKENS,
    temperature: 0,
  }
}

function planning({ supports }: Model): ModelRequest {
  const content =
    'Plan how to make a cup of tea, in two goals. Reply with JSON alone, of the form {"goals":[{"text":"…"},{"text":"…"}]}.'
  const shape = supports.jsonSchema === true ? { schema: PLAN_SCHEMA } : {}
  return { purpose: 'probe', messages: [{ role: 'user', content }], maxTokens: PROBE_TOKENS, temperature: 0, ...shape }
}

async function followsCodec(
  codec: Codec,
  asked: ModelRequest,
  ask: (request: ModelRequest) => Promise<ModelResponse>,
): Promise<boolean | null> {
  return seen(await ask(codec.encode(asked)), (response) => {
    const { toolCalls, malformed } = codec.decode(response, asked)
    return malformed === undefined && isRight(toolCalls)
  })
}

/** What a reply shows. One that was cut, as of a model that thinks at length, shows nothing. */
function seen(response: ModelResponse, follows: (response: ModelResponse) => boolean): boolean | null {
  const isRightThing = follows(response)
  return !isRightThing && response.finish === 'length' ? null : isRightThing
}

function isRight(calls: readonly ToolCall[]): boolean {
  return calls.some((call) => {
    if (call.name !== TOOL.name) return false
    try {
      return Number((JSON.parse(call.arguments) as { readonly number?: unknown } | null)?.number) === 7
    } catch {
      return false
    }
  })
}

function isPlan(content: string): boolean {
  return listJsonObjects(content.slice(0, 100_000)).some((found) => {
    const { goals } = found as { readonly goals?: unknown }
    return (
      Array.isArray(goals) &&
      goals.length > 0 &&
      goals.every((goal) => typeof (goal as { text?: unknown } | null)?.text === 'string')
    )
  })
}

/** A request that is as large as all of a probe: to see whether limits pay for it. */
export const PROBE_CALLS: ModelRequest = {
  purpose: 'probe',
  messages: [{ role: 'user', content: 'x'.repeat(6_000) }],
  maxTokens: 3 * PROBE_TOKENS,
}
