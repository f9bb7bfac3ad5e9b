import {
  type Codec,
  canonicalCalls,
  cleanMessage,
  codecFor,
  faultOf,
  freezeJson,
  type GenerateOptions,
  HarnessError,
  healMessages,
  isHarnessError,
  limitReached,
  type Message,
  type Model,
  type ModelCall,
  type ModelRequest,
  type ModelResponse,
  messageOf,
  type Reply,
  type Reservation,
  readUsage,
} from '@harnesswright/protocol'
import { keep } from './checkpoint.js'
import { type DeadlineOptions, withDeadline } from './deadline.js'
import type { RunState } from './run-state.js'
import type { LiveTurn } from './turn.js'

/** Default for the most tokens of a reply, where neither the request nor the model says. */
const DEFAULT_REPLY_TOKENS = 4_096

/** Name of the kernel where it makes a call itself. */
export const KERNEL = 'kernel'

/**
 * One metered model call, whoever makes it: hooks, bound, transport, usage, codec. An empty reply is asked for once more.
 *
 * @throws HarnessError `E_RUN_LIMIT`, `E_RUN_EMPTY_REPLY`, `E_RUN_ABORTED` or the model's own `E_MODEL_*`.
 */
export async function callModel(run: RunState, by: string, asked: ModelRequest): Promise<Reply> {
  const { modelRequest } = run.harness.hooks
  const whole = { ...asked, seed: run.seed, session: run.session }
  const shaped = modelRequest.taps.length === 0 ? whole : await modelRequest.promise(whole, run.turn)
  const request = withWireTools(run, { ...shaped, messages: sendable(run, by, shaped.messages) })
  const model = run.env.model(request.model)
  const reply = await attempt(run, by, model, request)
  return taken(run, isEmpty(reply) ? await again(run, by, model, request) : reply)
}

/** What the modules make of a reply. */
function taken(run: RunState, reply: Reply): Promise<Reply> | Reply {
  const { modelResponse } = run.harness.hooks
  return modelResponse.taps.length === 0 ? freezeJson(reply) : modelResponse.promise(reply, run.turn).then(freezeJson)
}

/** Asks once more for a reply that was empty. */
async function again(run: RunState, by: string, model: Model, request: ModelRequest): Promise<Reply> {
  const reply = await attempt(run, by, model, request)
  if (!isEmpty(reply)) return reply
  if (reply.reasoning === undefined || request.purpose !== 'act')
    throw new HarnessError('E_RUN_EMPTY_REPLY', { step: run.turn.step, details: { by, model: model.id } })
  run.warn(`the model "${model.id}" reasoned and said nothing: its reply is empty`)
  return reply
}

function isEmpty(reply: Reply): boolean {
  return (
    reply.content.trim() === '' &&
    reply.toolCalls.length === 0 &&
    reply.answer === undefined &&
    reply.malformed === undefined
  )
}

/** The messages, clean and valid: a fault is refused in strict mode, else healed, and named. */
function sendable(run: RunState, by: string, asked: readonly Message[]): readonly Message[] {
  const messages = asked.map((message) => cleanMessage(message, run.cleanMessages))
  const fault = faultOf(messages)
  if (fault === undefined) return messages
  const module = run.harness.mounts.find((mount) => mount.key === by)?.use ?? by
  if (run.env.strict) {
    throw new HarnessError('E_PROTOCOL_VIEW', {
      message: `A request of ${module} is no valid history: ${fault}.`,
      module,
      step: run.turn.step,
    })
  }
  run.emit(() => ({ type: 'healed', module, what: fault }))
  return healMessages(messages)
}

/** The tool list sent only grows within a run, so that the prompt cache holds; a module that narrows it says so. */
function withWireTools(run: RunState, request: ModelRequest): ModelRequest {
  const { tools } = request
  if (request.purpose !== 'act' || tools === undefined || tools.length === 0) return request
  if (run.harness.mounts.some((mount) => mount.module.breaksPrefix === true)) return request
  const before = run.wireTools.size
  for (const tool of tools) run.wireTools.set(tool.name, tool) // one that is known keeps its place
  if (run.wireTools.size > before) run.changed.add('wireTools')
  return { ...request, tools: [...run.wireTools.values()] }
}

/** A request under way. */
interface Attempt {
  readonly by: string
  readonly model: Model
  readonly request: ModelRequest
  /** The request in the words of its codec. */
  readonly encoded: ModelRequest
  readonly codec: Codec
  readonly bytes: number
  readonly reservation: Reservation
  readonly turn: LiveTurn
  /** Its place in the record of the step, and when it was made. */
  readonly place: number
  readonly at: number
}

async function attempt(run: RunState, by: string, model: Model, request: ModelRequest): Promise<Reply> {
  const made = begin(run, by, model, request)
  let response: ModelResponse
  try {
    response = await transport(run, made)
  } catch (error) {
    return failed(run, made, error)
  }
  return settle(run, made, decoded(run, made, response), response.queuedMs)
}

/** What cannot be read is a failure too. */
function decoded(run: RunState, made: Attempt, response: ModelResponse): Reply {
  try {
    return made.codec.decode(response, made.request)
  } catch (error) {
    return failed(run, made, error)
  }
}

/** Sets aside what the request may use. */
function begin(run: RunState, by: string, model: Model, request: ModelRequest): Attempt {
  const { env, meter, sizes, turn } = run
  if (run.leftMs() <= 0) throw limitReached('ms', 0, 1)
  const codec = codecFor(model, env.codecs, run.harness.manifest.codec)
  const encoded = codec.encode(request)
  const bytes = sizes.bytesOf(encoded)
  const reservation = meter.reserve({
    inputTokens: sizes.bound(encoded, model, bytes),
    outputTokens: request.maxTokens ?? model.maxOutputTokens ?? DEFAULT_REPLY_TOKENS,
    ...(model.price === undefined ? {} : { price: model.price }),
    useReserve: run.isFinishing,
  })
  run.emit(() => ({ type: 'model-start', purpose: request.purpose, by, model: model.id }))
  // The place in the record is taken now: the order of calls made at once does not depend on which is answered first.
  const place = turn.modelCalls.push(undefined) - 1
  return { by, model, request, encoded, codec, bytes, reservation, turn, place, at: env.clock.now() }
}

function failed(run: RunState, { by, model, request, reservation, at }: Attempt, error: unknown): never {
  run.meter.release(reservation)
  const failure = isHarnessError(error) ? error : transportError(error, model.id)
  const { code, message } = failure
  const ms = run.env.clock.now() - at
  const told = { purpose: request.purpose, by, usage: readUsage(), usd: null, ms, error: { code, message } }
  run.emit(() => ({ type: 'model-end', ...told }))
  throw failure
}

/** Charges what was used, and makes it durable. */
function settle(run: RunState, made: Attempt, reply: Reply, queuedMs = 0): Reply {
  const { by, model, request, reservation, turn, place, at } = made
  const usage = readUsage(reply.usage)
  if (run.sizes.learn(made.bytes, model, usage.inputTokens)) run.changed.add('tokensPerByte')
  const { usd, charged } = run.meter.settle(reservation, usage)
  const call: ModelCall = {
    purpose: request.purpose,
    by,
    model: model.id,
    usage,
    usd,
    ms: run.env.clock.now() - at,
    ...(queuedMs > 0 ? { queuedMs } : {}),
  }
  turn.modelCalls[place] = call
  const kept = keep(run, { call: { ...(turn.isOfStep && { place }), call, ...(charged && { charged }) } })
  kept?.catch(() => {}) // the next checkpoint fails too
  run.emit(() => ({ type: 'model-end', purpose: request.purpose, by, usage, usd, ms: call.ms }))
  return canonical(run, reply)
}

/** Sends the request, in what is left of the run's time; simulated time passes after it. */
function transport(
  run: RunState,
  { by, model, encoded, reservation }: Attempt,
): Promise<ModelResponse> | ModelResponse {
  const ms = run.leftMs()
  const deadline: DeadlineOptions<ModelResponse> = {
    ms,
    expired: () => limitReached('ms', 0, ms + 1),
    latencyOf: (response) => response.latencyMs,
  }
  const told: Omit<GenerateOptions, 'signal'> = {
    ...(run.events.isRead && model.supports.stream === true && { onDelta: deltaEmitter(run) }),
    onRetry: (retry) => run.emit(() => ({ type: 'retry', by, model: model.id, ...retry })),
    onWarning: (message) => run.warn(message),
  }
  return withDeadline(run, deadline, (signalOf) =>
    model.generate({ ...encoded, maxTokens: reservation.outputTokens }, { signal: signalOf(), ...told }),
  )
}

function deltaEmitter(run: RunState): (delta: { text?: string; reasoning?: string }) => void {
  return ({ text, reasoning }) => {
    if (!text && !reasoning) return // a piece of a call, or nothing
    run.emit(() => ({ type: 'model-delta', ...(text && { text }), ...(reasoning && { reasoning }) }))
  }
}

function transportError(error: unknown, model: string): HarnessError {
  return new HarnessError('E_MODEL_TRANSPORT', {
    message: `The model "${model}" failed: ${messageOf(error)}`,
    cause: error,
  })
}

function canonical(run: RunState, reply: Reply): Reply {
  return {
    ...reply,
    content: run.clean(reply.content),
    toolCalls: canonicalCalls(run, reply.toolCalls, reply.finish === 'length'),
    ...(reply.reasoning === undefined ? {} : { reasoning: run.clean(reply.reasoning) }),
  }
}
