import type { Json } from '@harnesswright/protocol'
import type { FaultMode, FaultOutcome, FaultTrait } from './case.js'
import type { FaultRequest } from './server.js'
import { isRecord, parseJson, textOf, type WireCall, type WireMessage } from './wire.js'

/** One call of a tool, as it was made. */
export interface ToolRun {
  readonly args: { readonly [name: string]: Json }
  /** It has given its result, or thrown. */
  isFinished: boolean
}

/** What was seen of one run. */
export interface FaultTrace {
  readonly mode: FaultMode
  readonly traits: ReadonlySet<FaultTrait>
  readonly requests: readonly FaultRequest[]
  readonly toolRuns: readonly ToolRun[]
  /** Absent where it threw or did not end. */
  readonly outcome?: FaultOutcome
  /** What it threw. */
  readonly error?: unknown
  /** Real time of the run in ms. */
  readonly ms: number
  /** Real time from the first request to the end in ms. */
  readonly waitedMs: number
  /** Real time from the abort to the end in ms, where the run was aborted. */
  readonly settledMs?: number
  /** Longest time that may be, in ms. */
  readonly settleMs: number
  /** Requests whose lines were still open a moment after the run. */
  readonly openRequests: number
  readonly warnings: readonly string[]
  /** What the scene noted. */
  readonly notes: ReadonlyMap<string, unknown>
  /** What could not be asserted, and why. */
  readonly unchecked: string[]
}

/** A row that is not met. */
export class FaultMismatch extends Error {
  override readonly name = 'FaultMismatch'
  readonly expected: string
  readonly found: string

  constructor(expected: string, found: string) {
    super(`expected: ${expected}; found: ${found}`)
    this.expected = expected
    this.found = found
  }
}

/** Fails the row when the condition does not hold. */
export function expectThat(holds: boolean, expected: string, found: string): asserts holds {
  if (!holds) throw new FaultMismatch(expected, found)
}

/** The answer of the last reply in most scripts. */
export const DONE = 'done: 42'

/** The run ended with the answer of the script. */
export function expectAnswer(trace: FaultTrace, text: string = DONE): void {
  const isAnswered = trace.outcome?.text?.includes(text) === true
  expectThat(isAnswered, `the answer ${JSON.stringify(text)}`, describeEnd(trace))
}

/** The run did not end with an answer. */
export function expectNoAnswer(trace: FaultTrace, expected: string): void {
  const { outcome, error } = trace
  const hasEnded = outcome !== undefined || error !== undefined
  const isAnswered = outcome?.status === 'answered' || (outcome?.text ?? '').trim() !== ''
  expectThat(hasEnded && !isAnswered, expected, describeEnd(trace))
}

/** The run ended for a reason, as far as it tells its reasons. */
export function expectReason(trace: FaultTrace, reason: string): void {
  expectThat(trace.outcome !== undefined || trace.error !== undefined, 'an end of the run', describeEnd(trace))
  if (!isTold(trace, 'reason', `that the reason is ${reason}`)) return
  expectThat(trace.outcome?.reason === reason, `an end with the reason ${reason}`, describeEnd(trace))
}

/** At least one warning was given, as far as they are told. */
export function expectWarning(trace: FaultTrace, about: string): void {
  if (!isTold(trace, 'warnings', `that there is a warning of ${about}`)) return
  expectThat(trace.warnings.length > 0, `a warning of ${about}`, 'no warning')
}

/** So many requests were made. */
export function expectRequests(trace: FaultTrace, least: number, most: number = least): void {
  const { length } = trace.requests
  const range = least === most ? `${least}` : least === 0 ? `at most ${most}` : `${least} to ${most}`
  expectThat(length >= least && length <= most, `${range} requests`, `${length} requests; ${describeEnd(trace)}`)
}

/** The tool was called with these arguments, in this order; the order of calls that may be made at once is not looked at. */
export function expectToolRuns(trace: FaultTrace, expected: readonly { readonly [name: string]: Json }[]): void {
  const texts = (runs: readonly { readonly [name: string]: Json }[]): string =>
    runs.length === 0
      ? 'none'
      : runs
          .map((args) => JSON.stringify(args))
          .sort()
          .join(', ')
  const made = trace.toolRuns.map(({ args }) => args)
  expectThat(
    texts(made) === texts(expected),
    `calls of the tool: ${texts(expected)}`,
    `calls of the tool: ${clip(texts(made))}`,
  )
}

/** Whether a subject has a trait; if not, what cannot be asserted is kept. */
export function isTold(trace: FaultTrace, trait: FaultTrait, what: string): boolean {
  if (trace.traits.has(trait)) return true
  trace.unchecked.push(`${what}: the subject does not have the trait "${trait}"`)
  return false
}

/** A request of the run. */
export function requestAt(trace: FaultTrace, index: number): FaultRequest {
  const request = trace.requests[index]
  expectThat(
    request !== undefined,
    `at least ${index + 1} requests`,
    `${trace.requests.length} requests; ${describeEnd(trace)}`,
  )
  return request
}

/** A call with its result, as a request sends them back. */
export interface Exchange {
  readonly id: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly result: string
}

/**
 * The calls of a request with their results, in the order of the results. Every call must have an id of its own, arguments
 * that are a JSON object, and one result right after the message that makes it: endpoints refuse anything else.
 */
export function exchangesOf(trace: FaultTrace, index: number = 1): readonly Exchange[] {
  const { messages } = requestAt(trace, index).body
  const where = `in request ${index + 1}`
  const exchanges = messages.flatMap((message, at) => {
    const calls = callsOf(message)
    if (calls.length === 0) return []
    const results = messages.slice(at + 1, at + 1 + calls.length)
    return pair(calls, results, where)
  })
  const ids = exchanges.map(({ id }) => id)
  expectThat(new Set(ids).size === ids.length, `ids that differ ${where}`, `the ids ${ids.join(', ')}`)
  const results = messages.filter(({ role }) => role === 'tool').length
  expectThat(
    results === exchanges.length,
    `one result for each call ${where}`,
    `${exchanges.length} calls and ${results} results`,
  )
  return exchanges
}

/** The calls of a message; none where it is of another role or has no list of them. */
function callsOf({ role, tool_calls: calls }: WireMessage): readonly WireCall[] {
  return role === 'assistant' && Array.isArray(calls) ? calls.filter(isRecord) : []
}

function pair(calls: readonly WireCall[], results: readonly WireMessage[], where: string): readonly Exchange[] {
  const byId = new Map(calls.map((call) => [call.id ?? '', call]))
  expectThat(!byId.has(''), `an id of every call ${where}`, 'a call without one')
  expectThat(byId.size === calls.length, `ids that differ ${where}`, `the ids ${calls.map(({ id }) => id).join(', ')}`)
  const exchanges = results.map((message): Exchange => {
    const id = message.tool_call_id ?? ''
    const call = message.role === 'tool' ? byId.get(id) : undefined
    byId.delete(id)
    expectThat(call !== undefined, `results right after their calls ${where}`, describeMessage(message))
    const text = call.function?.arguments ?? ''
    const args = parseJson(text)
    expectThat(
      isRecord(args),
      `arguments that are a JSON object, as endpoints refuse others, ${where}`,
      `the arguments ${clip(JSON.stringify(text))}`,
    )
    return { id, name: call.function?.name ?? '', args, result: textOf(message) }
  })
  expectThat(byId.size === 0, `a result of every call ${where}`, `none of ${[...byId.keys()].join(', ')}`)
  return exchanges
}

/** The only exchange of a request. */
export function onlyExchange(trace: FaultTrace, index: number = 1): Exchange {
  const exchanges = exchangesOf(trace, index)
  const [first] = exchanges
  expectThat(
    exchanges.length === 1 && first !== undefined,
    `one call with its result in request ${index + 1}`,
    `${exchanges.length} calls with results`,
  )
  return first
}

/** How a run ended, in a few words. */
export function describeEnd({ outcome, error, ms }: FaultTrace): string {
  if (error !== undefined) return `it threw ${clip(nameOf(error))}`
  if (outcome === undefined) return `it had not ended after ${Math.round(ms)} ms`
  const { text, status, reason } = outcome
  const how = [status, reason === undefined ? undefined : `reason ${reason}`].filter((part) => part !== undefined)
  const end = how.length === 0 ? 'it ended' : `it ended as ${how.join(', ')}`
  return `${end} with ${text === null ? 'no answer' : `the answer ${clip(JSON.stringify(text))}`}`
}

function describeMessage({ role, content }: WireMessage): string {
  return `a message of the role ${role ?? 'none'}: ${clip(JSON.stringify(content ?? null))}`
}

/** Name, code and message of whatever was thrown. */
export function nameOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const { code } = thrown as { readonly code?: unknown }
  return `${typeof code === 'string' ? code : thrown.name}: ${thrown.message}`
}

/** A text that fits into a line. */
export function clip(text: string, most: number = 200): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`
}
