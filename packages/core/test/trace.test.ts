import { describe, expect, test } from 'vitest'
import { type ArtifactStore, defineModule, type HarnessEvent, type RunResult } from '../src/index.js'
import { createScriptedModel, createVirtualClock, minimalAction } from '../src/testkit/index.js'
import { deferred } from './deferred.js'
import { aHarness, aPlugin, aTool, type OneRun, runOnce } from './one-run.js'

/** A run that touches all that could differ: chance, time, notes, several calls, module calls, results that are cut. */
function busy(): OneRun {
  const planning = defineModule({
    slot: 'planning',
    summary: 'Rolls a die.',
    state: () => ({ rolls: [] as number[] }),
    async direct(ctx) {
      ctx.state.rolls.push(ctx.random())
      ctx.note('plan', `rolled ${ctx.state.rolls.at(-1)} at ${ctx.now()}`)
      await Promise.all([1, 2, 3].map((n) => ctx.model({ purpose: `think ${n}`, messages: ctx.view.messages })))
      return { text: `roll ${ctx.random()}` }
    },
  })
  const latencies = { a: 50, b: 5, c: 20 }
  const tools = Object.entries(latencies).map(([name, latencyMs]) =>
    aTool(name, {
      readOnly: true,
      latencyMs,
      parameters: { type: 'object', properties: { [name]: { type: 'number' } } },
      execute: () => name.repeat(20_000),
    }),
  )
  const model = createScriptedModel([], {
    price: { input: 1, output: 2, source: 'a test', date: '2026-01-01' },
    after: ({ purpose, messages }) => {
      const latencyMs = 100 + purpose.length + messages.length
      if (purpose !== 'act') return { content: `thought of ${purpose}`, finish: 'stop', latencyMs }
      if (messages.length > 20) return { content: 'done', finish: 'stop', latencyMs }
      const toolCalls = Object.keys(latencies).map((name) => ({ id: '', name, arguments: `{"${name}":"1"}` }))
      return { content: 'I look.', toolCalls, finish: 'tool_calls', latencyMs }
    },
  })
  return { modules: { planning }, tools, model }
}

describe('with the same seed and a virtual clock', () => {
  test('two runs give the same trace, byte for byte', async () => {
    const [first, second] = [await runOnce({ ...busy(), seed: 7 }), await runOnce({ ...busy(), seed: 7 })]

    expect(first.result.steps.length).toBeGreaterThan(2)
    expect(first.result.status).toBe('answered')
    expect(JSON.stringify(second.events)).toBe(JSON.stringify(first.events))
    expect(JSON.stringify(second.result)).toBe(JSON.stringify(first.result))
    expect(JSON.stringify(second.requests)).toBe(JSON.stringify(first.requests))
  })

  test('eight runs of one harness at once give eight times that trace', async () => {
    const alone = await runOnce({ ...busy(), seed: 7 })
    const { harness } = await aHarness(busy())
    const runs = Array.from({ length: 8 }, () => harness.run('Do the task.', { seed: 7 }))
    const traces = await Promise.all(
      runs.map(async (run) => {
        const events: HarnessEvent[] = []
        for await (const event of run) events.push(event)
        return JSON.stringify(events)
      }),
    )

    for (const trace of traces) expect(trace).toBe(JSON.stringify(alone.events))
  })

  test('another seed gives another trace', async () => {
    const [first, second] = [await runOnce({ ...busy(), seed: 7 }), await runOnce({ ...busy(), seed: 8 })]

    expect(second.result.steps[0]?.directive.text).not.toBe(first.result.steps[0]?.directive.text)
  })

  test('whether anybody reads the events changes nothing in the run', async () => {
    const read = await runOnce({ ...busy(), seed: 7 })
    const { harness, model } = await aHarness(busy())
    const unread = await harness.run('Do the task.', { seed: 7 }).result

    expect(JSON.stringify(unread)).toBe(JSON.stringify(read.result))
    expect(JSON.stringify(model.requests)).toBe(JSON.stringify(read.requests))
  })

  test('strict mode and the other give the same trace', async () => {
    const strict = await runOnce({ ...busy(), seed: 7 })
    const lax = await runOnce({ ...busy(), seed: 7, env: { strict: false } })

    expect(JSON.stringify(lax.events)).toBe(JSON.stringify(strict.events))
  })
})

test('every event says where and when it is, and times never go back', async () => {
  const { events } = await runOnce(busy())

  for (const [index, event] of events.entries()) {
    expect(event.path).toBe('')
    expect(event.at).toBeGreaterThanOrEqual(events[index - 1]?.at ?? 0)
    expect(event.step).toBeGreaterThanOrEqual(events[index - 1]?.step ?? 0)
  }
  expect(events[0]).toMatchObject({ type: 'run-start', step: 0, seed: 1 })
  expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'answered', answer: 'done' })
  expect(events.at(-1)).not.toHaveProperty('reason')
})

test('what a module saw of the trajectory stays what it was, however the run goes on', async () => {
  const seen: (readonly unknown[])[] = []
  const plugin = aPlugin({
    direct(ctx) {
      seen.push(ctx.history)
      return ctx.directive
    },
  })
  await runOnce({ modules: { plugins: [plugin] }, tools: [aTool('look')], script: [{ call: 'look' }, 'done'] })

  expect(seen.map(({ length }) => length)).toEqual([0, 1])
})

test('events of a step come in the order of its moments', async () => {
  const { events } = await runOnce({ tools: [aTool('look')], script: [{ call: 'look' }, 'done'] })

  expect(events.map(({ type }) => type)).toEqual([
    'run-start',
    'step-start',
    'model-start',
    'model-end',
    'tool-start',
    'tool-end',
    'step-end',
    'step-start',
    'model-start',
    'model-end',
    'step-end',
    'run-end',
  ])
  expect(events.filter(({ type }) => type === 'step-end')).toMatchObject([
    { action: 'call look' },
    { action: 'answer' },
  ])
})

test('a model that streams is heard as it speaks, if somebody listens', async () => {
  const streaming = createScriptedModel(['done'], { supports: { stream: true } })

  const { events } = await runOnce({ model: streaming })
  expect(events.filter(({ type }) => type === 'model-delta')).toMatchObject([{ text: 'done' }])
  const { events: unheard } = await runOnce({ model: createScriptedModel(['done']) })
  expect(unheard.filter(({ type }) => type === 'model-delta')).toEqual([])
})

test('what a model thinks is heard too, and none of it is text', async () => {
  const model = {
    ...createScriptedModel([], { supports: { stream: true } }),
    generate: async (_: unknown, { onDelta }: { onDelta?: (delta: object) => void }) => {
      onDelta?.({ reasoning: 'hm' })
      onDelta?.({ text: 'done' })
      return { content: 'done', finish: 'stop' }
    },
  }
  const { events } = await runOnce({ model: model as never })

  const heard = events
    .filter(({ type }) => type === 'model-delta')
    .map(({ path: _p, step: _s, at: _a, ...event }) => event)
  expect(heard).toEqual([
    { type: 'model-delta', reasoning: 'hm' },
    { type: 'model-delta', text: 'done' },
  ])
})

test('a run that is over has left no timer behind, whatever it waited for', async () => {
  const clock = createVirtualClock()
  const plugin = aPlugin({ end: () => {} })
  await runOnce({
    modules: { plugins: [plugin] },
    tools: [aTool('look', { latencyMs: 5 })],
    script: [{ call: 'look' }, 'done'],
    env: { clock },
  })

  expect(clock.sleeping).toBe(0)
  expect(clock.now()).toBe(5)
})

test('a reader who comes late gets what is still to come, and one who comes after the end gets nothing', async () => {
  const { harness } = await aHarness({ tools: [aTool('look')], script: [{ call: 'look' }, 'done'] })
  const run = harness.run('x')
  const types: string[] = []
  await new Promise<void>((resolve) => queueMicrotask(resolve))
  for await (const event of run) types.push(event.type)
  expect(types).not.toContain('run-start')
  expect(types.at(-1)).toBe('run-end')

  for await (const _ of run) expect.unreachable()
})

test('an observer that throws is warned of once, and the run goes on', async () => {
  let calls = 0
  const observe = (): void => {
    calls += 1
    throw new Error('disk full')
  }
  const { result } = await runOnce({ env: { observe } })

  expect(calls).toBe(1)
  expect(result).toMatchObject({ status: 'answered', warnings: [expect.stringMatching(/observer.*disk full/)] })
})

describe('two runs of one harness', () => {
  const counting = aPlugin({
    state: () => SHARED,
    direct(ctx) {
      ctx.state.steps.push(ctx.step)
      return { ...ctx.directive, text: `${ctx.state.steps.length}` }
    },
  })
  const SHARED = { steps: [] as number[] }

  test('share no state, also where the module gives the same object as first state', async () => {
    const { harness } = await aHarness({
      modules: { plugins: [counting] },
      tools: [aTool('look')],
      script: [({ messages }) => (messages.length < 4 ? { call: 'look' } : 'done')],
    })
    const results: RunResult[] = []
    for (let count = 0; count < 2; count++) results.push(await harness.run('x').result)
    results.push(...(await Promise.all([harness.run('x').result, harness.run('x').result])))

    for (const { steps } of results) expect(steps.map(({ directive }) => directive.text)).toEqual(['1', '2'])
    expect(SHARED.steps).toEqual([])
  })

  test('share no call ids, counters or money', async () => {
    const { harness } = await aHarness({
      tools: [aTool('look')],
      script: [({ messages }) => (messages.length < 3 ? { call: 'look' } : 'done')],
      modules: { manifest: { limits: { perTool: { look: 1 } } } },
    })
    const [first, second] = [await harness.run('x').result, await harness.run('x').result]

    expect(second.messages).toEqual(first.messages)
    expect(second.spent).toEqual(first.spent)
  })

  test('keep artifacts of one id apart, and see those of the host', async () => {
    const kept = new Map<string, unknown>([['doc', 'of the host']])
    const artifacts: ArtifactStore = {
      put: (id, value) => void kept.set(id, value),
      get: (id) => kept.get(id) as never,
    }
    const begun = [deferred<void>(), deferred<void>()]
    const action = defineModule({
      ...minimalAction,
      async act(ctx) {
        const id = ctx.put(ctx.task.instruction)
        begun[Number(ctx.task.instruction)]?.resolve()
        await Promise.all(begun.map(({ promise }) => promise))
        return { kind: 'answer', answer: [id, ctx.get(id) ?? null, ctx.get('doc') ?? null, ctx.get('none') ?? null] }
      },
    })
    const { harness } = await aHarness({ modules: { action }, env: { artifacts } })
    const results = await Promise.all(['0', '1'].map((task) => harness.run(task).result))

    expect(results.map(({ answer }) => answer)).toEqual([
      ['a1', '0', 'of the host', null],
      ['a1', '1', 'of the host', null],
    ])
    expect(results[0]?.artifacts).toEqual(['a1'])
  })
})

test('time that is simulated passes on the clock of the environment, and none besides', async () => {
  const clock = createVirtualClock(1_000)
  const model = createScriptedModel([{ content: 'done', finish: 'stop', latencyMs: 90_000 }])
  const before = performance.now()
  const { result } = await runOnce({ model, env: { clock } })

  expect(result).toMatchObject({ ms: 90_000, steps: [{ at: 1_000, ms: 90_000, modelCalls: [{ ms: 90_000 }] }] })
  expect(performance.now() - before).toBeLessThan(2_000)
})

test('a schema is compiled while the clock stands still, so that runs beside this one lose no time by it', async () => {
  const clock = createVirtualClock()
  let busy = 0
  const parameters = {
    type: 'object',
    get properties() {
      busy = clock.busy
      return {}
    },
  }
  await runOnce({ tools: [aTool('look', { parameters })], script: [{ call: 'look' }, 'done'], env: { clock } })

  expect(busy).toBe(1)
})
