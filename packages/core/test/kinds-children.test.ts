import { describe, expect, test } from 'vitest'
import {
  type Action,
  type Ctx,
  defineModule,
  type HarnessEvent,
  type Json,
  type ModelResponse,
  type Module,
  type SubRun,
  systemClock,
  type ToolContext,
} from '../src/index.js'
import { createVirtualClock, minimalAction, type Script } from '../src/testkit/index.js'
import { deferred } from './deferred.js'
import { aHarness, aPlugin, aTool, runOnce } from './one-run.js'

/** An action that starts child runs at its first step and then answers with what they gave; a child asks its model. */
const spawning = (runs: readonly Omit<SubRun, 'task'>[], answer: (ctx: Ctx) => Json = () => 'done'): Module =>
  defineModule({
    ...minimalAction,
    act(ctx): Promise<Action | undefined> | Action | undefined {
      if (ctx.depth > 0) return minimalAction.act?.(ctx as Ctx) as Promise<Action>
      if (ctx.step > 1) return { kind: 'answer', answer: answer(ctx as Ctx) }
      return { kind: 'spawn', runs: runs.map((sub) => ({ task: { instruction: `Be ${sub.id}.` }, ...sub })) }
    },
  })

/** A tool that never ends by itself, and what became of its calls. */
function waiting(name: string) {
  const begun = deferred<void>()
  const signals: AbortSignal[] = []
  const tool = aTool(name, {
    readOnly: true,
    execute: (_args: unknown, { signal }: ToolContext) => {
      signals.push(signal)
      begun.resolve()
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  })
  return { tool, signals, begun: begun.promise }
}

/** Lets so many turns of the event loop pass. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

describe('when a parent is stopped', () => {
  test('K37: by an abort, what its children are doing is aborted at once, at every depth', async () => {
    const { tool, signals, begun } = waiting('wait')
    const deep = defineModule({
      ...minimalAction,
      act: (ctx): Promise<Action> | Action =>
        ctx.depth === 2
          ? (minimalAction.act?.(ctx as Ctx) as Promise<Action>)
          : { kind: 'spawn', runs: [{ id: 'next', task: { instruction: 'Go on.' } }] },
    })
    const { harness } = await aHarness({
      modules: { action: deep },
      tools: [tool],
      script: [{ call: 'wait' }],
      env: { clock: systemClock },
    })
    const stop = new AbortController()
    const run = harness.run('Do the task.', { signal: stop.signal })
    await begun
    const before = performance.now()
    stop.abort(new Error('enough'))

    expect(await run.result).toMatchObject({ status: 'aborted', reason: 'The run was aborted: enough' })
    expect(performance.now() - before).toBeLessThan(200)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  test('K38: as nobody reads it any more, its children stop: they ask no model, call no tool and say nothing', async () => {
    const looks: string[] = []
    const look = aTool('look', {
      readOnly: true,
      execute: async (_args: unknown, { path }: ToolContext) => {
        await new Promise((resolve) => setImmediate(resolve))
        looks.push(path)
        return `look ${looks.length}`
      },
    })
    const events: HarnessEvent[] = []
    const { harness, model } = await aHarness({
      modules: { action: spawning([{ id: 'a' }, { id: 'b' }]) },
      tools: [look],
      script: [{ call: 'look' }],
      env: { clock: systemClock, observe: (event) => events.push(event) },
    })
    const run = harness.run('Do the task.')
    for await (const event of run) if (event.type === 'step-end' && event.path === '1.b' && event.step === 2) break
    expect((await run.result).status).toBe('aborted')
    await turns(20) // calls that were under way
    const seen = [looks.length, model.requests.length, events.length]
    await turns(100)

    expect(new Set(looks)).toEqual(new Set(['1.a', '1.b']))
    expect([looks.length, model.requests.length, events.length]).toEqual(seen)
  })
})

describe('the deadline of a parent', () => {
  test.each([
    ['that ask for none', {}],
    ['that ask for an hour', { limits: { ms: 3_600_000 } }],
  ])('K41: is one for its children %s: they have what is left, and it does not wait for them', async (_, sub) => {
    const clock = createVirtualClock()
    const planning = defineModule({
      slot: 'planning',
      summary: 'Thinks for three seconds first.',
      async direct(ctx) {
        if (ctx.depth === 0) await ctx.model({ purpose: 'plan', messages: ctx.view.messages })
        return ctx.directive
      },
    })
    const said = (latencyMs: number): ModelResponse => ({ content: 'late', finish: 'stop', latencyMs })
    const { result, events } = await runOnce({
      modules: { action: spawning([{ id: 'slow', ...sub }]), planning },
      script: { plan: [said(3_000)], act: [said(2 * 3_600_000)] },
      limits: { ms: 5_000 },
      env: { clock },
    })

    expect(events.find(({ type }) => type === 'child-end')).toMatchObject({ status: 'limit', reason: 'ms', at: 5_000 })
    expect(result.children['1.slow']?.ms).toBe(2_000)
    expect(result).toMatchObject({ status: 'limit', reason: 'ms', ms: 5_000 })
    expect(clock.now()).toBe(5_000)
  })
})

describe('children that run at once', () => {
  /** Lets so many calls of a run through. */
  const capped = aPlugin({
    state: () => ({ calls: 0 }),
    toolCall(_call, ctx) {
      if (ctx.state.calls >= 2) return { deny: true, reason: 'two calls are enough' }
      ctx.state.calls++
      return undefined
    },
  })

  test('K53: with the same plugin count for themselves, and neither for each other nor for their parent', async () => {
    const look = aTool('look', { readOnly: true, latencyMs: 10 })
    const script: Script = ({ messages }) =>
      messages.length < 7 ? { call: 'look', with: { at: messages.length } } : 'done'
    const { result } = await runOnce({
      modules: { action: spawning([{ id: 'a' }, { id: 'b' }]), plugins: [capped] },
      tools: [look],
      script: [script],
    })

    const allowed = ['1.a', '1.b'].map((path) =>
      result.children[path]?.steps.flatMap((step) => step.observations.map(({ ok }) => ok)),
    )
    expect(allowed).toEqual([
      [true, true, false],
      [true, true, false],
    ])
    expect(result).toMatchObject({ status: 'answered', steps: [{ action: { kind: 'spawn' } }, {}] })
  })

  test('K54: and answer with objects give each its own, in the order of the runs', async () => {
    const output = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }
    const answers = ({ messages }: { messages: readonly { content: unknown }[] }): Script => {
      const isSlow = String(messages[0]?.content).includes('first')
      const content = JSON.stringify({ sum: isSlow ? 1 : 2 })
      return { content, finish: 'stop', latencyMs: isSlow ? 50 : 5 }
    }
    const parsing = defineModule({
      ...minimalAction,
      async act(ctx): Promise<Action> {
        if (ctx.depth === 0 && ctx.step === 1) {
          const runs = ['first', 'second'].map((id) => ({ id, task: { instruction: `Be ${id}.`, output } }))
          return { kind: 'spawn', runs }
        }
        if (ctx.depth === 0) {
          const sums = ctx.last?.observations.map(({ data }) => (data as { answer: Json }).answer) ?? []
          return { kind: 'answer', answer: sums }
        }
        const reply = await ctx.model({ purpose: 'act', messages: ctx.view.messages, schema: output })
        return { kind: 'answer', reply, answer: JSON.parse(reply.content) as Json }
      },
    })
    const { result } = await runOnce({ modules: { action: parsing }, script: [answers] })

    expect(result.answer).toEqual([{ sum: 1 }, { sum: 2 }])
    expect(result.steps[0]?.observations.map(({ callId, data }) => [callId, data])).toMatchObject([
      ['first', { path: '1.first', answer: { sum: 1 } }],
      ['second', { path: '1.second', answer: { sum: 2 } }],
    ])
    expect(Object.entries(result.children).map(([path, { answer }]) => [path, answer])).toEqual(
      expect.arrayContaining([
        ['1.first', { sum: 1 }],
        ['1.second', { sum: 2 }],
      ]),
    )
  })
})
