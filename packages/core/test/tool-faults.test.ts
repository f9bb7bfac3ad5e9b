import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ModelResponse, Observation, Tool, ToolCall } from '../src/index.js'
import { createScriptedModel, type Script } from '../src/testkit/index.js'
import { aTool, type OneRun, type Ran, runOnce } from './one-run.js'

const add = (made: unknown[] = []): Tool => ({
  name: 'add',
  description: 'Adds two numbers.',
  parameters: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
  execute(args: { a: number; b: number }) {
    made.push(args)
    return args.a + args.b
  },
})

/** A reply with calls as an endpoint sends them. */
const replying = (...toolCalls: readonly ToolCall[]): ModelResponse => ({
  content: '',
  toolCalls,
  finish: 'tool_calls',
})
const call = (id: string, args: string, name = 'add'): ToolCall => ({ id, name, arguments: args })

async function faulty(
  first: Script,
  one: Partial<OneRun> = {},
): Promise<Ran & { observations: readonly Observation[] }> {
  const ran = await runOnce({ model: createScriptedModel([first, 'done']), tools: [add()], ...one })
  return { ...ran, observations: ran.result.steps[0]?.observations ?? [] }
}

describe('arguments', () => {
  test('K1: that are cut JSON become an error result of their call, and the run goes on', async () => {
    const made: unknown[] = []
    const { requests, result } = await faulty(replying(call('x1', '{"a":1,"b":')), { tools: [add(made)] })

    expect(made).toEqual([])
    expect(result.status).toBe('answered')
    expect(requests[1]?.messages.slice(-2)).toMatchObject([
      { role: 'assistant', toolCalls: [{ id: 'x1', arguments: '{}' }] },
      {
        role: 'tool',
        callId: 'x1',
        content: expect.stringMatching(/^error: .*not the text of a JSON object.*\{"a":1,"b":/),
      },
    ])
  })

  test('K2: that are broken in one call of two leave the other alone', async () => {
    const { observations } = await faulty(replying(call('x1', '{"a":1'), call('x2', '{"a":1,"b":2}')))

    expect(observations).toMatchObject([
      { callId: 'x1', ok: false, error: { code: 'E_TOOL_ARGUMENTS' } },
      { callId: 'x2', ok: true, content: '3' },
    ])
  })

  test('K3: that are broken on step 7 of 10 do not end the run, and the record lists what was not executed', async () => {
    const good = (index: number): Script => ({ call: 'add', with: { a: 1, b: index } })
    const script = Array.from({ length: 10 }, (_, index) => (index === 6 ? replying(call('x7', '{"a":')) : good(index)))
    const { result } = await runOnce({ script: [...script, 'done'], tools: [add()] })

    expect(result.steps).toHaveLength(11)
    expect(result.steps.flatMap((step) => step.observations.map(({ ok }) => (ok ? [] : [step.index]))).flat()).toEqual([
      7,
    ])
    expect(result.spent.toolCalls).toBe(9)
  })

  test('K4: that are broken three times in a row lead to a forced answer, with the reason', async () => {
    const broken = (index: number): Script => replying(call(`x${index}`, `{"a":${index}`))
    const { result, requests } = await runOnce({
      model: createScriptedModel({ act: [broken(1), broken(2), broken(3), 'never'], finish: ['As far as I know, 3.'] }),
      tools: [add()],
    })

    expect(requests.map(({ purpose }) => purpose)).toEqual(['act', 'act', 'act', 'finish'])
    expect(result).toMatchObject({ status: 'limit', reason: 'malformed', answer: 'As far as I know, 3.' })
  })

  test('K4: that are broken now and then do not', async () => {
    const broken = replying(call('x', '{"a":'))
    const good: Script = { call: 'add', with: { a: 1, b: 2 } }
    const { result } = await runOnce({ script: [broken, broken, good, broken, broken, 'done'], tools: [add()] })

    expect(result.status).toBe('answered')
  })

  test('K5: of the wrong type are told by name, with what was expected', async () => {
    const { observations } = await faulty(replying(call('x', '{"a":"one","b":2}')))

    expect(observations[0]?.content).toBe('error: the arguments of add are wrong: a must be number, found "one"')
  })

  test('K5: that are numbers written as text are taken for numbers, and history keeps what the model wrote', async () => {
    const { observations, requests } = await faulty(replying(call('x', '{"a":"1","b":2}')))

    expect(observations[0]).toMatchObject({ ok: true, content: '3' })
    expect(requests[1]?.messages.at(-2)?.toolCalls?.[0]?.arguments).toBe('{"a":"1","b":2}')
  })

  test('K6: that cannot be read never become {} for a tool whose fields are all optional', async () => {
    let made = 0
    const purge = aTool('purge', {
      parameters: { type: 'object', properties: { older: { type: 'number' } } },
      execute: () => ++made,
    })
    for (const text of ['{"older":', 'all of it', '[]', '"everything"']) {
      const { observations } = await faulty(replying(call('x', text, 'purge')), { tools: [purge] })
      expect(observations[0]).toMatchObject({ ok: false, error: { code: 'E_TOOL_ARGUMENTS' } })
    }
    expect(made).toBe(0)
  })

  test('K7: that are broken in one of several parallel calls lose no other call and no result', async () => {
    const reading = ['a', 'b', 'c'].map((name) => aTool(name, { readOnly: true }))
    const { requests } = await faulty(replying(call('1', '{}', 'a'), call('2', '{"x":', 'b'), call('3', '{}', 'c')), {
      tools: reading,
    })

    expect(requests[1]?.messages.slice(-4).map(({ role, callId }) => callId ?? role)).toEqual([
      'assistant',
      '1',
      '2',
      '3',
    ])
  })

  test('that are a list are no arguments', async () => {
    expect((await faulty(replying(call('x', '[1,2]')))).observations[0]).toMatchObject({ ok: false })
  })

  test('that are empty are an object without fields', async () => {
    const { observations } = await faulty(replying(call('x', '', 'look')), { tools: [aTool('look')] })

    expect(observations[0]).toMatchObject({ ok: true, content: 'look {}' })
  })

  test('K62: with a lone surrogate are cleaned before they are stored and before the tool sees them', async () => {
    const echo = aTool('echo', { execute: ({ q }: { q: string }) => q })
    const { requests, observations } = await faulty(replying(call('x', '{"q":"a\\ud99cb"}', 'echo')), { tools: [echo] })

    expect(observations[0]?.content).toBe('a\ufffdb')
    expect(JSON.stringify(requests[1]?.messages)).not.toMatch(/ud99c/i)
  })

  test('whatever a model writes as arguments, the run ends as answered with valid messages', async () => {
    const args = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((text) => text.slice(0, -1)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(args, { minLength: 1, maxLength: 3 }), async (list) => {
        const { result } = await faulty(replying(...list.map((text) => call('x', text))))

        expect(result.status).toBe('answered')
        for (const { toolCalls } of result.messages)
          for (const one of toolCalls ?? []) expect(Array.isArray(JSON.parse(one.arguments))).toBe(false)
      }),
      { numRuns: 60 },
    )
  })
})

describe('a tool that does not exist', () => {
  test('K11: is answered with the nearest names and the sorted list of those on offer', async () => {
    const tools = ['search_mail', 'read_file', 'search_files'].map((name) => aTool(name))
    const { observations } = await faulty({ call: 'serch_files' }, { tools })

    expect(observations[0]).toMatchObject({ ok: false, error: { code: 'E_TOOL_UNKNOWN' } })
    expect(observations[0]?.content).toMatch(
      /^error: there is no tool "serch_files"; nearest: search_files, .*; on offer: read_file, search_files, search_mail$/,
    )
  })

  test('K11: is answered in brief where there are hundreds of names', async () => {
    const tools = Array.from({ length: 500 }, (_, index) => aTool(`tool_${index}`))
    const { observations } = await faulty({ call: 'x'.repeat(100_000) }, { tools })

    expect(observations[0]?.content).toMatch(/and 460 more$/)
    expect(observations[0]?.content.length).toBeLessThan(2_000)
  })

  test('K10: is no empty reply: the model is told, and asked again', async () => {
    const { requests, observations } = await faulty(
      { call: 'search_files' },
      { tools: [aTool('mcp__x__search_files')] },
    )

    expect(requests).toHaveLength(2)
    expect(observations[0]?.content).toMatch(/nearest: mcp__x__search_files/)
  })

  test('is answered where no tools are on offer at all', async () => {
    expect((await faulty({ call: 'look' }, { tools: [] })).observations[0]?.content).toBe(
      'error: no tools are on offer',
    )
  })
})

describe('calls', () => {
  test('K17, K25: that share an id are each made once, under ids of their own', async () => {
    const made: unknown[] = []
    const { observations, requests } = await faulty(replying(call('x', '{"a":1,"b":1}'), call('x', '{"a":2,"b":2}')), {
      tools: [add(made)],
    })

    expect(made).toEqual([
      { a: 1, b: 1 },
      { a: 2, b: 2 },
    ])
    expect(observations.map(({ callId }) => callId)).toEqual(['x', 'c1_2'])
    expect(
      requests[1]?.messages.slice(-3).map(({ callId, toolCalls }) => callId ?? toolCalls?.map(({ id }) => id)),
    ).toEqual([['x', 'c1_2'], 'x', 'c1_2'])
  })

  test('K24: without an id get one each', async () => {
    const { observations } = await faulty(replying(call('', '{"a":1,"b":1}'), call('', '{"a":2,"b":2}')))

    expect(observations.map(({ callId, content }) => [callId, content])).toEqual([
      ['c1_1', '2'],
      ['c1_2', '4'],
    ])
  })

  test('K23: with ids that only differ in unsafe characters stay two, under the same ids in every request', async () => {
    const { requests } = await runOnce({
      script: [
        replying(call('call_x|fc_1', '{"a":1,"b":1}'), call('call_x|fc_2', '{"a":2,"b":2}')),
        { call: 'add', with: { a: 1, b: 1 } },
        'done',
      ],
      tools: [add()],
    })

    for (const request of requests.slice(1))
      expect(request.messages[1]?.toolCalls?.map(({ id }) => id)).toEqual(['c1_1', 'c1_2'])
  })

  test('K25: of an id that an earlier step used are made, once, under another', async () => {
    const made: unknown[] = []
    const { result } = await runOnce({
      script: [replying(call('x', '{"a":1,"b":1}')), replying(call('x', '{"a":2,"b":2}')), 'done'],
      tools: [add(made)],
    })

    expect(made).toHaveLength(2)
    expect(result.steps.flatMap((step) => step.observations.map(({ callId }) => callId))).toEqual(['x', 'c2_1'])
  })
})

test('K35: a tool that may be called once in a run is called once, also within one step, and the run goes on', async () => {
  const made: unknown[] = []
  const { result } = await runOnce({
    tools: [add(made), aTool('look')],
    script: [
      {
        calls: [
          { call: 'add', with: { a: 1, b: 1 } },
          { call: 'add', with: { a: 2, b: 2 } },
        ],
      },
      { calls: [{ call: 'add', with: { a: 3, b: 3 } }, { call: 'look' }] },
      'done',
    ],
    modules: { manifest: { limits: { perTool: { add: 1 } } } },
  })

  expect(made).toEqual([{ a: 1, b: 1 }])
  expect(result.steps.flatMap((step) => step.observations.map(({ ok }) => ok))).toEqual([true, false, false, true])
  expect(result.steps[0]?.observations[1]).toMatchObject({
    content: 'error: add may be called 1 times in this run, and was',
    error: { code: 'E_TOOL_LIMIT' },
  })
  expect(result.status).toBe('answered')
})
