import { expectThat } from '../trace.js'
import { isRecord, textOf, type WireCall, type WireMessage } from '../wire.js'
import { type Answered, ask, askStream, describeAnswer, type EndpointUnderTest, type Streamed } from './line.js'

/** What is said of an endpoint that does not claim what a row is about. */
export class NotClaimed extends Error {
  override readonly name = 'NotClaimed'
}

/** The tool that endpoints are asked to call. */
export const ADD: object = {
  type: 'function',
  function: {
    name: 'add',
    description: 'Adds two numbers.',
    parameters: {
      type: 'object',
      properties: { a: { type: 'number' }, b: { type: 'number' } },
      required: ['a', 'b'],
      additionalProperties: false,
    },
  },
}

export const PLEASE_ADD: readonly WireMessage[] = [
  { role: 'system', content: 'You calculate with the tool add, and never in your head.' },
  { role: 'user', content: 'Add 1 and 2: call the tool add with a = 1 and b = 2.' },
]

const PLEASE_ANSWER: readonly WireMessage[] = [
  { role: 'system', content: 'You answer in one word.' },
  { role: 'user', content: 'Say the word ready.' },
]

/** How a call is demanded, from the most exact to the least: not every endpoint takes every form. */
const DEMANDS: readonly object[] = [
  { tool_choice: { type: 'function', function: { name: 'add' } } },
  { tool_choice: 'required' },
  {},
]

/** What several rows ask of one endpoint, each asked once. */
export class EndpointSession {
  readonly endpoint: EndpointUnderTest
  readonly #kept: Map<string, Promise<unknown>> = new Map()

  constructor(endpoint: EndpointUnderTest) {
    this.endpoint = endpoint
  }

  /** Body of the plain request. */
  get plainBody(): { readonly model: string; readonly messages: readonly WireMessage[] } {
    return { model: this.endpoint.model, messages: PLEASE_ANSWER }
  }

  /** The answer to a plain request. */
  plain(): Promise<Answered> {
    return this.#once('plain', () => ask(this.endpoint, this.plainBody))
  }

  /** The same as a stream, with the usage at its end. */
  stream(): Promise<Streamed> {
    const body = { ...this.plainBody, stream_options: { include_usage: true } }
    return this.#once('stream', () => askStream(this.endpoint, body))
  }

  /** The answer to a request for a call, in the most exact form that is not refused. */
  call(): Promise<Answered> {
    return this.#once('call', () => this.#demand((body) => ask(this.endpoint, body)))
  }

  /** The same as a stream. */
  streamedCall(): Promise<Streamed> {
    return this.#once('streamed call', () => this.#demand((body) => askStream(this.endpoint, body)))
  }

  async #demand<T extends Answered>(send: (body: object) => Promise<T>): Promise<T> {
    const body = { model: this.endpoint.model, messages: PLEASE_ADD, tools: [ADD] }
    let answered: T | undefined
    for (const demand of DEMANDS) {
      answered = await send({ ...body, ...demand })
      if (answered.status !== 400 && answered.status !== 422) break
    }
    return answered as T // there are demands
  }

  #once<T>(name: string, work: () => Promise<T>): Promise<T> {
    const there = this.#kept.get(name) as Promise<T> | undefined
    if (there !== undefined) return there
    const made = work()
    this.#kept.set(name, made)
    return made
  }
}

/** The first choice of an answer that is none but 200. */
export function choiceOf(answered: Answered): Readonly<Record<string, unknown>> {
  expectThat(answered.status === 200, 'the status 200', describeAnswer(answered))
  const choices = isRecord(answered.value) ? answered.value['choices'] : undefined
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined
  expectThat(isRecord(first), 'a list of choices', describeAnswer(answered))
  return first
}

/** The message of an answer. */
export function messageOfAnswer(answered: Answered): WireMessage {
  const { message } = choiceOf(answered) as { readonly message?: unknown }
  expectThat(
    isRecord(message) && message['role'] === 'assistant',
    'a message of the assistant',
    describeAnswer(answered),
  )
  return message as WireMessage
}

/** The text of an answer, which must be one. */
export function textOfAnswer(answered: Answered): string {
  const text = textOf(messageOfAnswer(answered))
  expectThat(text.trim() !== '', 'a text as content', describeAnswer(answered))
  return text
}

/** The counts of a usage object: whole numbers from 1 up. */
export function expectUsage(usage: unknown): void {
  const { prompt_tokens: input, completion_tokens: output } = (usage ?? {}) as Readonly<Record<string, unknown>>
  const isCount = (count: unknown): boolean => Number.isInteger(count) && (count as number) > 0
  expectThat(
    isCount(input) && isCount(output),
    'whole numbers from 1 up as prompt_tokens and completion_tokens',
    `the usage ${JSON.stringify(usage ?? null)}`,
  )
}

/** A call of the tool, as an endpoint makes it. */
export function expectCall(calls: readonly WireCall[], answered: Answered): void {
  const [call] = calls
  expectThat(call !== undefined, 'a call of the tool add', describeAnswer(answered))
  expectThat(typeof call.id === 'string' && call.id !== '', 'an id of the call', JSON.stringify(call))
  expectThat(call.function?.name === 'add', 'the name add', JSON.stringify(call))
  const args = parseArguments(call)
  expectThat(args !== undefined, 'arguments that are the text of a JSON object', JSON.stringify(call))
  const hasBoth = typeof args['a'] === 'number' && typeof args['b'] === 'number'
  expectThat(hasBoth, 'the numbers a and b in the arguments', JSON.stringify(call))
}

function parseArguments({ function: called }: WireCall): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(called?.arguments ?? '')
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A refusal, in the shape that says what is wrong. */
export function expectRefusal(answered: Answered, statuses: readonly number[]): void {
  const { status, value } = answered
  expectThat(statuses.includes(status), `the status ${statuses.join(' or ')}`, describeAnswer(answered))
  const error = isRecord(value) ? value['error'] : undefined
  const isSaid = isRecord(error) && typeof error['message'] === 'string' && error['message'] !== ''
  expectThat(isSaid, 'an object error with a message', describeAnswer(answered))
}
