import { randomUUID } from 'node:crypto'
import type { Delta, GenerateOptions, ModelRequest, ModelResponse } from '@harnesswright/core'
import { Failure } from './failure/failure.js'
import type { OpenAiModelOptions } from './options.js'
import type { Preset } from './preset.js'
import { createThrottle } from './rate-limiter.js'
import { responseOf } from './response.js'
import { type CallBudget, type RetryRules, tryAgain } from './retry.js'
import type { WireDelta, WireReply } from './stream/reply.js'
import type { Client } from './transport/client.js'
import { exchange, type Line } from './transport/exchange.js'
import type { MessageDialect } from './wire/messages.js'
import { RequestWriter } from './wire/request-writer.js'
import type { ToolNames } from './wire/tool-names.js'
import { readUsage } from './wire/usage.js'

/** What a responder is made of. */
export interface ResponderOptions {
  readonly id: string
  readonly options: OpenAiModelOptions
  readonly preset: Preset & { readonly baseUrl: string }
  readonly client: Client
  readonly line: Line
  readonly redact: (text: string) => string
}

/** Answers one request within a budget. */
export type Respond = (request: ModelRequest, called: GenerateOptions, budget: CallBudget) => Promise<ModelResponse>

/** Makes what answers the requests of one model. */
export function createResponder(made: ResponderOptions): Respond {
  const { options, preset, client, line } = made
  const messages = messageDialect(options, preset)
  const writer = new RequestWriter({ model: options.model, preset, messages, extra: options.body ?? {} })
  const throttle = createThrottle(options, preset.baseUrl, line.clock)
  const rules = retryRules(made)
  let hasMadeCalls = false // native ones
  return async (request, called, budget) => {
    const { signal, onDelta } = called
    signal.throwIfAborted()
    const wire = writer.write(request, onDelta !== undefined)
    const sending = {
      client,
      body: wire.body,
      idempotencyKey: preset.idempotencyKey === true ? randomUUID() : undefined,
      signal,
      onDelta: onDelta === undefined ? undefined : deltaSink(onDelta, signal, wire.names),
    }
    let queuedMs = 0
    const attempt = async (): Promise<WireReply> => {
      if (throttle === undefined) return checkFinish(await exchange(line, sending))
      const ticket = await throttle.enter(wire.body, signal)
      queuedMs += ticket.queuedMs
      const reply = await exchange(line, sending)
      ticket.settle(readUsage(reply.usage))
      return checkFinish(reply)
    }
    const reply = await tryAgain(attempt, rules, { ...called, budget })
    if (reply.reasoningField !== undefined) writer.sendReasoningIn(reply.reasoningField)
    hasMadeCalls ||= reply.calls.length > 0
    const mayHoldCalls = preset.textCalls === true || !hasMadeCalls
    return responseOf(reply, { request, wire, mayHoldCalls, queuedMs, preset, onWarning: called.onWarning })
  }
}

/** How messages are written for an endpoint. */
export function messageDialect({ reasoning = 'auto' }: OpenAiModelOptions, preset: Preset): MessageDialect {
  const echo = { echo: 'all', strip: 'none', auto: preset.echo ?? 'calls' } as const
  return {
    emptyContent: preset.emptyContent ?? 'null',
    echo: echo[reasoning],
    reasoningField: preset.reasoningField ?? 'reasoning_content',
    needsReasoning: preset.needsReasoning === true,
  }
}

/** How requests to an endpoint are made again. */
export function retryRules({ id, options, line: { waits, clock }, redact }: ResponderOptions): RetryRules {
  return {
    model: id,
    clock,
    random: options.random ?? Math.random,
    silentRetries: waits.silentRetries,
    silentWaitMs: waits.idleMs / 4,
    redact,
  }
}

function deltaSink(onDelta: (delta: Delta) => void, signal: AbortSignal, names: ToolNames): (delta: WireDelta) => void {
  return (delta) => {
    if (signal.aborted) return // nobody waits for it any more
    const { call } = delta
    onDelta(call?.name === undefined ? delta : { call: { ...call, name: names.fromWire(call.name) } })
  }
}

/** Replies that say of themselves that they are none. */
function checkFinish(reply: WireReply): WireReply {
  const { finish, content, calls } = reply
  const isEmpty = content === '' && calls.length === 0
  if ((finish === 'content_filter' || finish === 'sensitive') && isEmpty)
    throw new Failure('E_MODEL_CONTENT_FILTER', { message: 'The endpoint filtered the reply' })
  if (finish === 'insufficient_system_resource')
    throw new Failure('E_MODEL_OVERLOADED', { message: 'The endpoint ran out of resources while it replied' })
  if (finish === 'network_error' || finish === 'error')
    throw new Failure('E_MODEL_TRANSPORT', { message: `The endpoint broke off its reply (${finish})` })
  return reply
}
