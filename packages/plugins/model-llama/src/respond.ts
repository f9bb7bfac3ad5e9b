import {
  type Delta,
  type GenerateOptions,
  HarnessError,
  type ModelRequest,
  type ModelResponse,
} from '@harnesswright/core'
import type { Checked } from './check-options.js'
import type { Completion } from './engine/complete.js'
import type { Engine } from './engine/engine.js'
import type { EngineHolder } from './engine/engine-holder.js'
import { writeGbnf } from './grammar/write-gbnf.js'
import { promptOf } from './prompt/prompt.js'
import { type CallsBegin, createReplyReader, type ReadReply } from './reply/read-reply.js'
import { callableTools, replyGrammar } from './reply/reply-grammar.js'
import { createSchemaCheck, type SchemaCheck } from './reply/schema-check.js'

/** Tokens that must be left for a reply, or fewer where fewer are asked for. */
const LEAST_REPLY = 64

/** Answers one request, alone. */
export type Respond = (request: ModelRequest, called: GenerateOptions) => Promise<ModelResponse>

/** Makes what answers the requests of one model. */
export function createResponder(checked: Checked, holder: EngineHolder): Respond {
  const check = createSchemaCheck()
  return async (request, called) => {
    const grammar = replyGrammar(request)
    const gbnf = grammar === undefined ? undefined : writeGbnf(grammar)
    return await holder.use(called.signal, (engine) => respond({ engine, checked, check }, request, called, gbnf))
  }
}

interface Made {
  readonly engine: Engine
  readonly checked: Checked
  readonly check: SchemaCheck
}

async function respond(
  { engine, checked, check }: Made,
  request: ModelRequest,
  called: GenerateOptions,
  grammar: string | undefined,
): Promise<ModelResponse> {
  const { clock, sampling } = checked
  const tokens = engine.tokenize(promptOf(request))
  const reader = createReplyReader(callsBegin(request), deltaSink(called))
  const beganAt = clock.now()
  let readAt = beganAt
  const completion = await engine.complete({
    tokens,
    grammar,
    sampling: { ...sampling, temperature: request.temperature ?? sampling.temperature },
    seed: request.seed ?? checked.seed,
    maxTokens: replyRoom(tokens.length, request, checked),
    stops: request.stop ?? [],
    signal: called.signal,
    onText: reader.push,
    onRead: () => {
      readAt = clock.now()
    },
  })
  const reply = reader.end()
  const warnings = [
    ...pictureWarnings(request),
    ...callWarnings(reply),
    ...(await schemaWarnings(request, reply, completion, check)),
  ]
  for (const warning of warnings) called.onWarning?.(warning)
  return {
    ...responseOf(reply, completion, tokens.length),
    metadata: {
      promptMs: readAt - beganAt,
      replyMs: clock.now() - readAt,
      ...(warnings.length === 0 ? {} : { warnings }),
    },
  }
}

/** Most tokens of the reply that the window has room for. */
function replyRoom(
  inputTokens: number,
  { maxTokens }: ModelRequest,
  { id, contextTokens, maxOutputTokens }: Checked,
): number {
  const asked = Math.max(1, maxTokens ?? maxOutputTokens)
  const room = contextTokens - inputTokens
  if (room >= Math.min(asked, LEAST_REPLY)) return Math.min(asked, room)
  throw new HarnessError('E_MODEL_CONTEXT_OVERFLOW', {
    message: `The request has ${inputTokens} tokens; the context window of ${id} holds ${contextTokens}, the reply among them.`,
    details: { inputTokens, contextWindow: contextTokens },
  })
}

/** Where a reply can begin to call: with a schema or a demand it is a call from its first character, or none. */
function callsBegin(request: ModelRequest): CallsBegin {
  if (callableTools(request).length === 0) return 'nowhere'
  const isDemand = request.choice === 'required' || typeof request.choice === 'object'
  return request.schema !== undefined || isDemand ? 'at-start' : 'anywhere'
}

function deltaSink({ onDelta, signal }: GenerateOptions): ((delta: Delta) => void) | undefined {
  if (onDelta === undefined) return undefined
  return (delta) => {
    if (!signal.aborted) onDelta(delta) // nobody waits for it any more
  }
}

function responseOf({ content, calls }: ReadReply, completion: Completion, inputTokens: number): ModelResponse {
  const { isCut, outputTokens, cachedTokens } = completion
  return {
    content,
    ...(calls.length === 0 ? {} : { toolCalls: calls.map((call, index) => ({ ...call, id: `call_${index + 1}` })) }),
    finish: isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop',
    usage: { inputTokens, cachedTokens, outputTokens, reasoningTokens: 0, source: 'known' },
  }
}

function pictureWarnings({ messages }: ModelRequest): readonly string[] {
  const hasPicture = messages.some(
    ({ content }) => typeof content !== 'string' && content.some((part) => part.type === 'image'),
  )
  return hasPicture ? ['The request shows pictures, which the model does not see.'] : []
}

function callWarnings({ isCallLeftOut }: ReadReply): readonly string[] {
  return isCallLeftOut ? ['The reply was cut in a call, which was left out; the calls before it are whole.'] : []
}

/** A grammar cannot say all that a schema says. */
async function schemaWarnings(
  { schema }: ModelRequest,
  { content, calls }: ReadReply,
  { isCut }: Completion,
  check: SchemaCheck,
): Promise<readonly string[]> {
  if (schema === undefined || calls.length > 0) return []
  if (isCut) return ['The reply was cut, and is no whole value of its schema.']
  const fault = await check(schema, content)
  return fault === undefined ? [] : [`The reply does not fit its schema: ${fault}.`]
}
