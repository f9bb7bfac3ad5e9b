import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Ctx, defineModule, type Module, type Slot, type StageName } from '../src/index.js'
import { minimalAction } from '../src/testkit/index.js'
import { aHarness, aPlugin, aTool, runOnce } from './one-run.js'

const STAGES: readonly StageName[] = ['guard', 'early', 'normal', 'late', 'audit']
const SLOTS: readonly Slot[] = ['memory', 'planning', 'capability', 'action', 'plugin']

/** A module of a slot that says when its verbs run. */
function saying(slot: Slot, name: string, log: (verb: string, name: string) => void, stage?: StageName): Module {
  const verb = (hook: string) => (): undefined => log(hook, name) as undefined
  return defineModule({
    slot,
    summary: 'Says when it runs.',
    view: (ctx) => ctx.view,
    direct: (ctx) => ctx.directive,
    select: (ctx) => ctx.capabilities,
    ...(slot === 'action' ? { act: minimalAction.act } : {}),
    start: verb('start'),
    record: verb('record'),
    finish: verb('finish'),
    end: verb('end'),
    ...(stage === undefined ? {} : { stage }),
  } as Parameters<typeof defineModule>[0])
}

describe('taps of one hook run', () => {
  test('by stage, then slots in manifest order, then plugins; record with memory last; end in reverse', async () => {
    const stage = fc.constantFrom(...STAGES)
    const stages = fc.record({
      memory: fc.array(stage, { maxLength: 3 }),
      planning: stage,
      capability: fc.array(stage, { maxLength: 2 }),
      action: stage,
      plugin: fc.array(stage, { maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(stages, async (of) => {
        const ran: Record<string, string[]> = { start: [], record: [], finish: [], end: [] }
        const log = (verb: string, name: string): void => void ran[verb]?.push(name)
        const modules = (slot: Slot): Module[] =>
          [of[slot]].flat().map((one, index) => saying(slot, `${slot}.${index}`, log, one))
        await runOnce({
          modules: {
            memory: modules('memory'),
            planning: modules('planning')[0] as Module,
            capability: modules('capability'),
            action: modules('action')[0] as Module,
            plugins: modules('plugin'),
          },
          tools: [aTool('look')],
          script: [{ call: 'look' }],
          limits: { steps: 1 },
        })

        const expected = (slots: readonly Slot[]): string[] =>
          slots
            .flatMap((slot) => [of[slot]].flat().map((one, index) => ({ name: `${slot}.${index}`, stage: one })))
            .sort((a, b) => STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage))
            .map(({ name }) => name)
        expect(ran['start']).toEqual(expected(SLOTS))
        expect(ran['finish']).toEqual(expected(['action', 'memory', 'planning', 'capability', 'plugin']))
        expect(ran['record']).toEqual(expected(['planning', 'capability', 'action', 'plugin', 'memory']))
        expect(ran['end']).toEqual(expected(SLOTS).toReversed())
      }),
      { numRuns: 60 },
    )
  })
})

test('a plugin at the stage late sees the view that the last memory made, and can change it', async () => {
  const memory = defineModule({
    slot: 'memory',
    summary: 'Adds a line.',
    view: (ctx) => ({ messages: [...ctx.view.messages, { role: 'user', content: 'from memory' }] }),
  })
  const late = aPlugin({
    stage: 'late',
    view: (ctx) => ({
      messages: [...ctx.view.messages, { role: 'user', content: `after ${ctx.view.messages.length}` }],
    }),
  })
  const { requests } = await runOnce({ modules: { memory, plugins: [late] } })

  expect(requests[0]?.messages.map(({ content }) => content)).toEqual(['Do the task.', 'from memory', 'after 2'])
})

describe('a module that throws', () => {
  const boom = (): never => {
    throw new RangeError('boom')
  }
  const inVerb = (verb: string): Module => aPlugin({ [verb]: boom })

  test.each([
    ['start', 'runStart', 0],
    ['view', 'memory', 1],
    ['direct', 'planning', 1],
    ['select', 'capability', 1],
    ['modelRequest', 'modelRequest', 1],
    ['modelResponse', 'modelResponse', 1],
    ['toolCall', 'toolCall', 1],
    ['toolResult', 'toolResult', 1],
    ['record', 'record', 1],
    ['checkpoint', 'checkpoint', 1],
    ['system', 'system', 1],
    ['tools', 'tools', 0],
    ['state', 'state', 0],
  ])('in %s ends the run as failed, with slot, module, hook and step', async (verb, hook, step) => {
    const { result } = await runOnce({
      modules: { plugins: [inVerb(verb)] },
      tools: [aTool('look')],
      script: [{ call: 'look' }, 'done'],
    })

    expect(result).toMatchObject({
      status: 'failed',
      reason: 'E_RUN_MODULE',
      answer: null,
      error: {
        code: 'E_RUN_MODULE',
        slot: 'plugin',
        module: '@test/modules#m1',
        step,
        message: `@test/modules#m1 threw in "${hook}": boom`,
      },
    })
  })

  test('in act names the action module', async () => {
    const { result } = await runOnce({ modules: { action: defineModule({ ...minimalAction, act: boom }) } })

    expect(result.error).toMatchObject({ slot: 'action', module: '@test/modules#m0', step: 1 })
  })

  test('in finish does so when a limit is met', async () => {
    const { result } = await runOnce({
      modules: { plugins: [inVerb('finish')] },
      tools: [aTool('look')],
      script: [{ call: 'look' }],
      limits: { steps: 1 },
    })

    expect(result.error).toMatchObject({ slot: 'plugin', message: expect.stringContaining('"finish"') })
  })

  test('in apply keeps the harness from being made', async () => {
    await expect(aHarness({ modules: { plugins: [inVerb('apply')] } })).rejects.toMatchObject({
      code: 'E_RUN_MODULE',
      slot: 'plugin',
      module: '@test/modules#m1',
      message: expect.stringContaining('boom'),
      cause: expect.any(RangeError),
    })
  })

  test('in end is warned of by name, and the others still end, in reverse order', async () => {
    const ended: string[] = []
    const ending = (name: string): Module => aPlugin({ end: () => void ended.push(name) })
    const { result, events } = await runOnce({ modules: { plugins: [ending('a'), inVerb('end'), ending('b')] } })

    expect(ended).toEqual(['b', 'a'])
    expect(result).toMatchObject({
      status: 'answered',
      warnings: ['@test/modules#m2 failed to end: @test/modules#m2 threw in "end": boom'.replace('"end"', '"runEnd"')],
    })
    expect(events.filter(({ type }) => type === 'warning')).toMatchObject([{ module: '@test/modules#m2' }])
  })

  test('runs end all the same, with the result of the failure', async () => {
    const seen: string[] = []
    const plugin = aPlugin({ direct: boom, end: (result) => void seen.push(`${result.status} ${result.reason}`) })
    await runOnce({ modules: { plugins: [plugin] } })

    expect(seen).toEqual(['failed E_RUN_MODULE'])
  })
})

describe('an error tap', () => {
  const failing = (times: number): { readonly module: Module; readonly asked: () => number } => {
    let count = 0
    const module = defineModule({
      slot: 'planning',
      summary: 'Fails at first.',
      direct: () => {
        count += 1
        if (count <= times) throw new Error('broken')
        return { text: 'planned' }
      },
    })
    return { module, asked: () => count }
  }

  test('recovers with a value of the hook, and the run goes on', async () => {
    const seen: unknown[] = []
    const rescue = aPlugin({
      error(error) {
        seen.push((error as { code?: string }).code)
        return { value: { text: 'without a plan' } }
      },
    })
    const { result } = await runOnce({ modules: { planning: failing(1).module, plugins: [rescue] } })

    expect(result).toMatchObject({ status: 'answered', steps: [{ directive: { text: 'without a plan' } }] })
    expect(seen).toEqual(['E_RUN_MODULE'])
  })

  test('recovers with a value that is checked as any other', async () => {
    const rescue = aPlugin({ error: () => ({ value: { plan: 'none' } }) })
    const { result } = await runOnce({ modules: { planning: failing(1).module, plugins: [rescue] } })

    expect(result.error).toMatchObject({ code: 'E_PROTOCOL_DIRECTIVE' })
  })

  test('is not asked about limits and aborts', async () => {
    let asked = 0
    const rescue = aPlugin({
      error: () => {
        asked += 1
        return { value: undefined }
      },
    })
    const greedy = aPlugin({
      direct: async (ctx) => {
        await ctx.model({ purpose: 'plan', messages: [{ role: 'user', content: 'x'.repeat(5_000) }] })
        return ctx.directive
      },
    })
    await runOnce({ modules: { plugins: [greedy, rescue] }, limits: { tokens: 1_000 } })
    await runOnce({ modules: { plugins: [rescue] }, signal: AbortSignal.abort() })

    expect(asked).toBe(0)
  })
})

describe('raw taps', () => {
  test('are made through apply, and get the state of their module by ctxOf', async () => {
    const plugin = aPlugin({
      state: () => ({ seen: [] as string[] }),
      apply(hooks, ctxOf) {
        hooks.toolCall.tap({ name: 'watch', stage: 'guard' }, (call, turn) => {
          ;(ctxOf(turn) as Ctx<unknown, { seen: string[] }>).state.seen.push(`${turn.step} ${call.name}`)
          return undefined
        })
      },
      finish: (_reason, ctx) => ctx.state.seen,
    })
    const { result } = await runOnce({
      modules: { plugins: [plugin] },
      tools: [aTool('look')],
      script: [{ call: 'look' }],
      limits: { steps: 2 },
    })

    expect(result.answer).toEqual(['1 look', '2 look'])
  })

  test('run at their own stage, whatever the stage of the module', async () => {
    const ran: string[] = []
    const plugin = aPlugin({
      stage: 'late',
      direct(ctx) {
        ran.push('verb, late')
        return ctx.directive
      },
      apply(hooks) {
        hooks.planning.tap({ name: 'b', stage: 'audit' }, () => void ran.push('audit'))
        hooks.planning.tap('n', () => void ran.push('normal'))
        hooks.planning.tap({ name: 'a', stage: 'guard' }, () => void ran.push('guard'))
      },
    })
    await runOnce({ modules: { plugins: [plugin] } })

    expect(ran).toEqual(['guard', 'normal', 'verb, late', 'audit'])
  })

  test('of a plugin that is used twice do not disturb each other', async () => {
    let ran = 0
    const plugin = aPlugin({ apply: (hooks) => hooks.record.tap('count', () => void ran++) })
    await runOnce({ modules: { plugins: [plugin, plugin] } })

    expect(ran).toBe(2)
  })

  test('of a plugin that is used twice under one name do not either, and each has its own state', async () => {
    const counts: number[] = []
    const plugin = aPlugin({
      state: () => ({ count: 0 }),
      apply: (hooks, ctxOf) =>
        hooks.record.tap('count', (_step, turn) => {
          const state = ctxOf(turn).state as { count: number }
          counts.push(++state.count)
        }),
    })
    const twice = [{ use: '@test/modules#m1' }, { use: '@test/modules#m1' }]
    const { result } = await runOnce({
      modules: { plugins: [plugin], manifest: { plugins: twice } },
      tools: [aTool('look')],
      script: [{ call: 'look' }, 'done'],
    })

    expect(result.status).toBe('answered')
    expect(counts).toEqual([1, 1, 2, 2])
  })

  test('of one name twice are refused, and the plugin named', async () => {
    const plugin = aPlugin({
      apply(hooks) {
        hooks.record.tap('count', () => {})
        hooks.record.tap('count', () => {})
      },
    })

    await expect(aHarness({ modules: { plugins: [plugin] } })).rejects.toMatchObject({
      code: 'E_PROTOCOL_TAP',
      module: '@test/modules#m1',
    })
  })

  test('that come after the harness is frozen are refused', async () => {
    let tapLate = (): void => {}
    const plugin = aPlugin({
      apply(hooks) {
        tapLate = () => hooks.record.tap('late', () => {})
      },
    })
    await aHarness({ modules: { plugins: [plugin] } })

    expect(() => tapLate()).toThrow(expect.objectContaining({ code: 'E_PROTOCOL_TAP' }))
  })

  test('of an asynchronous apply are refused, as the harness would be frozen before they are made', async () => {
    const plugin = aPlugin({
      apply: (async (hooks: { record: { tap(name: string, fn: () => void): void } }) => {
        await Promise.resolve()
        hooks.record.tap('late', () => {})
      }) as never,
    })

    await expect(aHarness({ modules: { plugins: [plugin] } })).rejects.toMatchObject({
      code: 'E_PROTOCOL_MODULE',
      message: expect.stringContaining('asynchronous "apply"'),
    })
  })
})

test('a system section that is no text is refused, and the module named', async () => {
  const { result } = await runOnce({ modules: { plugins: [aPlugin({ system: (async () => 'late') as never })] } })

  expect(result.error).toMatchObject({ code: 'E_PROTOCOL_VALUE', module: '@test/modules#m1', step: 1 })
})

test('a state that is no JSON is refused when it is to be made durable, and the module named', async () => {
  const plugin = aPlugin({
    state: () => ({ at: null as unknown }),
    record(_step, ctx) {
      ctx.state.at = new Map()
    },
  })
  const { result } = await runOnce({ modules: { plugins: [plugin] } })

  expect(result.error).toMatchObject({
    code: 'E_PROTOCOL_STATE',
    slot: 'plugin',
    module: '@test/modules#m1',
    message: expect.stringMatching(/an instance of a class at "\/at"/),
  })
})
