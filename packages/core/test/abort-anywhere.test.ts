import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import {
  type Action,
  type Ctx,
  createEnvironment,
  defineModule,
  type EnvironmentOptions,
  type HarnessEvent,
  type Json,
  type ModelRequest,
  type ModelResponse,
  type Module,
  type Run,
  type RunResult,
  type Snapshot,
} from '../src/index.js'
import {
  assembleModules,
  createScriptedModel,
  createVirtualClock,
  ManualClock,
  type ModulesUnderTest,
  minimalAction,
} from '../src/testkit/index.js'
import { deferred } from './deferred.js'
import { aPlugin, aTool } from './one-run.js'
import { obedientModel, type PlannedRun, plannedModules, plannedTools } from './random-tree.js'

/** Every call takes a second or more, so that a wait that an abort does not end is seen. */
const TREE: PlannedRun = {
  steps: [
    { kind: 'call', calls: ['text', 'note', 'value'] },
    {
      kind: 'spawn',
      runs: [
        {
          steps: [
            {
              kind: 'spawn',
              runs: [{ steps: [{ kind: 'call', calls: ['text'] }], end: 'answer', latencyMs: 1_000 }],
              calls: ['keep'],
              concurrency: 1,
              delegated: true,
            },
          ],
          end: 'answer',
          latencyMs: 1_500,
        },
        { steps: [{ kind: 'call', calls: ['long', 'torn'] }], end: 'fail', latencyMs: 700 },
      ],
      calls: ['text'],
      concurrency: 2,
      delegated: false,
    },
  ],
  end: 'go on',
  latencyMs: 1_000,
}

/** Counts who was started and who was torn down, and keeps every signal that it was shown. */
function watcher() {
  const begun: string[] = []
  const ended: string[] = []
  const signals = new Set<AbortSignal>()
  const plugin = aPlugin({
    start(ctx) {
      begun.push(ctx.path)
      signals.add(ctx.signal)
    },
    end: (_result, ctx) => void ended.push(ctx.path),
  })
  return { begun, ended, signals, plugin }
}

const listeners = (signals: Iterable<AbortSignal>): number =>
  [...signals].reduce((sum, signal) => sum + getEventListeners(signal, 'abort').length, 0)

async function turns(count = 60): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** The tree, aborted at its event of a number: within the event, or by the signal of the caller. */
async function abortedAt(at: number) {
  const { begun, ended, signals, plugin } = watcher()
  const clock = createVirtualClock()
  const stop = new AbortController()
  const events: HarnessEvent[] = []
  const abortedMs: number[] = []
  let run: Run | undefined
  const observe = (event: HarnessEvent): void => {
    events.push(event)
    if (events.length !== at) return
    abortedMs.push(clock.now())
    if (at % 2 === 0) run?.abort('enough')
    else stop.abort('enough')
  }
  const tools = plannedTools().map((tool) => ({ ...tool, latencyMs: 1_200 }))
  const env = createEnvironment({ model: obedientModel(), tools, clock, strict: true, observe, newId: () => 'run' })
  const { plugins = [], ...modules } = plannedModules(TREE)
  const harness = await assembleModules({ ...modules, plugins: [...plugins, plugin] }, env)
  run = harness.run('Do as planned.', { signal: stop.signal })
  const result = await run.result
  const settledMs = clock.now() - (abortedMs[0] ?? Number.NaN)
  const snapshot = JSON.stringify(run.snapshot())
  await turns()
  return { result, settledMs, snapshot, run, events, begun, ended, clock, harness, signals: [...signals, stop.signal] }
}

describe('a tree of runs that is aborted, whatever it is doing,', () => {
  const LONG = { timeout: 120_000 }

  test(
    'settles at once, ends every run that began, and leaves no timer, no listener and no work behind',
    LONG,
    async () => {
      const whole = await abortedAt(0)
      expect(whole.result.status).toBe('limit')
      const isOver = whole.events.findIndex(({ type, path }) => type === 'run-end' && path === '')
      expect(whole.events.length).toBeGreaterThan(60)
      for (let at = 1; at <= isOver; at++) {
        const { result, settledMs, snapshot, run, events, begun, ended, clock, signals } = await abortedAt(at)
        const where = `event ${at}: ${events[at - 1]?.path} ${events[at - 1]?.type}`
        expect([where, result.status, result.reason]).toEqual([where, 'aborted', 'The run was aborted: enough'])
        expect(settledMs, where).toBeLessThan(200)
        const before = begun.filter((path) => !ended.includes(path))
        expect([where, before, new Set(ended).size]).toEqual([where, [], ended.length])
        expect([where, clock.sleeping, clock.busy, listeners(signals)]).toEqual([where, 0, 0, 0])
        expect(JSON.stringify(run.snapshot()), where).toBe(snapshot)
        const last = events.findLast(({ type }) => type !== 'warning')
        expect([where, last?.type, last?.path]).toEqual([where, 'run-end', ''])
      }
    },
  )

  test('goes on from what was durable when it was aborted, as if it had not been', LONG, async () => {
    const whole = await abortedAt(0)
    for (let at = 3; at < whole.events.length; at += 7) {
      const { snapshot, harness, result } = await abortedAt(at)
      if (result.status !== 'aborted') continue
      const runs = (JSON.parse(snapshot) as Snapshot).runs
      if (runs[''] === undefined) continue
      expect(Object.values(runs).some(({ end }) => end?.status === 'aborted')).toBe(false)
      const again = await (await harness.resume(JSON.parse(snapshot) as Snapshot)).result
      expect([at, again.status, again.answer]).toEqual([at, whole.result.status, whole.result.answer])
      expect(again.messages).toEqual(whole.result.messages)
    }
  })
})

/** A place in which something never comes back, whatever it is told. */
interface Stuck {
  readonly modules?: ModulesUnderTest
  readonly env?: Partial<EnvironmentOptions>
}

/** Each place, made of what says that it is reached and never ends. */
const PLACES: Readonly<Record<string, (hang: () => Promise<never>) => Stuck>> = {
  'a model': (hang) => ({ env: { model: { ...createScriptedModel(['x']), generate: hang } } }),
  'a model that streams': (hang) => ({
    env: {
      model: {
        ...createScriptedModel(['x']),
        supports: { tools: true, jsonSchema: true, stream: true },
        generate(_request: ModelRequest, { onDelta }): Promise<ModelResponse> {
          onDelta?.({ text: 'and' })
          return hang()
        },
      },
    },
  }),
  'a tool': (hang) => ({ env: { tools: [aTool('look', { execute: hang })] } }),
  'a tool among others': (hang) => ({
    env: {
      tools: [aTool('look', { readOnly: true, execute: ({ at }: { at: number }) => (at === 1 ? hang() : 'seen') })],
    },
  }),
  'a tool of a module': (hang) => ({
    env: { tools: [] },
    modules: {
      plugins: [
        aPlugin({
          tools: () => [{ name: 'look', description: 'Looks.', parameters: { type: 'object' }, execute: hang }],
        }),
      ],
    },
  }),
  'a person who is asked by an action': (hang) => ({
    env: { ask: hang },
    modules: { action: defineModule({ ...minimalAction, act: () => ({ kind: 'ask', question: 'What?' }) }) },
  }),
  'a person who is asked by a guard': (hang) => ({
    env: { ask: hang },
    modules: { plugins: [aPlugin({ toolCall: () => ({ ask: 'May it?' }) })] },
  }),
  'a journal': (hang) => {
    let entries = 0
    return { env: { journal: { append: () => (++entries === 4 ? hang() : undefined) } } }
  },
  'a fork of a workspace': (hang) => ({
    env: {
      workspace: 'main',
      workspaces: { fork: hang, discard: async () => {}, merge: async () => [], commit: async () => {} },
    },
    modules: { action: spawning({ workspace: 'fork' }) },
  }),
  'a merge of workspaces': (hang) => ({
    env: {
      workspace: 'main',
      workspaces: { fork: async () => {}, discard: async () => {}, merge: hang, commit: async () => {} },
      tools: [],
      model: createScriptedModel(['done']),
    },
    modules: { action: spawning({ workspace: 'fork' }) },
  }),
  'a child of a child': (hang) => ({
    env: { tools: [aTool('look', { execute: hang })] },
    modules: {
      action: defineModule({
        ...minimalAction,
        act: (ctx): Action | Promise<Action> =>
          ctx.depth === 2
            ? (minimalAction.act?.(ctx as Ctx) as Promise<Action>)
            : { kind: 'spawn', runs: ['a', 'b'].map((id) => ({ id, task: { instruction: 'Go on.' } })) },
      }),
    },
  }),
  'a memory': (hang) => ({ modules: { memory: defineModule({ slot: 'memory', summary: 'Hangs.', view: hang }) } }),
  ...Object.fromEntries(
    ['start', 'modelRequest', 'modelResponse', 'toolCall', 'toolResult', 'record', 'checkpoint'].map((verb) => [
      `a tap of "${verb}"`,
      (hang: () => Promise<never>): Stuck => ({ modules: { plugins: [aPlugin({ [verb]: hang } as never)] } }),
    ]),
  ),
}

function spawning(sub: { readonly workspace: 'fork' }): Module {
  return defineModule({
    ...minimalAction,
    act: (ctx): Action | Promise<Action> =>
      ctx.depth > 0
        ? (minimalAction.act?.(ctx as Ctx) as Promise<Action>)
        : { kind: 'spawn', runs: [{ id: 'a', task: { instruction: 'Go on.' }, ...sub }] },
  })
}

/** A run that is stuck in a place, aborted when it is there, on a clock that stands. */
async function stuckIn(place: (hang: () => Promise<never>) => Stuck, end?: () => Promise<void>) {
  const reached = deferred<void>()
  const { modules = {}, env = {} } = place(() => {
    reached.resolve()
    return new Promise(() => {})
  })
  const { begun, ended, signals, plugin } = watcher()
  const clock = new ManualClock()
  const stop = new AbortController()
  const looks = { calls: [0, 1].map((at) => ({ call: 'look', with: { at } })) }
  const ending = end === undefined ? [] : [aPlugin({ end })]
  const harness = await assembleModules(
    { ...modules, plugins: [plugin, ...(modules.plugins ?? []), ...ending] },
    createEnvironment({
      model: createScriptedModel([looks]),
      tools: [aTool('look')],
      observe: () => {},
      clock,
      strict: true,
      ...env,
    }),
  )
  const run = harness.run('Do the task.', { signal: stop.signal })
  await reached.promise
  stop.abort(new Error('enough'))
  return { run, clock, begun, ended, signals: [...signals, stop.signal] }
}

describe('a run that is stuck in what never comes back and hears no signal', () => {
  test.each(Object.keys(PLACES))('is aborted at once: %s', async (name) => {
    const { run, begun, ended, signals } = await stuckIn(PLACES[name] as (typeof PLACES)[string])
    expect(await run.result).toMatchObject({ status: 'aborted', reason: 'The run was aborted: enough', answer: null })
    await turns()
    expect(begun.filter((path) => !ended.includes(path))).toEqual([])
    expect(listeners(signals)).toBe(0)
  })

  test('waits for an `end` that hangs too, but less than 200 ms, and says so', async () => {
    const { run, clock, ended } = await stuckIn(
      PLACES['a tool'] as (typeof PLACES)[string],
      () => new Promise(() => {}),
    )
    let result: RunResult | undefined
    void run.result.then((settled) => {
      result = settled
    })
    await turns()
    expect([result, ended]).toEqual([undefined, []])
    clock.advance(199)
    await turns()
    expect(result).toMatchObject({ status: 'aborted', warnings: [expect.stringContaining('it takes too long')] })
    expect(ended).toEqual([''])
  })

  test('does not stop at an `end` that throws: the others end too', async () => {
    const failing = (): Promise<void> => Promise.reject(new Error('the line is closed'))
    const { run, ended } = await stuckIn(PLACES['a child of a child'] as (typeof PLACES)[string], failing)
    expect((await run.result).warnings).toEqual([expect.stringContaining('the line is closed')])
    await turns()
    expect(ended.toSorted()).toEqual(['', '1.a', '1.a/1.a', '1.a/1.b', '1.b', '1.b/1.a', '1.b/1.b'])
  })
})

test('what comes back after an abort is not taken up: nothing becomes durable, and no model is asked', async () => {
  const gate = deferred<Json>()
  const reached = deferred<void>()
  const late = aTool('look', {
    execute() {
      reached.resolve()
      return gate.promise
    },
  })
  const model = createScriptedModel([{ call: 'look' }])
  const entries: object[] = []
  const env = createEnvironment({
    model,
    tools: [late],
    clock: new ManualClock(),
    journal: { append: (entry) => void entries.push(entry) },
  })
  const run = (await assembleModules({}, env)).run('Do the task.')
  await reached.promise
  run.abort()
  await run.result
  const [made, asked] = [entries.length, model.requests.length]
  gate.resolve('late')
  await turns()
  expect([entries.length, model.requests.length]).toEqual([made, asked])
})
