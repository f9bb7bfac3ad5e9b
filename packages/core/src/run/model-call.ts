import {
  cleanMessage,
  codecFor,
  faultOf,
  freezeJson,
  type GenerateOptions,
  HarnessError,
  healMessages,
  isHarnessError,
  type Message,
  type Model,
  type ModelCall,
  type ModelRequest,
  type ModelResponse,
  messageOf,
  type Reply,
  readUsage,
} from '@harnesswright/protocol'
import { canonicalCalls } from '../tools/call-text.js'
import { keep } from './checkpoint.js'
import { withDeadline } from './deadline.js'
import { limitReached } from './meter.js'
import type { RunState } from './run-state.js'

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
  const { hooks } = run.harness
  const shaped = await hooks.modelRequest.promise({ ...asked, seed: run.seed, session: run.session }, run.turn)
  const request = withWireTools(run, { ...shaped, messages: sendable(run, by, shaped.messages) })
  const model = run.env.model(request.model)
  let reply = await attempt(run, by, model, request)
  if (isEmpty(reply)) reply = await attempt(run, by, model, request)
  if (isEmpty(reply) && (reply.reasoning === undefined || request.purpose !== 'act'))
    throw new HarnessError('E_RUN_EMPTY_REPLY', { step: run.turn.step, details: { by, model: model.id } })
  if (isEmpty(reply)) run.warn(`the model "${model.id}" reasoned and said nothing: its reply is empty`)
  return freezeJson(await hooks.modelResponse.promise(reply, run.turn))
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
  const messages = asked.map(cleanMessage)
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
  for (const tool of tools) run.wireTools.set(tool.name, tool) // one that is known keeps its place
  return { ...request, tools: [...run.wireTools.values()] }
}

async function attempt(run: RunState, by: string, model: Model, request: ModelRequest): Promise<Reply> {
  const { env, meter, sizes } = run
  if (run.leftMs() <= 0) throw limitReached('ms', 0, 1)
  const codec = codecFor(model, env.codecs, run.harness.manifest.codec)
  const encoded = codec.encode(request)
  const reservation = meter.reserve({
    inputTokens: sizes.bound(encoded, model),
    outputTokens: request.maxTokens ?? model.maxOutputTokens ?? DEFAULT_REPLY_TOKENS,
    ...(model.price === undefined ? {} : { price: model.price }),
    useReserve: run.isFinishing,
  })
  run.emit(() => ({ type: 'model-start', purpose: request.purpose, by, model: model.id }))
  // The place in the record is taken now: the order of calls made at once does not depend on which is answered first.
  const { modelCalls } = run.turn
  const place = modelCalls.push(undefined) - 1
  const at = env.clock.now()
  let reply: Reply
  let queuedMs: number
  try {
    const sent = { ...encoded, maxTokens: reservation.outputTokens }
    const response = await transport(run, by, model, sent)
    queuedMs = response.queuedMs ?? 0
    reply = codec.decode(response, request) // what cannot be read is a failure too
  } catch (error) {
    meter.release(reservation)
    const failure = isHarnessError(error) ? error : transportError(error, model.id)
    const { code, message } = failure
    const ms = env.clock.now() - at
    const told = { purpose: request.purpose, by, usage: readUsage(), usd: null, ms, error: { code, message } }
    run.emit(() => ({ type: 'model-end', ...told }))
    throw failure
  }
  const usage = readUsage(reply.usage)
  sizes.learn(encoded, model, usage.inputTokens)
  const { usd, charged } = meter.settle(reservation, usage)
  const call: ModelCall = {
    purpose: request.purpose,
    by,
    model: model.id,
    usage,
    usd,
    ms: env.clock.now() - at,
    ...(queuedMs > 0 ? { queuedMs } : {}),
  }
  modelCalls[place] = call
  keep(run, { call: { ...(run.turn.isOfStep && { place }), call, ...(charged && { charged }) } }).catch(() => {}) // the next checkpoint fails too
  run.emit(() => ({ type: 'model-end', purpose: request.purpose, by, usage, usd, ms: call.ms }))
  return canonical(run, reply)
}

/** Sends the request, in what is left of the run's time; simulated time passes after it. */
async function transport(run: RunState, by: string, model: Model, request: ModelRequest): Promise<ModelResponse> {
  const onDelta = run.events.isRead && model.supports.stream === true ? { onDelta: deltaEmitter(run) } : {}
  const told: Omit<GenerateOptions, 'signal'> = {
    ...onDelta,
    onRetry: (retry) => run.emit(() => ({ type: 'retry', by, model: model.id, ...retry })),
    onWarning: (message) => run.warn(message),
  }
  const ms = run.leftMs()
  return await withDeadline(
    run,
    { ms, expired: () => limitReached('ms', 0, ms + 1), latencyOf: (response) => response.latencyMs },
    (signal) => model.generate(request, { signal, ...told }),
  )
}

function deltaEmitter(run: RunState): (delta: { text?: string; reasoning?: string }) => void {
  return ({ text, reasoning }) =>
    run.emit(() => ({
      type: 'model-delta',
      ...(text === undefined ? {} : { text }),
      ...(reasoning === undefined ? {} : { reasoning }),
    }))
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
