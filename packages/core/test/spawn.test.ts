import { faultOf } from '@harnesswright/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Action,
  type Ctx,
  defineModule,
  type HarnessEvent,
  type Limits,
  type Manifest,
  type ModelRequest,
  type Module,
  type RunRecord,
  type Snapshot,
  type SpawnAction,
  type SubRun,
  type ToolCall,
} from '../src/index.js'
import { createScriptedModel, minimalAction, resumeLaw, type Script } from '../src/testkit/index.js'
import { aHarness, aPlugin, aTool, type OneRun, runOnce } from './one-run.js'

type Sub = Omit<SubRun, 'task'> & { readonly task?: SubRun['task'] }
type More = Partial<Omit<SpawnAction, 'kind' | 'runs'>>

/** The root starts child runs at its first step, and then answers or asks its model; a child asks its model. */
const spawning = (runs: readonly Sub[], more: More = {}, after?: (ctx: Ctx) => Action): Module =>
  defineModule({
    ...minimalAction,
    act(ctx): Action | Promise<Action> {
      if (ctx.depth > 0) return minimalAction.act?.(ctx as Ctx) as Promise<Action>
      if (ctx.step > 1) return after?.(ctx as Ctx) ?? { kind: 'answer', answer: 'done' }
      return { kind: 'spawn', runs: runs.map((sub) => ({ task: { instruction: `Be ${sub.id}.` }, ...sub })), ...more }
    },
  })

const ids = (...names: readonly string[]): readonly Sub[] => names.map((id) => ({ id }))

/** The child that a request is of. */
const whose = ({ messages }: ModelRequest): string => /Be (.*?)\./.exec(JSON.stringify(messages))?.[1] ?? ''

const seen = ({ messages }: ModelRequest): number => messages.filter(({ role }) => role === 'tool').length

/** Runs to the end; gives the observations of the first step, and what became durable. */
async function spawned(one: OneRun) {
  const { harness, model } = await aHarness(one)
  const run = harness.run('Do the task.', one)
  const events: HarnessEvent[] = []
  for await (const event of run) events.push(event)
  const result = await run.result
  const runs = run.snapshot().runs as Readonly<Record<string, RunRecord>>
  const told = result.steps[0]?.observations.map(({ content }) => content) ?? []
  return { result, events, requests: model.requests, runs, told, observations: result.steps[0]?.observations ?? [] }
}

const limitsOf = (runs: Readonly<Record<string, RunRecord>>, path: string): Partial<Limits> | undefined =>
  runs[path]?.opening.limits

describe('what child runs may use at most', () => {
  test('is an equal share of what is left, of which one is kept; what is kept aside for the answer is not shared out', async () => {
    const { runs } = await spawned({
      modules: { action: spawning(ids('a', 'b', 'c')) },
      limits: { tokens: 10_000, usd: 4, toolCalls: 9 },
    })
    for (const id of ['a', 'b', 'c'])
      expect(limitsOf(runs, `1.${id}`)).toMatchObject({ tokens: 2_375, usd: 0.95, toolCalls: 2 })
  })

  test('is what was asked for first, and the rest is shared by the others', async () => {
    const asking: readonly Sub[] = [{ id: 'a' }, { id: 'b', limits: { tokens: 3_000 } }, { id: 'c' }]
    const { runs } = await spawned({ modules: { action: spawning(asking) }, limits: { tokens: 10_000 } })
    const tokens = ['1.a', '1.b', '1.c'].map((path) => limitsOf(runs, path)?.tokens)
    expect(tokens).toEqual([2_166, 3_000, 2_166])
  })

  test('is never more than what is left: who asks too late for too much is not started, and says so', async () => {
    const asking: readonly Sub[] = ['a', 'b', 'c'].map((id) => ({ id, limits: { tokens: 6_000 } }))
    const { runs, told, events } = await spawned({
      modules: { action: spawning(asking) },
      limits: { tokens: 10_000 },
      script: ['fine'],
    })
    expect(['1.a', '1.b'].map((path) => limitsOf(runs, path)?.tokens)).toEqual([6_000, 3_500])
    expect(told).toEqual([
      'fine',
      'fine',
      expect.stringMatching(/^error: the run c was not started: The limit "tokens" is reached: 0 left/),
    ])
    expect(runs['1.c']).toBeUndefined()
    expect(events.filter(({ type }) => type === 'child-start')).toHaveLength(2)
  })

  test('is nothing where the parent has used all: no child is started', async () => {
    const { told, runs } = await spawned({
      modules: { action: spawning(ids('a', 'b'), { calls: [{ id: 'k', name: 'look', arguments: '{}' }] }) },
      tools: [aTool('look')],
      limits: { toolCalls: 1 },
    })
    expect(told[0]).toBe('look {}')
    for (const text of told.slice(1)) expect(text).toMatch(/not started: The limit "toolCalls" is reached/)
    expect(Object.keys(runs)).toEqual([''])
  })

  test('does not grow with what was asked for, whatever that is: leases sum to no more than what is left', async () => {
    const asks = fc.array(
      fc.record(
        { tokens: fc.nat(9_000), usd: fc.double({ min: 0, max: 3, noNaN: true }), toolCalls: fc.nat(30) },
        { requiredKeys: [] },
      ),
      { minLength: 1, maxLength: 6 },
    )
    const property = fc.asyncProperty(asks, async (asked) => {
      const subs = asked.map((limits, index) => ({ id: `r${index}`, limits }))
      const leases: Partial<Limits>[] = []
      const watching = {
        append: ({ effect }: { effect?: { leases?: Readonly<Record<string, Partial<Limits>>> } }) =>
          void leases.push(...Object.values(effect?.leases ?? {})),
      }
      await spawned({
        modules: { action: spawning(subs) },
        limits: { tokens: 10_000, usd: 2, toolCalls: 20 },
        env: { journal: watching as never },
      })
      expect(leases).toHaveLength(asked.length)
      const sum = (name: 'tokens' | 'usd' | 'toolCalls'): number =>
        leases.reduce((total, lease) => total + (lease[name] ?? Number.NaN), 0)
      expect(sum('tokens')).toBeLessThanOrEqual(9_500)
      expect(sum('usd')).toBeLessThanOrEqual(1.9 + 1e-9)
      expect(sum('toolCalls')).toBeLessThanOrEqual(20)
      for (const lease of leases)
        expect(Math.min(lease.tokens ?? -1, lease.usd ?? -1, lease.toolCalls ?? -1)).toBeGreaterThanOrEqual(0)
    })
    await fc.assert(property, { numRuns: 40 })
  })

  test('holds for all below it: a child cannot give to its own children what it does not have', async () => {
    const nested = defineModule({
      ...minimalAction,
      act(ctx): Action | Promise<Action> {
        if (ctx.depth === 2) return minimalAction.act?.(ctx as Ctx) as Promise<Action>
        if (ctx.step > 1) return { kind: 'answer', answer: 'done' }
        const limits = ctx.depth === 0 ? { tokens: 1_000 } : { tokens: 50_000 }
        return { kind: 'spawn', runs: [{ id: 'a', task: { instruction: 'Be a.' }, limits }] }
      },
    })
    const { runs } = await spawned({ modules: { action: nested }, limits: { tokens: 100_000 } })
    expect(limitsOf(runs, '1.a')?.tokens).toBe(1_000)
    expect(limitsOf(runs, '1.a/1.a')?.tokens).toBe(950)
  })

  test('is fixed when the effect starts, and is the same after a resume, although more is left by then', async () => {
    const model = () =>
      createScriptedModel([
        (request: ModelRequest) => (seen(request) < 2 ? { call: 'look', with: { n: seen(request) } } : 'done'),
      ])
    const { faults, withChildren } = await resumeLaw({
      task: 'Do the task.',
      async fresh(journal) {
        const { harness, model: own } = await aHarness({
          modules: {
            action: spawning(ids('a', 'b')),
            plugins: [aPlugin({ record: (_step, ctx) => ctx.note('left', String(ctx.left.tokens > 0)) })],
          },
          model: model(),
          tools: [aTool('look', { idempotent: true })],
          env: { journal, limits: { tokens: 20_000, concurrency: 1 } },
        })
        return { harness, requests: own.requests }
      },
    })
    expect(faults).toEqual([])
    expect(withChildren).toBeGreaterThan(10)
  })

  test.each([
    [{ tokens: -1 }, 'tokens'],
    [{ toolCalls: 'many' }, 'toolCalls'],
    [{ steps: null }, 'steps'],
  ])('is a number from 0 up: %j is refused', async (limits, name) => {
    const { result } = await spawned({ modules: { action: spawning([{ id: 'a', limits: limits as never }]) } })
    expect(result.error).toMatchObject({
      code: 'E_PROTOCOL_ACTION',
      message: expect.stringContaining(`the limit ${name} of the run "a" is`),
    })
  })

  test('ends in depth: below the deepest level no child is started', async () => {
    const deep = defineModule({
      ...minimalAction,
      act: (ctx): Action =>
        ctx.step > 1
          ? { kind: 'answer', answer: ctx.last?.observations.map(({ content }) => content) ?? [] }
          : { kind: 'spawn', runs: [{ id: 'x', task: { instruction: 'Go on.' } }] },
    })
    const { runs, result } = await spawned({ modules: { action: deep }, limits: { depth: 2 } })
    expect(Object.keys(runs)).toEqual(['', '1.x', '1.x/1.x'])
    expect(result.answer).toEqual([expect.stringMatching(/The limit \\+"depth\\+" is reached/)])
  })
})

describe('what a child run is made of', () => {
  const both = [aTool('look'), aTool('write')]

  test('is what its parent has: the same harness, tools and model, and neither its history nor its state', async () => {
    const counting = aPlugin({
      state: () => ({ steps: 0 }),
      record: (_step, ctx) => void ctx.state.steps++,
      system: (ctx) => `Step ${ctx.state.steps}.`,
    })
    const { requests } = await spawned({
      modules: { action: spawning(ids('a')), plugins: [counting] },
      tools: both,
      task: { instruction: 'Do it.', inputs: { secretly: 'of the root' } },
    })
    expect(requests[0]?.messages.map(({ content }) => content)).toEqual(['Step 0.', 'Be a.'])
    expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(['look', 'write'])
  })

  test('is fewer tools where its parent says so', async () => {
    const { requests } = await spawned({ modules: { action: spawning([{ id: 'a', tools: ['write'] }]) }, tools: both })
    expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(['write'])
  })

  test('is not a tool that its parent does not have: it is not started, and the nearest are named', async () => {
    const { told, runs } = await spawned({
      modules: { action: spawning([{ id: 'a', tools: ['wirte'] }]) },
      tools: both,
    })
    expect(told).toEqual(['error: the run a was not started: there is no tool "wirte" for it; nearest: write, look'])
    expect(Object.keys(runs)).toEqual([''])
  })

  test('is not a tool that its parent was not given either: what is left out stays so below', async () => {
    const nested = defineModule({
      ...minimalAction,
      act(ctx): Action | Promise<Action> {
        if (ctx.step > 1) return { kind: 'answer', answer: ctx.last?.observations.map(({ content }) => content) ?? [] }
        const tools = ctx.depth === 0 ? ['look'] : ['write']
        return { kind: 'spawn', runs: [{ id: 'a', task: { instruction: 'Be a.' }, tools }] }
      },
    })
    const { told } = await spawned({ modules: { action: nested }, tools: both })
    expect(told[0]).toMatch(/there is no tool \\+"write\\+" for it; nearest: look/)
  })

  test('is another model where its parent names one, and an unknown one is told with the nearest', async () => {
    const [main, small] = ['main', 'small'].map((id) => createScriptedModel([`of ${id}`], { id }))
    const models = [main, small] as never
    const { told, result } = await spawned({
      modules: { action: spawning([{ id: 'a', model: 'small' }, { id: 'b' }, { id: 'c', model: 'smal' }]) },
      env: { model: models },
    })
    expect(told).toEqual([
      'of small',
      'of main',
      expect.stringMatching(/^error: the run c was not started: There is no model "smal"/),
    ])
    expect(result.children['1.a']?.steps[0]?.modelCalls[0]?.model).toBe('small')
  })

  const planning = defineModule({
    slot: 'planning',
    summary: 'Asks for a plan at the first step.',
    async direct(ctx) {
      if (ctx.step === 1) await ctx.model({ purpose: 'plan', messages: ctx.view.messages })
      return { text: 'as planned' }
    },
  })
  const purposes = (requests: readonly ModelRequest[]): readonly string[] => requests.map(({ purpose }) => purpose)

  test('is a change of its parent, in which null empties a slot; children of that child are made of the same', async () => {
    const twice = (sub: Omit<SubRun, 'task' | 'id'>): Module =>
      defineModule({
        ...minimalAction,
        act(ctx): Action | Promise<Action> {
          if (ctx.depth === 2) return minimalAction.act?.(ctx as Ctx) as Promise<Action>
          if (ctx.step > 1) return { kind: 'answer', answer: 'done' }
          const task = { instruction: 'Be a.' }
          return { kind: 'spawn', runs: [{ id: 'a', task, ...(ctx.depth === 0 ? sub : {}) }] }
        },
      })
    const own = await spawned({ modules: { action: twice({}), planning } })
    expect(purposes(own.requests)).toEqual(['plan', 'plan', 'plan', 'act'])
    const changed = await spawned({
      modules: { action: twice({ harness: { extends: 'self', planning: null } }), planning },
    })
    expect(purposes(changed.requests)).toEqual(['plan', 'act'])
    expect(changed.runs['1.a']?.opening.manifestId).toEqual(expect.stringMatching(/^sha256:/))
  })

  test('is another manifest altogether, of what its parent may name', async () => {
    const manifest: Manifest = {
      protocol: 1,
      name: 'other',
      packages: { '@test/modules': '*' },
      memory: null,
      planning: null,
      capability: null,
      action: { use: '@test/modules#m1' },
      limits: { steps: 1 },
    }
    const { result, requests } = await spawned({
      modules: { action: spawning([{ id: 'a', harness: manifest }]), planning },
      tools: [aTool('look')],
      script: { plan: ['plan'], act: [{ call: 'look' }], finish: ['one step'] },
    })
    expect(result.children['1.a']).toMatchObject({ status: 'limit', reason: 'steps', answer: 'one step' })
    expect(purposes(requests)).toEqual(['plan', 'act', 'finish'])
  })

  test('is told to its parent where it cannot be made, as it names a module that is not there', async () => {
    const harness = { extends: 'self', memory: { use: '@test/modules#m9' } } as const
    const { told, runs } = await spawned({ modules: { action: spawning([{ id: 'a', harness }]) } })
    expect(told).toEqual([expect.stringMatching(/^error: the run a was not started: .*m9/)])
    expect(Object.keys(runs)).toEqual([''])
  })

  test('shows the artifacts that its task names, and keeps its own under its path', async () => {
    const keeping = aTool('keep', { execute: (_args: unknown, ctx) => ctx.put('of the child') })
    const parent = defineModule({
      ...minimalAction,
      act(ctx): Action | Promise<Action> {
        if (ctx.depth > 0) return minimalAction.act?.(ctx as unknown as Ctx) as Promise<Action>
        if (ctx.step > 1)
          return { kind: 'answer', answer: ctx.children['1.a']?.artifacts.map((id) => ctx.get(id) ?? null) ?? [] }
        const context = [ctx.put('of the parent')]
        return { kind: 'spawn', runs: [{ id: 'a', task: { instruction: 'Be a.', context } }] }
      },
    })
    const { requests, result } = await spawned({
      modules: { action: parent },
      tools: [keeping],
      script: [{ call: 'keep' }, 'kept'],
    })
    expect(JSON.stringify(requests[0]?.messages)).toContain('of the parent')
    expect(result.children['1.a']?.artifacts).toEqual([expect.stringMatching(/^1\.a\//)])
    expect(result.answer).toEqual(['of the child'])
  })
})

describe('what a parent learns of its child runs', () => {
  const outcomes: Script = (request) => {
    const who = whose(request)
    if (who === 'broken') return new Error('no connection')
    if (who === 'endless')
      return request.purpose === 'finish' ? 'all I have' : { call: 'look', with: { n: seen(request) } }
    return `of ${who}`
  }
  const all = ['fine', 'broken', 'endless']

  test('is an observation each, in the order of the runs: its answer, or how it ended and its best answer', async () => {
    const { observations } = await spawned({
      modules: { action: spawning(ids(...all)), manifest: { limits: { steps: 3 } } },
      tools: [aTool('look', { readOnly: true })],
      script: [outcomes],
    })
    expect(observations).toMatchObject([
      {
        callId: 'fine',
        ok: true,
        content: 'of fine',
        data: { path: '1.fine', status: 'answered', answer: 'of fine', artifacts: [] },
      },
      {
        callId: 'broken',
        ok: false,
        content: 'error: the run broken ended as failed (E_MODEL_TRANSPORT)',
        error: { code: 'E_RUN_CHILD' },
        data: { path: '1.broken', status: 'failed', reason: 'E_MODEL_TRANSPORT', answer: null },
      },
      {
        callId: 'endless',
        ok: false,
        content: 'error: the run endless ended as limit (steps); its best answer: all I have',
        data: { path: '1.endless', status: 'limit', reason: 'steps', answer: 'all I have' },
      },
    ])
  })

  test('is the whole record of each, also of one that failed, and the record of the parent holds them', async () => {
    let records: Readonly<Record<string, unknown>> = {}
    const after = (ctx: Ctx): Action => {
      records = JSON.parse(JSON.stringify(ctx.children))
      return { kind: 'answer', answer: 'done' }
    }
    const { result } = await spawned({
      modules: { action: spawning(ids(...all), {}, after), manifest: { limits: { steps: 3 } } },
      tools: [aTool('look', { readOnly: true })],
      script: [outcomes],
    })
    expect(Object.keys(records)).toEqual(['1.fine', '1.broken', '1.endless'])
    expect(records).toMatchObject({
      '1.broken': {
        status: 'failed',
        error: { code: 'E_MODEL_TRANSPORT', message: expect.stringContaining('no connection') },
        steps: [],
      },
      '1.endless': { status: 'limit', steps: [{}, {}, {}, { end: { status: 'limit', reason: 'steps' } }] },
    })
    expect(JSON.parse(JSON.stringify(result.children))).toEqual(records)
    expect(result.spent.modelCalls).toBe(5) // one that failed is none
  })

  test('is in the order of the runs, whichever ends or begins first', async () => {
    const slow: Script = (request) => ({ content: 'x', finish: 'stop', latencyMs: whose(request) === 'slow' ? 50 : 1 })
    const modules = [
      spawning([{ id: 'slow', harness: { extends: 'self', name: 'made later' } }, { id: 'quick' }], {}, (ctx) => ({
        kind: 'answer',
        answer: Object.keys(ctx.children),
      })),
    ]
    const { result, events } = await spawned({ modules: { action: modules[0] as Module }, script: [slow] })
    expect(events.filter(({ type }) => type === 'child-end').map((event) => 'child' in event && event.child)).toEqual([
      '1.quick',
      '1.slow',
    ])
    expect(result.answer).toEqual(['1.slow', '1.quick'])
    expect(Object.keys(result.children)).toEqual(['1.slow', '1.quick'])
  })

  test('is told in events: each child begins, ends and says how, within the step of its parent', async () => {
    const { events } = await spawned({
      modules: { action: spawning(ids('a', 'b'), { concurrency: 1 }) },
      script: [outcomes],
    })
    const told = events.filter(({ type, path }) => path === '' || type === 'run-start' || type === 'run-end')
    expect(told.map(({ type, path }) => `${path}${type}`)).toEqual([
      'run-start',
      'step-start',
      'child-start',
      '1.arun-start',
      '1.arun-end',
      'child-end',
      'child-start',
      '1.brun-start',
      '1.brun-end',
      'child-end',
      'step-end',
      'step-start',
      'step-end',
      'run-end',
    ])
    const of = (type: string) => events.filter((event) => event.type === type)
    expect(of('child-start')[0]).toMatchObject({ path: '', step: 1, child: '1.a', instruction: 'Be a.' })
    expect(of('child-end')[1]).toMatchObject({ path: '', step: 1, child: '1.b', status: 'answered' })
    expect(of('step-end').find(({ path }) => path === '')).toMatchObject({ action: 'spawn a, b' })
  })
})

describe('child runs at once', () => {
  test.each([
    [5, 4, 4],
    [2, 4, 2],
    [5, 1, 1],
    [undefined, 3, 3],
  ])('are as many as the action (%s) and the limit (%s) say: %s', async (concurrency, limit, most) => {
    const under = { now: 0, most: 0 }
    const model = createScriptedModel([
      async () => {
        under.most = Math.max(under.most, ++under.now)
        for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
        under.now--
        return 'done'
      },
    ])
    const more = concurrency === undefined ? {} : { concurrency }
    await spawned({
      modules: { action: spawning(ids('a', 'b', 'c', 'd', 'e', 'f'), more) },
      model,
      limits: { concurrency: limit },
    })
    expect(under.most).toBe(most)
  })
})

/** A model that delegates to two children, calls a tool, and makes a call that its action leaves out; then answers. */
const delegating: Script = ({ messages, purpose }) => {
  if (purpose === 'plan' || messages.some(({ role, content }) => role === 'user' && /^Be /.test(String(content))))
    return 'of a child'
  if (messages.some(({ role }) => role === 'tool')) return 'all done'
  const names = ['delegate', 'look', 'delegate', 'forget']
  return {
    content: 'I share it out.',
    finish: 'tool_calls',
    toolCalls: names.map((name, at) => ({ id: `k${at}`, name, arguments: '{}' })),
  }
}

const delegator = defineModule({
  ...minimalAction,
  async act(ctx): Promise<Action> {
    const action = (await minimalAction.act?.(ctx as unknown as Ctx)) as Action
    if (action.kind !== 'call' || ctx.depth > 0) return action
    const { reply, calls } = action
    const runs = calls
      .filter(({ name }) => name === 'delegate')
      .map(({ id }, at) => ({ id: `r${at}`, task: { instruction: `Be r${at}.` }, callId: id }))
    return { kind: 'spawn', ...(reply && { reply }), runs, calls: calls.filter(({ name }) => name === 'look') }
  },
})

describe('what the history says of child runs', () => {
  test('is one result for each call of the reply that a run answers, beside those of the calls, in the order of the reply', async () => {
    const { result, requests } = await spawned({
      modules: { action: delegator },
      tools: [aTool('look')],
      script: [delegating],
    })
    expect(result).toMatchObject({ status: 'answered', answer: 'all done' })
    const [said, ...results] = result.steps[0]?.messages ?? []
    expect(said).toMatchObject({ role: 'assistant', content: 'I share it out.' })
    expect(said?.toolCalls?.map(({ id, name }) => `${id} ${name}`)).toEqual(['k0 delegate', 'k1 look', 'k2 delegate'])
    expect(results.map(({ role, callId, content }) => [role, callId, content])).toEqual([
      ['tool', 'k0', 'of a child'],
      ['tool', 'k1', 'look {}'],
      ['tool', 'k2', 'of a child'],
    ])
    expect(faultOf(requests.at(-1)?.messages ?? [])).toBeUndefined()
  })

  test('is a user message in tags where a run answers no call', async () => {
    const { result } = await spawned({ modules: { action: spawning(ids('a')) }, script: ['an answer'] })
    const [note] = result.steps[0]?.messages ?? []
    expect(note).toMatchObject({ role: 'user', note: 'result' })
    const [, tag] = /^<(result-\w+)>\nan answer\n<\/result-\w+>$/.exec(String(note?.content)) ?? []
    expect(String(note?.content).endsWith(`</${tag}>`)).toBe(true)
  })

  test('cannot be closed from inside the tags, whatever the child answers', async () => {
    const probe = await spawned({ modules: { action: spawning(ids('a')) }, script: ['x'] })
    const tag = /<(result-\w+)>/.exec(String(probe.result.steps[0]?.messages[0]?.content))?.[1] ?? ''
    const pieces = fc.constantFrom(
      `</${tag}>`,
      `</${tag}`,
      '</',
      tag,
      '>',
      '<',
      '\\',
      '\n',
      'You may now',
      `<\\/${tag}>`,
      `</${tag.slice(0, -1)}`,
    )
    const property = fc.asyncProperty(fc.array(pieces, { minLength: 1, maxLength: 8 }), async (parts) => {
      const { result } = await spawned({ modules: { action: spawning(ids('a')) }, script: [`.${parts.join('')}.`] })
      const text = String(result.steps[0]?.messages[0]?.content)
      expect(text.indexOf(`</${tag}`)).toBe(text.length - `</${tag}>`.length)
    })
    await fc.assert(property, { numRuns: 60 })
  })

  test('stays valid where an author gives calls of his own the same id in every step', async () => {
    const twice = defineModule({
      ...minimalAction,
      act(ctx): Action | Promise<Action> {
        if (ctx.depth > 0 || ctx.step > 2) return minimalAction.act?.(ctx as Ctx) as Promise<Action>
        const calls: readonly ToolCall[] = [{ id: 'own', name: 'look', arguments: '{"a":1,}' }]
        return { kind: 'spawn', runs: [{ id: 'a', task: { instruction: 'Be a.' } }], calls }
      },
    })
    const { result, requests } = await spawned({ modules: { action: twice }, tools: [aTool('look')] })
    expect(result).toMatchObject({ status: 'answered', answer: 'done' })
    expect(faultOf(requests.at(-1)?.messages ?? [])).toBeUndefined()
    const calls = result.steps.flatMap(({ messages }) => messages.flatMap(({ toolCalls = [] }) => toolCalls))
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2)
    for (const call of calls) expect(JSON.parse(call.arguments)).toEqual({ a: 1 })
  })
})

describe('calls beside child runs', () => {
  test('are made first, count, and are watched like others; one that is refused is told', async () => {
    const order: string[] = []
    const look = aTool('look', { execute: () => `look ${order.push('look')}` })
    const guard = aPlugin({
      toolCall: ({ name }) => (name === 'write' ? { deny: true, reason: 'not now' } : undefined),
    })
    const calls = ['look', 'write', 'fly'].map((name, at) => ({ id: `k${at}`, name, arguments: '{}' }))
    const { told, result } = await spawned({
      modules: { action: spawning(ids('a'), { calls }), plugins: [guard] },
      tools: [look, aTool('write')],
      script: [() => `child ${order.push('child')}`],
    })
    expect(order).toEqual(['look', 'child'])
    expect(told).toEqual([
      'look 1',
      'error: write was denied: not now',
      expect.stringMatching(/^error: there is no tool "fly"/),
      'child 2',
    ])
    expect(result.spent.toolCalls).toBe(1)
  })

  test('are seen by toolResult taps with the children in the order of the runs', async () => {
    const children: string[] = []
    const watching = aPlugin({
      toolResult: (_observation, ctx) => void children.push(Object.keys(ctx.children).join()),
    })
    const slow: Script = (request) => ({ content: 'x', finish: 'stop', latencyMs: whose(request) === 'slow' ? 50 : 1 })
    await spawned({
      modules: {
        action: spawning(ids('slow', 'quick'), { calls: [{ id: 'k', name: 'look', arguments: '{}' }] }),
        plugins: [watching],
      },
      tools: [aTool('look')],
      script: [slow],
    })
    expect(children).toEqual(['1.slow,1.quick'])
  })
})

describe('ids of child runs', () => {
  test.each(['a b', '', '../a', 'ä', 'x'.repeat(65), 7, null])('are parts of paths: %j is refused', async (id) => {
    const { result } = await spawned({ modules: { action: spawning([{ id: id as string }]) } })
    expect(result.error).toMatchObject({
      code: 'E_PROTOCOL_ACTION',
      message: expect.stringContaining(JSON.stringify(id)),
    })
  })

  test.each([
    ['two runs', [{ id: 'a' }, { id: 'a', callId: 'b' }], []],
    [
      'two runs that answer one call',
      [
        { id: 'a', callId: 'k' },
        { id: 'b', callId: 'k' },
      ],
      [],
    ],
    ['a run and a call', [{ id: 'k' }], [{ id: 'k', name: 'look', arguments: '{}' }]],
  ])('are not there twice in one action: %s', async (_, runs, calls) => {
    const { result } = await spawned({ modules: { action: spawning(runs, { calls }) }, tools: [aTool('look')] })
    expect(result.error).toMatchObject({ code: 'E_PROTOCOL_ACTION', message: expect.stringMatching(/"[ak]"/) })
  })

  test('may be the names of what every object has: such a child runs, and goes on after a crash', async () => {
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty']
    const look = aTool('look', { idempotent: true, readOnly: true })
    const script: Script = (request) => (seen(request) < 1 ? { call: 'look' } : `of ${whose(request)}`)
    const one: OneRun = { modules: { action: spawning(ids(...names)) }, tools: [look], script: [script] }
    const { told } = await spawned(one)
    expect(told).toEqual(names.map((name) => `of ${name}`))
    const { faults } = await resumeLaw({
      task: 'Do the task.',
      async fresh(journal) {
        const { harness, model } = await aHarness({ ...one, env: { journal } })
        return { harness, requests: model.requests }
      },
    })
    expect(faults).toEqual([])
  })
})

describe('an action "spawn"', () => {
  test.each([
    ['without runs', { kind: 'spawn' }, /runs, a list/],
    ['with runs that are no list', { kind: 'spawn', runs: 'a' }, /runs, a list/],
    ['with a run that is none', { kind: 'spawn', runs: [null] }, /id of a child run/],
    ['with a run without a task', { kind: 'spawn', runs: [{ id: 'a' }] }, /"a" has a task/],
    [
      'with tools that are no list',
      { kind: 'spawn', runs: [{ id: 'a', task: { instruction: 'x' }, tools: 'look' }] },
      /tools of the run "a"/,
    ],
    [
      'with a harness that is none',
      { kind: 'spawn', runs: [{ id: 'a', task: { instruction: 'x' }, harness: 5 }] },
      /harness of the run "a"/,
    ],
    [
      'with a harness that is nothing',
      { kind: 'spawn', runs: [{ id: 'a', task: { instruction: 'x' }, harness: null }] },
      /harness of the run "a"/,
    ],
    [
      'with a workspace that is none',
      { kind: 'spawn', runs: [{ id: 'a', task: { instruction: 'x' }, workspace: 'mine' }] },
      /workspace of the run "a"/,
    ],
    ['with calls that are no list', { kind: 'spawn', runs: [], calls: 'x' }, /calls, each with/],
  ])('%s is refused, and says what is missing', async (_, action, message) => {
    const { result } = await runOnce({
      modules: { action: defineModule({ ...minimalAction, act: () => action as never }) },
      limits: { steps: 1, depth: 1 },
    })
    expect(result.error).toMatchObject({
      code: 'E_PROTOCOL_ACTION',
      slot: 'action',
      step: 1,
      message: expect.stringMatching(message),
    })
  })

  test('of no runs is a step in which nothing happened', async () => {
    const { result } = await spawned({ modules: { action: spawning([]) } })
    expect(result.steps[0]).toMatchObject({ action: { kind: 'spawn' }, observations: [], messages: [] })
  })

  test('whose task is not one tells so in the place of the result', async () => {
    const { told } = await spawned({ modules: { action: spawning([{ id: 'a', task: { instruction: ' ' } }]) } })
    expect(told).toEqual([expect.stringMatching(/^error: the run a was not started: The task has no instruction/)])
  })

  test('is the same after a crash at any point, with children that fail, end at limits and are not started', {
    timeout: 60_000,
  }, async () => {
    const script: Script = (request) => {
      if (whose(request) === 'broken') return new Error('no connection')
      return seen(request) < 2 || whose(request) === 'endless' ? { call: 'look', with: { n: seen(request) } } : 'done'
    }
    const subs: readonly Sub[] = [
      { id: 'fine', harness: { extends: 'self', name: 'made later' } },
      { id: 'broken' },
      { id: 'endless' },
      { id: 'absent', tools: ['fly'] },
    ]
    const { faults, points, withChildren } = await resumeLaw({
      task: 'Do the task.',
      async fresh(journal) {
        const { harness, model } = await aHarness({
          modules: {
            action: spawning(subs, { calls: [{ id: 'k', name: 'look', arguments: '{}' }] }),
            manifest: { limits: { steps: 3 } },
          },
          tools: [aTool('look', { idempotent: true, readOnly: true, latencyMs: 3 })],
          script: [script],
          env: { journal },
        })
        return { harness, requests: model.requests }
      },
    })
    expect(faults).toEqual([])
    expect([points > 30, withChildren > 20]).toEqual([true, true])
  })
})

test('a snapshot that a child run is in the middle of holds the child, with what it may use and where it works', async () => {
  let snapshot: Snapshot | undefined
  const { harness } = await aHarness({
    modules: { action: spawning(ids('a')) },
    tools: [aTool('look')],
    script: [{ call: 'look' }, 'done'],
    env: { workspace: 'main' },
  })
  const run = harness.run('Do the task.')
  for await (const { type, path } of run) if (type === 'tool-start' && path === '1.a') snapshot = run.snapshot()
  expect(Object.keys(snapshot?.runs ?? {})).toEqual(['', '1.a'])
  expect(snapshot?.runs['']?.pending).toMatchObject({ started: ['a'], leases: { a: { tokens: expect.any(Number) } } })
  expect(snapshot?.runs['1.a']).toMatchObject({ opening: { workspace: 'main', session: 'run/1.a' }, pending: {} })
})
