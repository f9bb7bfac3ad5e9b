import type { Clock, Model, ModelResponse, ToolCall } from '@harnesswright/core'
import { type FaultMode, faultCases, runFaultCase } from '@harnesswright/core/testkit'
import { beforeAll, describe, expect, test } from 'vitest'
import { HARNESS_SETTLE_MS, HARNESS_TRAITS } from '../src/conformance/harness-subject.js'
import {
  type AnyBody,
  inMessages,
  type Spoil,
  spoiledHarness,
  withArguments,
  withCalls,
  withTool,
} from './support/spoiled-harness.js'

/** A harness that lacks one thing, the row that must say so, and what it says. */
interface Mutation {
  readonly row: string
  /** Scene of the row. Default: its only one. */
  readonly scene?: string
  readonly lacks: string
  readonly spoil: Spoil
  /** What the row expected and found. */
  readonly says: readonly [expected: RegExp, found: RegExp]
  /** Default: `plain`, where the row has it. */
  readonly mode?: FaultMode
}

const sent = (change: (message: AnyBody) => void): Spoil => ({ sends: inMessages('tool', change) })
const called = (change: (call: AnyBody) => void): Spoil => ({
  sends: inMessages('assistant', ({ tool_calls: calls = [] }) => calls.forEach(change)),
})
const text = (change: (response: ModelResponse) => string): NonNullable<Spoil['says']> => {
  return (response) => ({ ...response, content: change(response) })
}

/** Takes every marker in a text for a call, wherever it stands. */
const eager = withCalls((calls, { content }): readonly ToolCall[] => [
  ...calls,
  ...Array.from(content.matchAll(/<tool_call>(.*?)<\/tool_call>/g), ([, body = '']): ToolCall => {
    return { id: '', name: 'add', arguments: JSON.stringify(JSON.parse(body).arguments) }
  }),
])

const refused = (status: number, message: string) => async (): Promise<Response> =>
  new Response(JSON.stringify({ error: { message, type: 'error' } }), { status })

const noWarnings: Spoil = { setup: (setup) => ({ ...setup, onWarning: () => {} }) }

/** Asks again until there is something to read, ten times. */
const insistent = (model: Model): Model => ({
  ...model,
  async generate(...asked) {
    let response = await model.generate(...asked)
    for (let left = 10; left > 0 && response.content === '' && response.toolCalls === undefined; left--)
      response = await model.generate(...asked)
    return response
  },
})

/** Reads what is left of a broken body as if it were whole. */
async function credulous(response: Response): Promise<Response> {
  const decoder = new TextDecoder()
  let read = ''
  try {
    for await (const piece of response.body ?? []) read += decoder.decode(piece, { stream: true })
  } catch {
    read += 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
  }
  return new Response(read, { headers: { 'content-type': 'text/event-stream' } })
}

/** Decodes each piece of a body for itself. */
async function piecewise(response: Response): Promise<Response> {
  let read = ''
  for await (const piece of response.body ?? []) read += new TextDecoder().decode(piece)
  return new Response(read, { headers: { 'content-type': 'text/event-stream' } })
}

const NO_CALLS = /calls of the tool: none/
const sleepFor = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const MUTATIONS: readonly Mutation[] = [
  {
    row: 'ok',
    lacks: 'the result of a call in its next request',
    spoil: {
      sends: (body) => {
        body.messages = body.messages.filter((message: AnyBody) => message.role !== 'tool')
      },
    },
    says: [/a result of every call in request 2/, /none of c1/],
  },
  {
    row: 'ok',
    lacks: 'the right arguments in its next request',
    spoil: called((call) => {
      call.function.arguments = '{"a":2,"b":1}'
    }),
    says: [/the arguments \{"a":1,"b":2\}/, /\{"a":2,"b":1\}/],
  },
  {
    row: 'unknown-tool',
    lacks: 'restraint: it guesses which tool is meant',
    spoil: { says: withCalls((calls) => calls.map((call) => ({ ...call, name: 'add' }))) },
    says: [NO_CALLS, /calls of the tool: \{"a":1,"b":2\}/],
  },
  {
    row: 'unknown-tool',
    lacks: 'the names of the tools that there are',
    spoil: sent((message) => {
      message.content = 'error: no such tool'
    }),
    says: [/which tools there are/, /no such tool/],
  },
  {
    row: 'stop-with-calls',
    lacks: 'calls of a reply that says stop',
    spoil: {
      says: (response) => (response.finish === 'stop' ? { ...response, content: 'done: 42', toolCalls: [] } : response),
    },
    says: [/calls of the tool: \{"a":1,"b":2\}/, NO_CALLS],
  },
  {
    row: 'dup-ids',
    lacks: 'ids that differ',
    spoil: called((call) => {
      call.id = 'same'
    }),
    says: [/ids that differ in request 2/, /same, same/],
  },
  {
    row: 'dup-ids',
    lacks: 'the second call of an id',
    spoil: { says: withCalls((calls) => calls.slice(0, 1)) },
    says: [/\{"a":1,"b":2\}, \{"a":3,"b":4\}/, /calls of the tool: \{"a":1,"b":2\}$/],
  },
  {
    row: 'missing-id',
    lacks: 'an id for a call that has none',
    spoil: called((call) => {
      delete call.id
    }),
    says: [/an id of every call/, /a call without one/],
  },
  {
    row: 'reasoning',
    lacks: 'the reasoning in its next request',
    spoil: {
      sends: inMessages('assistant', (message) => {
        delete message.reasoning_content
      }),
    },
    says: [/the reasoning "I should add\."/, /the reasoning null/],
  },
  {
    row: 'bad-json',
    scene: 'required',
    lacks: 'restraint: it makes up what is missing of the arguments',
    spoil: { says: withArguments(() => '{"a":1,"b":0}') },
    says: [NO_CALLS, /calls of the tool: \{"a":1,"b":0\}/],
  },
  {
    row: 'bad-json',
    scene: 'required',
    lacks: 'arguments that are JSON in its next request',
    spoil: called((call) => {
      call.function.arguments = '{"a":1,"b":'
    }),
    says: [/arguments that are a JSON object/, /the arguments/],
  },
  {
    row: 'bad-json',
    scene: 'optional',
    lacks: 'restraint: what cannot be read becomes no arguments',
    spoil: { says: withArguments(() => '{}') },
    says: [NO_CALLS, /calls of the tool: \{/],
  },
  {
    row: 'bad-json',
    scene: 'beside-a-good-one',
    lacks: 'the good call beside a broken one',
    spoil: { says: withCalls((calls) => calls.slice(0, 1)) },
    says: [/calls of the tool: \{"a":3,"b":4\}/, NO_CALLS],
  },
  {
    row: 'non-object-args',
    scene: 'required',
    lacks: 'restraint: it takes an array for arguments by place',
    spoil: { says: withArguments(() => '{"a":1,"b":2}') },
    says: [NO_CALLS, /calls of the tool: \{"a":1,"b":2\}/],
  },
  {
    row: 'non-object-args',
    scene: 'optional',
    lacks: 'restraint: an array becomes no arguments',
    spoil: { says: withArguments(() => '{}') },
    says: [NO_CALLS, /calls of the tool: \{/],
  },
  {
    row: 'empty-args',
    lacks: 'words on what is wrong',
    spoil: sent((message) => {
      message.content = 'hm.'
    }),
    says: [/what is wrong with its arguments/, /hm\./],
  },
  {
    row: 'empty-args',
    lacks: 'restraint: it makes up arguments',
    spoil: { says: withArguments(() => '{"a":0,"b":0}') },
    says: [NO_CALLS, /calls of the tool: \{"a":0,"b":0\}/],
  },
  {
    row: 'wrong-type',
    scene: 'number-as-text',
    lacks: 'a look at the types of arguments',
    spoil: { tool: (tool) => ({ ...tool, parameters: { type: 'object' } }) },
    says: [/calls of the tool: \{"a":1,"b":2\}/, /\{"a":"1","b":2\}/],
  },
  {
    row: 'wrong-type',
    scene: 'word',
    lacks: 'the name and the type of the argument that is wrong',
    spoil: sent((message) => {
      message.content = 'error: invalid input'
    }),
    says: [/`a` must be a number/, /invalid input/],
  },
  {
    row: 'calls-finish-without-calls',
    lacks: 'an end of asking again',
    spoil: { model: insistent },
    says: [/1 to 2 requests/, /1\d requests|2\d requests/],
  },
  {
    row: 'calls-finish-without-calls',
    lacks: 'the reason of its end',
    spoil: { outcome: (outcome) => ({ ...outcome, reason: 'done' }) },
    says: [/the reason empty_reply/, /reason done/],
  },
  {
    row: 'empty-final',
    lacks: 'honesty: it makes up an answer',
    spoil: { says: text(() => 'I am done.') },
    says: [/an end without an answer/, /I am done/],
  },
  {
    row: 'no-usage',
    lacks: 'the difference of unknown and nothing',
    spoil: { outcome: (outcome) => ({ ...outcome, usage: { inputTokens: 0, outputTokens: 0 } }) },
    says: [/no counts of tokens/, /0 tokens in, 0 out/],
  },
  {
    row: 'repeat-forever',
    lacks: 'a detector of loops',
    spoil: { tool: withTool(async () => `the result at ${performance.now()}`) },
    says: [/at most 30 requests/, /\d\d requests/],
  },
  {
    row: 'repeat-forever',
    lacks: 'the reason of its end',
    spoil: { outcome: (outcome) => ({ ...outcome, reason: 'steps' }) },
    says: [/the reason loop/, /reason steps/],
  },
  {
    row: 'text-marker',
    scene: 'whole',
    lacks: 'an eye for calls in texts',
    spoil: { says: (response) => ({ ...response, toolCalls: [], content: 'a call' }) },
    says: [/calls of the tool: \{"a":1,"b":2\}/, NO_CALLS],
  },
  {
    row: 'text-marker',
    scene: 'two',
    lacks: 'the second call of a text',
    spoil: { says: withCalls((calls) => calls.slice(0, 1)) },
    says: [/\{"a":1,"b":2\}, \{"a":3,"b":4\}/, /calls of the tool: \{"a":1,"b":2\}$/],
  },
  ...['prose', 'fence', 'unknown', 'echo', 'after-native'].flatMap((scene): readonly Mutation[] => [
    {
      row: 'text-marker',
      scene,
      lacks: `restraint: it makes every call that stands in a text`,
      spoil: { says: eager },
      says: [/calls of the tool: /, /calls of the tool: \{/],
    },
    { row: 'text-marker', scene, lacks: 'a warning', spoil: noWarnings, says: [/a warning of a call/, /no warning/] },
  ]),
  {
    row: 'parallel',
    lacks: 'the order of results',
    spoil: {
      sends: (body) => {
        const [first, second] = body.messages.filter((message: AnyBody) => message.role === 'tool')
        if (second === undefined) return
        body.messages.splice(body.messages.indexOf(first), 2, second, first)
      },
    },
    says: [/the slow result and then the fast one/, /\[\[1,"1"\],\[100,"100"\]\]/],
  },
  {
    row: 'parallel-one-throws',
    lacks: 'the result of the other call',
    spoil: {
      tool: withTool(async (work, { a }) => {
        const result = await work()
        if (a === 1) throw new Error('the batch was given up')
        return result
      }),
    },
    says: [/an error and then the result 1/, /given up/],
  },
  {
    row: 'tool-throws',
    lacks: 'restraint: it shows the stack',
    spoil: {
      tool: withTool(async (work) => {
        return await work().catch((error: Error) => Promise.reject(new Error(error.stack)))
      }),
    },
    says: [/no stack in the result/, /blew up/],
  },
  {
    row: 'tool-throws',
    lacks: 'word of the failure',
    spoil: { tool: withTool((work) => work().catch(() => 'ok')) },
    says: [/says that the tool failed/, /"ok"/],
  },
  {
    row: 'huge-output',
    lacks: 'a limit of results',
    spoil: sent((message) => {
      message.content = 'x'.repeat(2_000_000)
    }),
    says: [/less than 1000000 bytes/, /20\d{5} bytes/],
  },
  {
    row: 'huge-output',
    lacks: 'word of what is left out',
    spoil: sent((message) => {
      message.content = message.content.slice(0, 1_000)
    }),
    says: [/words on what is left out/, /just ends/],
  },
  {
    row: 'surrogate-output',
    lacks: 'well-formed texts',
    spoil: sent((message) => {
      message.content = 'bad \ud83d tail'
    }),
    says: [/without half a surrogate pair/, /ud83d/],
  },
  {
    row: 'surrogate-output',
    lacks: 'the text around what is odd',
    spoil: sent((message) => {
      message.content = ''
    }),
    says: [/the text around it/, /""/],
  },
  {
    row: 'abort-in-tool',
    lacks: 'an end at once',
    spoil: {
      setup: (setup) => {
        const late = new AbortController()
        setup.signal.addEventListener('abort', () => setTimeout(() => late.abort(), 300))
        return { ...setup, signal: late.signal }
      },
    },
    says: [/an end within 200 ms of the abort/, /[3-9]\d\d ms after the abort/],
  },
  {
    row: 'abort-in-tool',
    lacks: 'the right word for its end',
    spoil: { outcome: (outcome) => ({ ...outcome, status: 'failed' }) },
    says: [/says that the run was aborted/, /failed/],
  },
  {
    row: 'abort-in-tool',
    lacks: 'a warning of the late result',
    spoil: noWarnings,
    says: [/a warning of the late result/, /no warning/],
  },
  {
    row: 'rate-limit',
    lacks: 'patience',
    spoil: {
      setup: (setup) => {
        const clock = setup.clock as Clock // it is given to whom has the trait
        const hasty: Clock = {
          now: () => clock.now(),
          sleep: (ms, signal) => clock.sleep(ms === 2_000 ? 1_500 : ms, signal),
          during: (work) => clock.during(work),
        }
        return { ...setup, clock: hasty }
      },
    },
    says: [/2000 ms between the requests/, /1[56]00 ms/],
  },
  {
    row: 'err-500-once',
    lacks: 'another attempt',
    spoil: { hears: async (response) => (response.status === 500 ? await refused(400, 'no')() : response) },
    says: [/2 requests/, /1 requests/],
  },
  {
    row: 'err-500-once',
    lacks: 'the same messages in its second attempt',
    spoil: {
      sends: (() => {
        let requests = 0
        return (body: AnyBody) => {
          requests += 1
          body.messages.push({ role: 'user', content: `attempt ${requests}` })
        }
      })(),
    },
    says: [/the same messages/, /other messages/],
  },
  ...['one-large-result', 'many-results'].map(
    (scene): Mutation => ({
      row: 'context-overflow',
      scene,
      lacks: 'an eye for the error',
      spoil: { hears: async (response) => (response.status === 400 ? await refused(400, 'no')() : response) },
      says: [/a request of at most 8192 bytes after the first that is larger/, /requests of \d+/],
    }),
  ),
  {
    row: 'context-overflow',
    scene: 'never',
    lacks: 'the reason of its end',
    spoil: { hears: async (response) => (response.status === 400 ? await refused(400, 'no')() : response) },
    says: [/the reason context_overflow/, /E_MODEL_BAD_REQUEST/],
  },
  {
    row: 'context-overflow',
    scene: 'never',
    lacks: 'sense: it sends the same again',
    spoil: {
      model: (model) => ({
        ...model,
        generate: (...asked) => model.generate(...asked).catch(() => model.generate(...asked)),
      }),
    },
    says: [/no second request that is no smaller/, /requests of \d+ and \d+ bytes/],
  },
  {
    row: 'hang',
    scene: 'before-the-first-byte',
    lacks: 'haste',
    spoil: { modelOptions: { idleMs: 1_600 } },
    says: [/an end within 3000 ms/, /after [3-9]\d{3} ms/],
  },
  {
    row: 'hang',
    scene: 'amid-the-body',
    lacks: 'an end of its lines',
    spoil: {
      instead: async (run) => {
        run().catch(() => {}) // it is left alone
        await sleepFor(200)
        throw new Error('enough')
      },
    },
    says: [/no open line/, /1 open/],
  },
  {
    row: 'hang',
    scene: 'amid-the-body',
    lacks: 'honesty: it makes up an answer',
    spoil: { instead: async (run) => ({ ...(await run()), text: 'half of ' }) },
    says: [/an end without an answer/, /half of/],
  },
  {
    row: 'hang',
    scene: 'default-before-the-first-byte',
    lacks: 'patience',
    spoil: { modelOptions: { firstByteMs: 60_000 } },
    says: [/open until 120000 ms/, /closed before/],
  },
  {
    row: 'hang',
    scene: 'default-before-the-first-byte',
    lacks: 'an end of its patience',
    spoil: { modelOptions: { firstByteMs: 600_000 } },
    says: [/closed after 120000 ms/, /open still/],
  },
  {
    row: 'hang',
    scene: 'default-amid-the-body',
    lacks: 'an end of its patience',
    spoil: { modelOptions: { idleMs: 100_000 } },
    says: [/closed after 60000 ms/, /open still/],
  },
  {
    row: 'cut-stream',
    lacks: 'doubt: half of a text is its answer',
    spoil: { hears: credulous },
    says: [/a failure, as no request was made again/, /half of/],
  },
  {
    row: 'stream-same-index',
    lacks: 'two calls: they become one',
    spoil: {
      says: withCalls((calls) => {
        const [first] = calls
        return first === undefined ? [] : [{ ...first, arguments: calls.map((call) => call.arguments).join('') }]
      }),
    },
    says: [/\{"a":1,"b":2\}, \{"a":3,"b":4\}/, /calls of the tool: /],
  },
  {
    row: 'stream-no-index',
    lacks: 'the end of the arguments',
    spoil: { says: withArguments((all) => all.slice(0, 7)) },
    says: [/calls of the tool: \{"a":1,"b":2\}/, NO_CALLS],
  },
  {
    row: 'stream-index-gap',
    lacks: 'sense: it fills the gap with an empty call',
    spoil: {
      says: withCalls(([first, ...rest]) =>
        first === undefined ? [] : [first, { id: 'gap', name: 'nothing', arguments: '{}' }, ...rest],
      ),
    },
    says: [/the results 1\+2=3, 3\+4=7/, /undefined/],
  },
  {
    row: 'stream-utf8-split',
    lacks: 'characters that were split',
    spoil: { hears: piecewise },
    says: [/こんにちは世界🌍完了/, /\ufffd/],
  },
  {
    row: 'stream-no-done',
    lacks: 'an answer without [DONE]',
    spoil: { hears: refused(400, 'the stream has no end') },
    says: [/the answer "no done marker"/, /failed/],
  },
  {
    row: 'stream-usage-null-choices',
    lacks: 'the usage',
    spoil: { says: ({ usage: _usage, ...response }) => response },
    says: [/10 tokens in, 5 out/, /null tokens in/],
  },
  {
    row: 'stream-usage-null-choices',
    lacks: 'an answer',
    spoil: { hears: refused(400, 'cannot read properties of null') },
    says: [/the answer "usage chunk"/, /failed/],
  },
]

beforeAll(async () => {
  await import('openai') // loaded at the first request, which would count as time of the run
})

describe.concurrent('a row is red when the harness lacks', () => {
  test.each(MUTATIONS.map((one) => [`${one.lacks} (${one.row}${one.scene ? `, ${one.scene}` : ''})`, one] as const))(
    '%s',
    async (_title, { row: id, scene, spoil, says, mode }) => {
      const row = faultCases.find((one) => one.id === id)
      if (row === undefined) throw new Error(`there is no row ${id}`)
      const report = await runFaultCase(
        { ...row, scenes: row.scenes.filter((one) => scene === undefined || one.name === scene) },
        {
          mode: mode ?? row.modes[0] ?? 'plain',
          subject: spoiledHarness(spoil),
          traits: HARNESS_TRAITS,
          settleMs: HARNESS_SETTLE_MS,
        },
      )
      expect(report).toMatchObject({
        state: 'failed',
        findings: [{ expected: expect.stringMatching(says[0]), found: expect.stringMatching(says[1]) }],
      })
    },
    20_000,
  )
})

test('every scene of every row is shown red', () => {
  const all = faultCases.flatMap(({ id, scenes }) => scenes.map(({ name }) => `${id} ${name ?? ''}`))
  expect(new Set(MUTATIONS.map(({ row, scene = '' }) => `${row} ${scene}`))).toEqual(new Set(all))
})
