import { realTime } from '../clocks.js'
import { expectThat, nameOf } from '../trace.js'
import { isRecord, type WireCall } from '../wire.js'
import { ask, describeAnswer, type Streamed, send } from './line.js'
import {
  ADD,
  choiceOf,
  type EndpointSession,
  expectCall,
  expectRefusal,
  expectUsage,
  messageOfAnswer,
  NotClaimed,
  PLEASE_ADD,
  textOfAnswer,
} from './session.js'

/** Something that an endpoint must do for a harness. */
export interface EndpointCase {
  readonly id: string
  readonly sentence: string
  /** Throws `FaultMismatch` where it does not hold, and `NotClaimed` where the endpoint does not claim it. */
  check(session: EndpointSession): Promise<void>
}

const MOST_TOKENS = 16
/** Longest time from an abort to the end of what is aborted, in ms. */
const ABORT_MS = 2_000
const REFUSED = [400, 404, 422] as const

/** What an endpoint must do. The first row is the least: without it no other is asked. */
export const endpointCases: readonly EndpointCase[] = [
  {
    id: 'plain',
    sentence: 'A plain request is answered with a text and the reason why it ended.',
    check: async (session) => {
      const answered = await session.plain()
      textOfAnswer(answered)
      const { finish_reason: finish } = choiceOf(answered)
      expectThat(typeof finish === 'string' && finish !== '', 'a finish_reason', describeAnswer(answered))
    },
  },
  {
    id: 'usage',
    sentence: 'The answer says how many tokens it used.',
    check: async (session) => {
      const { value } = await session.plain()
      expectUsage(isRecord(value) ? value['usage'] : undefined)
    },
  },
  {
    id: 'max-tokens',
    sentence: 'A reply has no more tokens than the request allows.',
    check: checkMaxTokens,
  },
  {
    id: 'tool-call',
    sentence: 'A tool is called with an id, its name, and arguments that are the text of a JSON object.',
    check: async (session) => {
      const answered = await session.call()
      const { tool_calls: calls = [] } = messageOfAnswer(answered)
      expectCall(calls ?? [], answered)
    },
  },
  {
    id: 'tool-result',
    sentence: 'A history with a call and its result is taken, and answered.',
    check: async ({ endpoint }) => {
      const call: WireCall = { id: 'call_1', type: 'function', function: { name: 'add', arguments: '{"a":1,"b":2}' } }
      const messages = [
        ...PLEASE_ADD,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: '3' },
      ]
      textOfAnswer(await ask(endpoint, { model: endpoint.model, messages, tools: [ADD] }))
    },
  },
  {
    id: 'stream',
    sentence: 'A stream is server-sent events whose deltas are a text, and says why it ended.',
    check: async (session) => {
      const streamed = await session.stream()
      expectEvents(streamed)
      const text = deltasOf(streamed).map((delta) => delta['content'] ?? '')
      expectThat(text.join('').trim() !== '', 'deltas with a text', describeAnswer(streamed))
      const finishes = choicesOf(streamed).map((choice) => choice['finish_reason'])
      expectThat(
        finishes.some((finish) => typeof finish === 'string' && finish !== ''),
        'a finish_reason',
        describeAnswer(streamed),
      )
    },
  },
  {
    id: 'stream-usage',
    sentence: 'A stream says how many tokens it used, where stream_options ask for it.',
    check: async (session) => {
      const streamed = await session.stream()
      expectEvents(streamed)
      expectUsage(streamed.events.findLast((event) => isRecord(event['usage']))?.['usage'])
    },
  },
  {
    id: 'stream-tool-call',
    sentence: 'The pieces of a call in a stream make up one call.',
    check: async (session) => {
      const streamed = await session.streamedCall()
      expectEvents(streamed)
      expectCall(assemble(deltasOf(streamed)), streamed)
    },
  },
  {
    id: 'json-schema',
    sentence: 'A reply has the form of the JSON Schema that is asked for, where the endpoint takes one.',
    check: checkJsonSchema,
  },
  {
    id: 'unknown-model',
    sentence: 'A model that there is not is refused, with an error that says so.',
    check: async ({ endpoint, plainBody }) => {
      expectRefusal(await ask(endpoint, { ...plainBody, model: `${endpoint.model}-that-is-not-there` }), REFUSED)
    },
  },
  {
    id: 'bad-request',
    sentence: 'A request that means nothing is refused, with an error that says so.',
    check: async ({ endpoint }) => {
      expectRefusal(await ask(endpoint, { model: endpoint.model, messages: 'hello' }), REFUSED)
    },
  },
  {
    id: 'wrong-key',
    sentence: 'A wrong key is refused as one, where the endpoint asks for a key.',
    check: async ({ endpoint, plainBody }) => {
      const answered = await ask(endpoint, plainBody, { apiKey: 'a-key-that-is-none' })
      if (answered.status === 200) throw new NotClaimed('it takes any key')
      expectRefusal(answered, [401, 403])
    },
  },
  {
    id: 'abort',
    sentence: 'A stream that is aborted ends at once, and the next request is answered.',
    check: checkAbort,
  },
]

async function checkMaxTokens({ endpoint, plainBody }: EndpointSession): Promise<void> {
  const messages = [{ role: 'user', content: 'Count from 1 to 200, one number a line.' }]
  let answered = await ask(endpoint, { ...plainBody, messages, max_tokens: MOST_TOKENS })
  // Some models take the other name alone.
  if (answered.status === 400)
    answered = await ask(endpoint, { ...plainBody, messages, max_completion_tokens: MOST_TOKENS })
  const { finish_reason: finish } = choiceOf(answered)
  expectThat(finish === 'length', 'the finish_reason length', describeAnswer(answered))
  const usage = isRecord(answered.value) ? answered.value['usage'] : undefined
  const used = isRecord(usage) ? usage['completion_tokens'] : undefined
  if (typeof used !== 'number') return
  expectThat(used <= MOST_TOKENS, `at most ${MOST_TOKENS} completion_tokens`, `${used}`)
}

async function checkJsonSchema({ endpoint, plainBody }: EndpointSession): Promise<void> {
  const schema = {
    type: 'object',
    properties: { days: { type: 'integer' } },
    required: ['days'],
    additionalProperties: false,
  }
  const answered = await ask(endpoint, {
    ...plainBody,
    messages: [{ role: 'user', content: 'How many days has a week? Answer as JSON: {"days": number}.' }],
    response_format: { type: 'json_schema', json_schema: { name: 'week', strict: true, schema } },
  })
  if (answered.status === 400 || answered.status === 422)
    throw new NotClaimed(`it refuses a JSON Schema (${describeAnswer(answered)})`)
  const text = textOfAnswer(answered)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  const isWeek = isRecord(value) && Number.isInteger(value['days']) && Object.keys(value).length === 1
  expectThat(isWeek, 'JSON with the whole number days and nothing else', `the text ${JSON.stringify(text)}`)
}

async function checkAbort({ endpoint, plainBody }: EndpointSession): Promise<void> {
  const abort = new AbortController()
  const body = { ...plainBody, messages: [{ role: 'user', content: 'Count from 1 to 200, one number a line.' }] }
  const response = await send(endpoint, { ...body, stream: true }, { signal: abort.signal })
  const reader = response.body?.getReader()
  const { value: first } = (await reader?.read()) ?? {}
  expectThat(first !== undefined, 'a first piece of the stream', `${response.status}, and no body`)
  abort.abort()
  const rest = async (): Promise<string> => {
    while ((await reader?.read())?.done !== true);
    return 'the end of the stream'
  }
  const end = await Promise.race([
    rest().catch((error: unknown) => nameOf(error)),
    realTime(ABORT_MS).then(() => undefined),
  ])
  expectThat(end !== undefined, `an end within ${ABORT_MS} ms of the abort`, 'a stream that goes on')
  textOfAnswer(await ask(endpoint, plainBody))
}

/** A stream that is one. */
function expectEvents(streamed: Streamed): void {
  const { status, contentType, unreadable } = streamed
  expectThat(status === 200, 'the status 200', describeAnswer(streamed))
  expectThat(contentType.startsWith('text/event-stream'), 'the type text/event-stream', contentType || 'no type')
  expectThat(unreadable.length === 0, 'events that are JSON objects', `the event ${unreadable[0]}`)
}

function choicesOf({ events }: Streamed): readonly Readonly<Record<string, unknown>>[] {
  return events.flatMap(({ choices }) => (Array.isArray(choices) ? choices.filter(isRecord) : []))
}

function deltasOf(streamed: Streamed): readonly Readonly<Record<string, unknown>>[] {
  return choicesOf(streamed).flatMap(({ delta }) => (isRecord(delta) ? [delta] : []))
}

/** The calls whose pieces are in deltas, by their index. */
function assemble(deltas: readonly Readonly<Record<string, unknown>>[]): readonly WireCall[] {
  const calls = new Map<number, WireCall>()
  for (const piece of deltas.flatMap(({ tool_calls: pieces }) =>
    Array.isArray(pieces) ? pieces.filter(isRecord) : [],
  )) {
    const { index = 0, id, function: part = {} } = piece as WireCall
    const before = calls.get(index)
    const name = before?.function?.name ?? part.name
    calls.set(index, {
      ...before,
      ...(id === undefined ? {} : { id }),
      function: {
        ...(name === undefined ? {} : { name }),
        arguments: `${before?.function?.arguments ?? ''}${part.arguments ?? ''}`,
      },
    })
  }
  return [...calls.values()]
}
