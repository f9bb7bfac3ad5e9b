import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import {
  defineModule,
  HarnessError,
  type HarnessEvent,
  type Module,
  type RunResult,
  systemClock,
  type Tool,
  type ToolContext,
} from '../src/index.js'
import { createScriptedModel, createVirtualClock, minimalAction } from '../src/testkit/index.js'
import { deferred } from './deferred.js'
import { aCounter, aHarness, aPlugin, aTool, type OneRun } from './one-run.js'

const never = (): Promise<never> => new Promise(() => {})
/** Aborts are about the computer's time, so that these runs are on its clock. */
const onRealClock = (one: OneRun): OneRun => ({ ...one, env: { clock: systemClock, ...one.env } })

/** Starts a run, aborts it when something says so, and measures how long it then takes to end. */
async function abortWhen(one: OneRun, ready: Promise<unknown>): Promise<{ result: RunResult; settledMs: number }> {
  const { harness } = await aHarness(onRealClock(one))
  const stop = new AbortController()
  const run = harness.run('Do the task.', { ...one, signal: stop.signal })
  await ready
  const before = performance.now()
  stop.abort(new Error('enough'))
  const result = await run.result
  return { result, settledMs: performance.now() - before }
}

const aborted = { status: 'aborted', reason: 'The run was aborted: enough', answer: null }

describe('a run ends as aborted, in less than 200 ms', () => {
  test('K36: before it starts, without a request and without a verb but end', async () => {
    const verbs: string[] = []
    const plugin = aPlugin({
      start: () => void verbs.push('start'),
      modelRequest: () => void verbs.push('modelRequest'),
      end: () => void verbs.push('end'),
    })
    const { harness, model } = await aHarness({ modules: { plugins: [plugin] } })
    const result = await harness.run('x', { signal: AbortSignal.abort(new Error('enough')) }).result

    expect(result).toMatchObject(aborted)
    expect(model.requests).toEqual([])
    expect(verbs).toEqual(['end'])
  })

  test('K37: in a model call that ignores its signal, which is aborted all the same', async () => {
    const asked = deferred<AbortSignal>()
    const model = {
      ...createScriptedModel([]),
      generate: (_: unknown, { signal }: { signal: AbortSignal }) => {
        asked.resolve(signal)
        return never()
      },
    }
    const { result, settledMs } = await abortWhen({ model: model as never }, asked.promise)

    expect(result).toMatchObject(aborted)
    expect(settledMs).toBeLessThan(200)
    expect((await asked.promise).aborted).toBe(true)
    expect(result.spent.modelCalls).toBe(0)
  })

  test('in a tool that ignores its signal: its late result is discarded, with a warning', async () => {
    const made = deferred<(value: string) => void>()
    const signals: AbortSignal[] = []
    const stubborn = aTool('stubborn', {
      execute: (_, { signal }) => {
        signals.push(signal)
        return new Promise<string>((resolve) => made.resolve(resolve))
      },
    })
    const events: HarnessEvent[] = []
    const plugin = aPlugin({ toolResult: () => expect.unreachable('there is no result') })
    const { result, settledMs } = await abortWhen(
      {
        tools: [stubborn],
        script: [{ call: 'stubborn' }],
        modules: { plugins: [plugin] },
        env: { observe: (event) => events.push(event) },
      },
      made.promise,
    )
    expect(result).toMatchObject({ ...aborted, steps: [] })
    expect(settledMs).toBeLessThan(200)
    expect(signals[0]?.aborted).toBe(true)
    expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'aborted' })

    ;(await made.promise)('late')
    await new Promise((resolve) => setImmediate(resolve))
    expect(events.at(-1)).toMatchObject({ type: 'warning', message: 'a late result of stubborn was discarded' })
    expect(result.steps).toEqual([])
  })

  test('in a module that waits for what never comes', async () => {
    const begun = deferred<void>()
    const action = defineModule({
      ...minimalAction,
      act: () => {
        begun.resolve()
        return never()
      },
    })
    const { result, settledMs } = await abortWhen({ modules: { action } }, begun.promise)

    expect(result).toMatchObject(aborted)
    expect(settledMs).toBeLessThan(200)
  })

  test('with an `end` that never ends, which is reported', async () => {
    const begun = deferred<void>()
    const ended: string[] = []
    const hanging = aPlugin({ end: () => never() })
    const closing = aPlugin({ end: () => void ended.push('closed') })
    const action = defineModule({
      ...minimalAction,
      act: () => {
        begun.resolve()
        return never()
      },
    })
    const { result, settledMs } = await abortWhen(
      { modules: { action, plugins: [closing, hanging, hanging] } },
      begun.promise,
    )

    expect(settledMs).toBeLessThan(200)
    expect(ended).toEqual(['closed'])
    expect(result.warnings).toEqual([
      '@test/modules#m3 failed to end: it takes too long',
      '@test/modules#m2 failed to end: it takes too long',
    ])
  })
})

test('an `end` that takes its time gets it, in a run that is not aborted', async () => {
  const ended: string[] = []
  const closing = aPlugin({
    async end() {
      await systemClock.sleep(150)
      ended.push('closed')
    },
  })
  const { harness } = await aHarness(onRealClock({ modules: { plugins: [closing] } }))
  const result = await harness.run('x').result

  expect(ended).toEqual(['closed'])
  expect(result.warnings).toEqual([])
})

test('an action that comes after the abort is not performed, and nothing after it is recorded', async () => {
  const begun = deferred<void>()
  const go = deferred<void>()
  const log: string[] = []
  const action = defineModule({
    slot: 'action',
    summary: 'Acts late.',
    async act() {
      begun.resolve()
      await go.promise
      return { kind: 'call', calls: [{ id: 'a', name: 'look', arguments: '{}' }] }
    },
  })
  const plugin = aPlugin({
    toolCall: () => void log.push('toolCall'),
    record: () => void log.push('record'),
    end: () => void log.push('end'),
  })
  const look = aTool('look', { execute: () => log.push('look') })
  const { result } = await abortWhen({ modules: { action, plugins: [plugin] }, tools: [look] }, begun.promise)
  go.resolve()
  await new Promise((resolve) => setImmediate(resolve))

  expect(log).toEqual(['end'])
  expect(result.steps).toEqual([])
})

test('a step whose effect ends after the abort is not recorded', async () => {
  const begun = deferred()
  const go = deferred()
  const log: string[] = []
  const plugin = aPlugin({
    async toolResult() {
      begun.resolve()
      await go.promise
      return undefined
    },
    record: () => void log.push('record'),
    checkpoint: ({ delta }) => void (delta.step && log.push(`checkpoint ${delta.step.index}`)),
  })
  await abortWhen({ modules: { plugins: [plugin] }, tools: [aTool('look')], script: [{ call: 'look' }] }, begun.promise)
  go.resolve()
  await new Promise((resolve) => setImmediate(resolve))

  expect(log).toEqual([])
})

test('a model call of a module that is left behind by the abort is not made', async () => {
  const begun = deferred<void>()
  const go = deferred<void>()
  const action = defineModule({
    ...minimalAction,
    async act(ctx) {
      begun.resolve()
      await go.promise
      const reply = await ctx.model({ purpose: 'act', messages: ctx.head })
      return { kind: 'answer', answer: reply.content }
    },
  })
  const model = createScriptedModel(['too late'])
  await abortWhen({ modules: { action }, model }, begun.promise)
  go.resolve()
  await new Promise((resolve) => setImmediate(resolve))

  expect(model.requests).toEqual([])
})

test('run.abort ends a run too, with its reason', async () => {
  const { harness } = await aHarness(
    onRealClock({ modules: { action: defineModule({ ...minimalAction, act: () => never() }) } }),
  )
  const run = harness.run('x')
  run.abort('the user left')

  expect(await run.result).toMatchObject({ status: 'aborted', reason: 'The run was aborted: the user left' })
})

test('K38: leaving the iteration early aborts the run', async () => {
  const { harness, model } = await aHarness({ tools: [aCounter('look')], script: [{ call: 'look' }] })
  const run = harness.run('x')
  for await (const event of run) if (event.type === 'step-end' && event.step === 2) break

  expect(await run.result).toMatchObject({ status: 'aborted', steps: [{ index: 1 }, { index: 2 }] })
  expect(model.requests.length).toBeLessThanOrEqual(3)
})

test('an abort leaves no timer behind, though the tool that ignores it goes on', async () => {
  const clock = createVirtualClock()
  const begun = deferred<void>()
  const tool = aTool('look', {
    execute() {
      begun.resolve()
      return never()
    },
  })
  const { harness } = await aHarness({ tools: [tool], script: [{ call: 'look' }], env: { clock } })
  const run = harness.run('x')
  await begun.promise
  expect(clock.sleeping).toBe(1)
  run.abort()

  expect((await run.result).status).toBe('aborted')
  expect(clock.sleeping).toBe(0)
})

test('an error of a module that calls itself an abort is a failure, where nobody has aborted', async () => {
  const plugin = aPlugin({
    direct() {
      throw new HarnessError('E_RUN_ABORTED')
    },
  })
  const { harness } = await aHarness({ modules: { plugins: [plugin] } })

  expect(await harness.run('x').result).toMatchObject({ status: 'failed', reason: 'E_RUN_ABORTED' })
})

test('a tool that ends in its abort is no result that a tap gets to see', async () => {
  const begun = deferred<void>()
  const seen: string[] = []
  const tool = aTool('look', {
    execute: (_args: unknown, { signal }: ToolContext) => {
      begun.resolve()
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
    },
  })
  const plugin = aPlugin({ toolResult: ({ content }) => void seen.push(content) })
  const { harness } = await aHarness({ tools: [tool], script: [{ call: 'look' }], modules: { plugins: [plugin] } })
  const run = harness.run('x')
  await begun.promise
  run.abort()
  expect((await run.result).status).toBe('aborted')
  await new Promise((resolve) => setImmediate(resolve))

  expect(seen).toEqual([])
})

test('an abort after the end changes nothing', async () => {
  const { harness } = await aHarness({})
  const stop = new AbortController()
  const run = harness.run('x', { signal: stop.signal })
  const result = await run.result
  stop.abort()
  run.abort()

  expect(result.status).toBe('answered')
  expect(await run.result).toBe(result)
})

test('an abort while a limit is being met ends the run as aborted', async () => {
  const asked = deferred<void>()
  const model = createScriptedModel({
    act: [{ call: 'look' }],
    finish: [
      () => {
        asked.resolve()
        return never()
      },
    ],
  })
  const { result } = await abortWhen({ model, tools: [aTool('look')], limits: { steps: 1 } }, asked.promise)

  expect(result).toMatchObject({ status: 'aborted', steps: [{ index: 1 }] })
})

test('K42: 500 steps leave at most one listener on the signal of the caller, and none at the end', async () => {
  const { signal } = new AbortController()
  let most = 0
  let looks = 0
  const look: Tool = aTool('look', {
    readOnly: true,
    execute: () => {
      most = Math.max(most, getEventListeners(signal, 'abort').length)
      return `seen ${looks++}`
    },
  })
  const watching: Module = aPlugin({
    direct(ctx) {
      most = Math.max(most, getEventListeners(ctx.signal, 'abort').length)
      return ctx.directive
    },
  })
  const { harness } = await aHarness({
    modules: { plugins: [watching] },
    tools: [look],
    script: [{ calls: [{ call: 'look' }, { call: 'look' }] }],
    env: { limits: { steps: 500, toolCalls: 2_000, tokens: 1e9, ms: 1e9 } },
  })
  const result = await harness.run('x', { signal, limits: { steps: 500 } }).result

  expect(result).toMatchObject({ status: 'limit', reason: 'steps' })
  expect(result.steps.length).toBeGreaterThanOrEqual(500)
  expect(most).toBeLessThanOrEqual(1)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})
