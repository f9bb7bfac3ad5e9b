import { type GenerateOptions, HarnessError, type ModelRequest, type ModelResponse } from '@harnesswright/core'
import { type Bill, billReply } from './bill.js'
import { createDice, hashText, mixHashes } from './dice.js'
import { createMeter } from './measure.js'
import { makeMind } from './mind.js'
import { MECHANICS, type SimParameters } from './profiles.js'
import { purposeOf } from './purpose.js'
import { readers } from './readers/index.js'
import { draftReply, refuseComposing } from './respond.js'
import { createSessions } from './session.js'
import { lookAt } from './sight.js'
import { createTextReader } from './text-reading.js'

/** Simulated time of a request that the endpoint refuses, in ms. */
const REFUSAL_MS = 150

/** Pieces in which a reply is streamed. */
const DELTAS = 3

/** What an engine simulates: one model, and the seed of its luck. */
export interface EngineOptions {
  readonly id: string
  readonly profile: SimParameters
  readonly seed: number
}

/** Answers requests as the profile would. It keeps texts it has read, and of each session the last request. */
export function createEngine({
  id,
  profile,
  seed,
}: EngineOptions): (request: ModelRequest, options: GenerateOptions) => ModelResponse {
  const texts = createTextReader(readers)
  const measureRequest = createMeter(texts)
  const sessions = createSessions()
  return (request, { signal, onDelta }) => {
    signal.throwIfAborted()
    const purpose = purposeOf(request)
    refuseComposing(purpose)
    const measure = measureRequest(request)
    if (measure.tokens > profile.windowTokens) throw overflow(id, measure.tokens, profile.windowTokens)
    const sight = lookAt(request, measure, { texts, windowTokens: profile.windowTokens })
    const run = mixHashes(seed, request.seed ?? 0)
    const contents = mixHashes(mixHashes(run, hashText(purpose.label)), measure.contents)
    const { cachedTokens, repeats } = sessions.enter(request.session, measure, contents)
    const digest = mixHashes(contents, repeats)
    const draft = draftReply(request, purpose, makeMind(sight, profile, createDice(run, digest)))
    const bill = billReply(draft, {
      profile,
      purpose: purpose.label,
      inputTokens: measure.tokens,
      cachedTokens,
      maxTokens: Math.min(request.maxTokens ?? MECHANICS.outputTokens, MECHANICS.outputTokens),
      callPrefix: `s${digest.toString(36)}`,
    })
    if (onDelta !== undefined) stream(bill, onDelta)
    const { unfilled } = draft
    return {
      ...bill,
      metadata: { purpose: purpose.label, world: sight.reader.name, ...(unfilled.length > 0 ? { unfilled } : {}) },
    }
  }
}

function overflow(id: string, tokens: number, windowTokens: number): HarnessError {
  return new HarnessError('E_MODEL_CONTEXT_OVERFLOW', {
    message: `The request has ${tokens} tokens; the context window of ${id} holds ${windowTokens}.`,
    details: { tokens, windowTokens, latencyMs: REFUSAL_MS },
  })
}

function stream({ content, toolCalls }: Bill, onDelta: NonNullable<GenerateOptions['onDelta']>): void {
  const size = Math.max(1, Math.ceil(content.length / DELTAS))
  for (let from = 0; from < content.length; from += size) onDelta({ text: content.slice(from, from + size) })
  for (const [index, call] of toolCalls.entries())
    onDelta({ call: { index, name: call.name, arguments: call.arguments } })
}
