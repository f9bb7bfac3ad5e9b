import { describe, expect, test } from 'vitest'
import { defineModule, type HarnessEvent, type JsonObject, type Tool } from '../src/index.js'
import { createScriptedModel } from '../src/testkit/index.js'
import { aPlugin, aTool, type OneRun, runOnce } from './one-run.js'

/** A harness whose tools, guards and hooks write down when they run. */
function logged(log: string[], tools: readonly Tool[]): OneRun {
  const write = (tool: Tool): Tool => ({
    ...tool,
    async execute(args: unknown, ctx) {
      log.push(`${tool.name} begins`)
      await Promise.resolve()
      const result = await tool.execute(args, ctx)
      log.push(`${tool.name} ends`)
      return result
    },
  })
  const guard = aPlugin({
    toolCall: (call) => void log.push(`guard ${call.name}`),
    toolResult: (observation) => void log.push(`result ${observation.tool}`),
  })
  const bringing = aPlugin({ tools: () => [write(aTool('fold')), write(aTool('search'))] })
  return { modules: { plugins: [guard, bringing] }, tools: tools.map(write) }
}

const calls = (...names: readonly string[]) => [{ calls: names.map((call) => ({ call })) }, 'done']

test('guards come first in call order, then module tools one by one, then those of the environment, then results', async () => {
  const log: string[] = []
  const tools = [aTool('look', { readOnly: true }), aTool('find', { readOnly: true })]
  await runOnce({ ...logged(log, tools), script: calls('look', 'fold', 'find', 'search') })

  expect(log).toEqual([
    'guard look',
    'guard fold',
    'guard find',
    'guard search',
    'fold begins',
    'fold ends',
    'search begins',
    'search ends',
    'look begins',
    'find begins',
    'look ends',
    'find ends',
    'result look',
    'result fold',
    'result find',
    'result search',
  ])
})

describe('tools of the environment', () => {
  const order = async (tools: readonly Tool[], more: Partial<OneRun> = {}): Promise<readonly string[]> => {
    const log: string[] = []
    await runOnce({ ...logged(log, tools), script: calls('a', 'b'), ...more })
    return log.filter((line) => /^[ab] /.test(line))
  }

  test('run at once when all of them only read', async () => {
    expect(await order([aTool('a', { readOnly: true }), aTool('b', { readOnly: true })])).toEqual([
      'a begins',
      'b begins',
      'a ends',
      'b ends',
    ])
  })

  test('run one after another when one of them may write', async () => {
    expect(await order([aTool('a', { readOnly: true }), aTool('b')])).toEqual([
      'a begins',
      'a ends',
      'b begins',
      'b ends',
    ])
  })

  test('run as the action says, where it does', async () => {
    const mode = (mode: 'parallel' | 'serial') =>
      defineModule({
        slot: 'action',
        summary: 'Says how its calls run.',
        async act(ctx) {
          const reply = await ctx.model({ purpose: 'act', messages: ctx.view.messages })
          if (reply.toolCalls.length === 0) return { kind: 'answer', reply, answer: reply.content }
          return { kind: 'call', reply, calls: reply.toolCalls, mode }
        },
      })
    const at = async (which: 'parallel' | 'serial', tools: readonly Tool[]): Promise<readonly string[]> => {
      const log: string[] = []
      const one = logged(log, tools)
      await runOnce({ ...one, modules: { ...one.modules, action: mode(which) }, script: calls('a', 'b') })
      return log.filter((line) => /^[ab] /.test(line))
    }

    expect((await at('parallel', [aTool('a'), aTool('b')])).slice(0, 2)).toEqual(['a begins', 'b begins'])
    const reading = [aTool('a', { readOnly: true }), aTool('b', { readOnly: true })]
    expect((await at('serial', reading)).slice(0, 2)).toEqual(['a begins', 'a ends'])
  })

  test('run at most `concurrency` at once', async () => {
    let running = 0
    let most = 0
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const tools = names.map((name) =>
      aTool(name, {
        readOnly: true,
        async execute() {
          most = Math.max(most, ++running)
          await new Promise((resolve) => setImmediate(resolve))
          running--
          return name
        },
      }),
    )
    await runOnce({ tools, script: calls(...names), limits: { concurrency: 2 } })

    expect(most).toBe(2)
  })
})

describe('with tools of different latency', () => {
  const latencies = [50, 10, 30, 0, 20]
  const tools = latencies.map((latencyMs, index) => aTool(`t${index}`, { readOnly: true, latencyMs }))
  const at = (concurrency: number): ReturnType<typeof runOnce> =>
    runOnce({
      tools,
      script: calls('t0', 't1', 't2', 't3', 't4'),
      limits: { concurrency },
      env: { limits: { concurrency: 8 } },
    })
  const withoutTimes = (events: readonly HarnessEvent[]): readonly unknown[] =>
    events.map(({ at: _at, ...event }) => ('ms' in event ? { ...event, ms: 0 } : event))

  test.each([1, 8])('events and observations are in call order at concurrency %i', async (concurrency) => {
    const { events, result } = await at(concurrency)

    const names = ['t0', 't1', 't2', 't3', 't4']
    expect(result.steps[0]?.observations.map(({ tool }) => tool)).toEqual(names)
    for (const type of ['tool-start', 'tool-end'] as const)
      expect(events.filter((event) => event.type === type).map((event) => event.type === type && event.tool)).toEqual(
        names,
      )
  })

  test('the trace is the same at concurrency 1 and 8, but for the times', async () => {
    const [one, eight] = [await at(1), await at(8)]

    expect(withoutTimes(eight.events)).toEqual(withoutTimes(one.events))
    expect([one.result.ms, eight.result.ms]).toEqual([110, 50])
  })

  test('each end tells the time that its own tool took', async () => {
    const { events } = await at(8)

    expect(events.flatMap((event) => (event.type === 'tool-end' ? [event.ms] : []))).toEqual(latencies)
  })
})

test('states are durable before a tool of the environment runs: checkpoints fold to the states, at every moment', async () => {
  const folded: Record<string, unknown> = {}
  const seen: unknown[] = []
  const counting = (key: string) =>
    aPlugin({
      state: () => ({ guards: 0, results: 0, tools: 0 }),
      toolCall(_call, ctx) {
        ctx.state.guards += 1
        return undefined
      },
      toolResult(_observation, ctx) {
        ctx.state.results += 1
        return undefined
      },
      tools: (ctx) => [
        aTool(key, {
          execute: () => {
            ctx.state.tools += 1
            return 'counted'
          },
        }),
      ],
    })
  const journal = aPlugin({
    checkpoint({ delta }) {
      Object.assign(folded, delta.states as JsonObject)
    },
  })
  const look = aTool('look', {
    execute: () => {
      seen.push(structuredClone(folded))
      return 'seen'
    },
  })
  await runOnce({
    modules: { plugins: [counting('count'), journal] },
    tools: [look],
    script: calls('look', 'count'),
  })

  expect(seen).toEqual([{ 'plugin.0': { guards: 2, results: 0, tools: 1 } }])
  expect(folded).toEqual({ 'plugin.0': { guards: 2, results: 2, tools: 1 } })
})

test('a checkpoint holds the states that changed, and no others, and the step when it is finished', async () => {
  const deltas: unknown[] = []
  const still = aPlugin({ state: () => ({ n: 1 }), direct: (ctx) => ctx.directive })
  const moving = aPlugin({
    state: () => ({ n: 0 }),
    direct(ctx) {
      ctx.state.n += 1
      return ctx.directive
    },
  })
  const journal = aPlugin({
    checkpoint: ({ delta: { step, states, started, outcome } }) =>
      void deltas.push([step?.index ?? started ?? outcome?.content ?? 'before', states]),
  })
  await runOnce({ modules: { plugins: [still, moving, journal] }, tools: [aTool('look')], script: calls('look') })

  expect(deltas).toEqual([
    ['before', { 'plugin.1': { n: 1 } }],
    ['c1_1', {}],
    ['look {}', {}],
    [1, {}],
    [2, { 'plugin.1': { n: 2 } }],
  ])

  deltas.length = 0
  await runOnce({ modules: { plugins: [still, journal] }, tools: [aTool('look')], script: calls('look') })
  expect(deltas).toEqual([
    ['before', {}],
    ['c1_1', {}],
    ['look {}', {}],
    [1, {}],
    [2, {}],
  ])
})

test('a guard may allow, deny with a reason, or answer in the place of the tool; only what is made is counted', async () => {
  const made: string[] = []
  const tools = ['a', 'b', 'c', 'd'].map((name) =>
    aTool(name, {
      execute: () => {
        made.push(name)
        return name
      },
    }),
  )
  const guard = aPlugin({
    toolCall({ name }) {
      if (name === 'a') return { allow: true }
      if (name === 'b') return { deny: true, reason: 'not today' }
      if (name === 'c') return { answer: { from: 'a cache' } }
      return undefined
    },
  })
  const { result } = await runOnce({ modules: { plugins: [guard] }, tools, script: calls('a', 'b', 'c', 'd') })

  expect(made).toEqual(['a', 'd'])
  expect(result.spent.toolCalls).toBe(2)
  expect(result.steps[0]?.observations).toMatchObject([
    { ok: true, content: 'a' },
    { ok: false, content: 'error: b was denied: not today', error: { code: 'E_TOOL_DENIED' } },
    { ok: true, content: '{"from":"a cache"}', data: { from: 'a cache' } },
    { ok: true, content: 'd' },
  ])
})

test.each([
  { allow: false },
  {},
  true,
  'no',
  { deny: false },
  { deny: true },
  { deny: 'yes', reason: 'x' },
  { ask: 5 },
])('a guard that says %j lets nothing pass: what is not clear is refused', async (decision) => {
  let made = 0
  const look = aTool('look', { execute: () => ++made })
  const guard = aPlugin({ toolCall: () => decision as never })
  const { result } = await runOnce({ modules: { plugins: [guard] }, tools: [look], script: calls('look') })

  expect(made).toBe(0)
  expect(result.error).toMatchObject({ code: 'E_PROTOCOL_VALUE', module: '@test/modules#m1', step: 1 })
})

test('a guard that throws lets nothing pass either', async () => {
  let made = 0
  const guard = aPlugin({
    toolCall: () => {
      throw new Error('guard broken')
    },
  })
  const { result } = await runOnce({
    modules: { plugins: [guard] },
    tools: [aTool('look', { execute: () => ++made })],
    script: calls('look'),
  })

  expect(made).toBe(0)
  expect(result.error).toMatchObject({ code: 'E_RUN_MODULE', message: expect.stringContaining('guard broken') })
})

test('a result can be trimmed and annotated, and keeps its call whatever the tap says', async () => {
  const plugin = aPlugin({
    toolResult: (observation) => ({ ...observation, callId: 'another', content: `${observation.content} (checked)` }),
  })
  const { result } = await runOnce({ modules: { plugins: [plugin] }, tools: [aTool('look')], script: calls('look') })

  expect(result.steps[0]?.observations).toMatchObject([{ callId: 'c1_1', content: 'look {} (checked)' }])
})

test.each([{}, 'trimmed', { content: 5 }, { content: 'x', data: () => 1 }])(
  'a result that a tap makes into %o is refused, and the plugin named',
  async (value) => {
    const plugin = aPlugin({ toolResult: () => value as never })
    const { result } = await runOnce({ modules: { plugins: [plugin] }, tools: [aTool('look')], script: calls('look') })

    expect(result.error).toMatchObject({ code: 'E_PROTOCOL_VALUE', module: '@test/modules#m1' })
  },
)

test('a request and a reply can be changed by a plugin, in canonical form', async () => {
  const plugin = aPlugin({
    modelRequest: (request) => ({ ...request, temperature: 0 }),
    modelResponse: (reply) => ({ ...reply, content: reply.content.toUpperCase() }),
  })
  const { result, requests } = await runOnce({ modules: { plugins: [plugin] } })

  expect(requests[0]?.temperature).toBe(0)
  expect(result.answer).toBe('DONE')
})

test.each([
  ['modelRequest', { messages: 'none' }],
  ['modelResponse', { content: 5 }],
])('a plugin whose %s gives something else is named', async (verb, value) => {
  const { result } = await runOnce({ modules: { plugins: [aPlugin({ [verb]: () => value })] } })

  expect(result.error).toMatchObject({ code: 'E_PROTOCOL_VALUE', slot: 'plugin', module: '@test/modules#m1' })
})

test('a module tool uses the ctx of its module: its state, its model and its artifacts', async () => {
  const plugin = aPlugin({
    state: () => ({ folds: 0 }),
    tools: (ctx) => [
      aTool('fold', {
        async execute() {
          ctx.state.folds += 1
          const reply = await ctx.model({ purpose: 'fold', messages: [{ role: 'user', content: 'Fold.' }] })
          return `${reply.content} ${ctx.get(ctx.put('kept'))} ${ctx.state.folds}`
        },
      }),
    ],
  })
  const { result } = await runOnce({
    modules: { plugins: [plugin] },
    model: createScriptedModel({ act: [{ call: 'fold' }, { call: 'fold' }, 'done'], fold: ['folded'] }),
  })

  expect(result.steps.map((step) => step.observations[0]?.content)).toEqual([
    'folded kept 1',
    'folded kept 2',
    undefined,
  ])
  expect(result.steps[0]?.modelCalls.map(({ purpose, by }) => [purpose, by])).toEqual([
    ['act', 'action.0'],
    ['fold', 'plugin.0'],
  ])
})
