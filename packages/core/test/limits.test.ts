import { describe, expect, test } from 'vitest'
import {
  createEnvironment,
  defineModule,
  HarnessError,
  type HarnessEvent,
  type ModelRequest,
  type Price,
  type Usage,
} from '../src/index.js'
import { createScriptedModel, minimalAction, type Script } from '../src/testkit/index.js'
import { aCounter, aHarness, aPlugin, aTool, type OneRun, runOnce } from './one-run.js'

const price: Price = { input: 1, output: 2, source: 'a test', date: '2026-01-01' }
const usage = (inputTokens: number, outputTokens: number): Usage => ({
  inputTokens,
  cachedTokens: 0,
  outputTokens,
  reasoningTokens: 0,
  source: 'known',
})
const look = aCounter('look')
/** An agent that would look for ever, and can say something when it must. */
const looking = (answer: Script = 'As far as I saw: blue.') => ({
  tools: [look],
  script: { act: [{ call: 'look', say: 'I look.' }], finish: [answer] },
})

describe('a limit ends the run with status limit, its name, the transcript and the best answer', () => {
  test('K32: of steps: one more request, without tools, asks for the closing answer', async () => {
    const { result, requests, events } = await runOnce({ ...looking(), limits: { steps: 3 } })

    expect(result).toMatchObject({ status: 'limit', reason: 'steps', answer: 'As far as I saw: blue.' })
    expect(result.partial).toBeUndefined()
    expect(result.steps.map((step) => step.action.kind)).toEqual(['call', 'call', 'call', 'answer'])
    expect(result.steps.at(-1)?.end).toEqual({ status: 'limit', reason: 'steps' })
    expect(result.spent.steps).toBe(3)
    expect(requests.at(-1)).toMatchObject({ purpose: 'finish' })
    expect(requests.at(-1)?.tools).toBeUndefined()
    expect(events.find(({ type }) => type === 'limit')).toMatchObject({ reason: 'steps' })
    expect(events.at(-1)).toMatchObject({ type: 'run-end', status: 'limit', reason: 'steps' })
    expect(result.messages.at(-1)?.content).toBe('As far as I saw: blue.')
  })

  test('K32: of tool calls: the call that is over it is told so, and the closing answer is asked for', async () => {
    const { result } = await runOnce({ ...looking(), limits: { toolCalls: 2 } })

    expect(result).toMatchObject({ status: 'limit', reason: 'tool_calls', spent: { toolCalls: 2 } })
    expect(result.steps[2]?.observations[0]).toMatchObject({ ok: false, error: { code: 'E_TOOL_LIMIT' } })
    expect(result.answer).toBe('As far as I saw: blue.')
  })

  test('of tokens: the reserve pays for the closing answer', async () => {
    const model = createScriptedModel(looking().script, { maxOutputTokens: 100, usage: usage(300, 20) })
    const { result } = await runOnce({
      ...looking(),
      model,
      limits: { tokens: 3_000 },
      env: { limits: { reserve: 0.3 } },
    })

    expect(result).toMatchObject({ status: 'limit', reason: 'tokens', answer: 'As far as I saw: blue.' })
    expect(result.spent.tokens).toBeLessThanOrEqual(3_000)
    expect(result.steps.at(-1)?.modelCalls).toMatchObject([{ purpose: 'finish', by: 'kernel' }])
  })

  test('of money', async () => {
    const model = createScriptedModel(looking().script, { maxOutputTokens: 100, usage: usage(300, 20), price })
    const { result } = await runOnce({ ...looking(), model, limits: { usd: 0.003 }, env: { limits: { reserve: 0.3 } } })

    expect(result).toMatchObject({ status: 'limit', reason: 'usd', answer: 'As far as I saw: blue.' })
    expect(result.spent.usd).toBeLessThanOrEqual(0.003)
    expect(result.spent.usd).toBeCloseTo((340 * result.spent.modelCalls) / 1e6, 9)
  })

  test('of time, on the clock of the environment, to the millisecond', async () => {
    const { result } = await runOnce({
      ...looking(),
      tools: [aCounter('look', { latencyMs: 400 })],
      limits: { ms: 1_000 },
    })

    expect(result).toMatchObject({ status: 'limit', reason: 'ms', ms: 1_000, partial: true, answer: 'I look.' })
    expect(result.steps[2]?.observations[0]?.error?.code).toBe('E_TOOL_TIMEOUT')
  })

  test('of time while a model thinks: the request is aborted, and what it says later does not count', async () => {
    const model = createScriptedModel([{ content: 'too late', finish: 'stop', latencyMs: 5_000 }])
    const { result } = await runOnce({ model, limits: { ms: 1_000 } })

    expect(result).toMatchObject({ status: 'limit', reason: 'ms', ms: 1_000, answer: null })
  })

  test('of the context window, without a further request', async () => {
    const overflow = new HarnessError('E_MODEL_CONTEXT_OVERFLOW')
    const { result, requests } = await runOnce({ tools: [look], script: [{ call: 'look', say: 'I look.' }, overflow] })

    expect(result).toMatchObject({ status: 'limit', reason: 'context_overflow', answer: 'I look.', partial: true })
    expect(requests).toHaveLength(2)
  })
})

describe('the best answer', () => {
  test('is asked of the modules first, the action before the others, and then of no model', async () => {
    const asked: string[] = []
    const answering = (slot: string, answer: string | undefined) => ({
      finish: (reason: string) => {
        asked.push(`${slot} ${reason}`)
        return answer
      },
    })
    const { result, requests } = await runOnce({
      ...looking(),
      limits: { steps: 1 },
      modules: {
        action: defineModule({ ...minimalAction, ...answering('action', undefined) }),
        memory: defineModule({ slot: 'memory', summary: 'x', view: (ctx) => ctx.view, ...answering('memory', 'kept') }),
        plugins: [aPlugin(answering('plugin', 'never'))],
      },
    })

    expect(asked).toEqual(['action steps', 'memory steps'])
    expect(result).toMatchObject({ status: 'limit', reason: 'steps', answer: 'kept' })
    expect(requests).toHaveLength(1)
  })

  test('of a module is built on the view of the memory, and may use the reserve', async () => {
    const views: number[] = []
    const memory = defineModule({
      slot: 'memory',
      summary: 'The head only.',
      view: (ctx) => ({ messages: ctx.head }),
    })
    const action = defineModule({
      ...minimalAction,
      async finish(_reason, ctx) {
        views.push(ctx.view.messages.length)
        return (await ctx.model({ purpose: 'finish', messages: ctx.view.messages })).content
      },
    })
    const { result } = await runOnce({
      ...looking('closing'),
      model: createScriptedModel(looking('closing').script, { maxOutputTokens: 100, usage: usage(300, 20) }),
      limits: { tokens: 3_000 },
      env: { limits: { reserve: 0.3 } },
      modules: { memory, action },
    })

    expect(views).toEqual([1])
    expect(result).toMatchObject({ status: 'limit', reason: 'tokens', answer: 'closing' })
  })

  test('falls back to the model, to its last text, marked partial, and to none: it is never made up', async () => {
    const action = defineModule({
      ...minimalAction,
      async finish(_reason, ctx): Promise<string> {
        return (await ctx.model({ purpose: 'finish', messages: ctx.view.messages, maxTokens: 1_000_000 })).content
      },
    })
    // Too few tokens for any closing call.
    const model = (say: string) =>
      createScriptedModel({ act: [{ call: 'look', say }] }, { maxOutputTokens: 50, usage: usage(900, 50) })
    const spent = { tools: [look], limits: { tokens: 1_000 }, modules: { action } }

    expect((await runOnce({ ...spent, model: model('I think it is blue.') })).result).toMatchObject({
      status: 'limit',
      reason: 'tokens',
      answer: 'I think it is blue.',
      partial: true,
    })
    const silent = await runOnce({ ...spent, model: model('') })
    expect(silent.result).toMatchObject({ status: 'limit', reason: 'tokens', answer: null })
    expect(silent.result.partial).toBeUndefined()
  })

  test('is not the empty text of a model that calls a tool all the same', async () => {
    const { result } = await runOnce({ ...looking({ call: 'look' }), limits: { steps: 1 } })

    expect(result).toMatchObject({ status: 'limit', reason: 'steps', answer: 'I look.', partial: true })
  })

  test('is a value where the task asks for JSON', async () => {
    const { result, requests } = await runOnce({
      ...looking('{"colour":"blue"}'),
      task: { instruction: 'Which?', output: { type: 'object' } },
      limits: { steps: 1 },
    })

    expect(requests.at(-1)?.schema).toEqual({ type: 'object' })
    expect(result.answer).toEqual({ colour: 'blue' })
  })

  test('is a text where the task asks for nothing else, also one that could be read as JSON', async () => {
    expect((await runOnce({ ...looking('42'), limits: { steps: 1 } })).result.answer).toBe('42')
  })

  test('is the text of the model where that is not the JSON that was asked for', async () => {
    const { result } = await runOnce({
      ...looking('blue, I think'),
      task: { instruction: 'Which?', output: { type: 'object' } },
      limits: { steps: 1 },
    })

    expect(result.answer).toBe('blue, I think')
  })

  test('is asked of no model when the run made no step of its own', async () => {
    const { result, requests } = await runOnce({ ...looking(), limits: { steps: 0 } })

    expect(result).toMatchObject({ status: 'limit', reason: 'steps', answer: null, steps: [] })
    expect(requests).toEqual([])
  })

  test('is no failure where a module breaks its view for it: the last good view serves', async () => {
    const memory = defineModule({
      slot: 'memory',
      summary: 'Folds with a call at every step.',
      async view(ctx) {
        if (ctx.history.length > 0) await ctx.model({ purpose: 'fold', messages: ctx.view.messages, maxTokens: 400 })
        return ctx.view
      },
    })
    const model = createScriptedModel(
      { act: [{ call: 'look', say: 'I look.' }], fold: ['folded'], finish: ['closing'] },
      { maxOutputTokens: 50, usage: usage(150, 10) },
    )
    const { result } = await runOnce({
      tools: [look],
      model,
      modules: { memory },
      limits: { tokens: 1_400 },
      env: { limits: { reserve: 0.2 } },
    })

    expect(result).toMatchObject({ status: 'limit', reason: 'tokens', answer: 'closing' })
    expect(result.warnings).toEqual([expect.stringMatching(/limit "tokens" is reached/)])
  })
})

describe('a limit that strikes', () => {
  const overBudget = (ctx: {
    model(request: ModelRequest): Promise<unknown>
    head: readonly [] | ModelRequest['messages']
  }) => ctx.model({ purpose: 'summarise', messages: [{ role: 'user', content: 'x'.repeat(20_000) }] })
  const tight: Partial<OneRun> = { ...looking(), limits: { tokens: 10_000 }, env: { budget: 'strict' } }

  test('in record after the answer leaves the answer what it is', async () => {
    const plugin = aPlugin({ record: async (_step, ctx) => void (await overBudget(ctx as never)) })
    const { result, requests } = await runOnce({ ...tight, script: ['It is blue.'], modules: { plugins: [plugin] } })

    expect(result).toMatchObject({ status: 'answered', answer: 'It is blue.' })
    expect(requests).toHaveLength(1)
    expect(result.steps).toHaveLength(1)
  })

  test('in record of a step in between ends the run after that step, which is whole', async () => {
    const plugin = aPlugin({ record: async (_step, ctx) => void (await overBudget(ctx as never)) })
    const { result, events } = await runOnce({ ...tight, modules: { plugins: [plugin] } })

    expect(result).toMatchObject({ status: 'limit', reason: 'tokens', answer: 'As far as I saw: blue.' })
    expect(events.filter(({ type }) => type === 'step-end')).toHaveLength(2)
    expect(result.steps[0]?.messages).toHaveLength(2)
  })

  test.each(['start', 'view', 'direct', 'select', 'act', 'toolCall', 'toolResult'])(
    'in %s ends the run as a limit',
    async (verb) => {
      const breaking = async (...args: readonly unknown[]): Promise<undefined> =>
        void (await overBudget(args.at(-1) as never))
      const { result } = await runOnce({
        ...tight,
        modules: { plugins: [aPlugin({ stage: 'early', [verb]: breaking })] },
      })

      expect(result).toMatchObject({ status: 'limit', reason: 'tokens' })
    },
  )

  test('in a model call can be caught by the module, which then does with less', async () => {
    const plugin = aPlugin({
      async record(_step, ctx) {
        await overBudget(ctx as never).catch((error: HarnessError) => ctx.note('remark', error.code))
      },
    })
    const { result } = await runOnce({ ...tight, script: ['It is blue.'], modules: { plugins: [plugin] } })

    expect(result.status).toBe('answered')
    expect(result.messages.at(-1)).toMatchObject({ note: 'remark', content: 'E_RUN_LIMIT' })
  })
})

test('the effective limit is the least of host, manifest and run', async () => {
  const steps = async (host: number, manifest: number, run: number): Promise<number> => {
    const { result } = await runOnce({
      ...looking(),
      env: { limits: { steps: host } },
      modules: { manifest: { limits: { steps: manifest } } },
      limits: { steps: run },
    })
    return result.spent.steps
  }

  expect(await steps(2, 5, 5)).toBe(2)
  expect(await steps(5, 2, 5)).toBe(2)
  expect(await steps(5, 5, 2)).toBe(2)
})

test('a limit of a run that is undefined leaves those of host and manifest as they are', async () => {
  const { result } = await runOnce({
    ...looking(),
    env: { limits: { steps: 3, perTool: { look: 2 } } },
    limits: { steps: undefined, perTool: { look: undefined } } as never,
  })

  expect(result).toMatchObject({ status: 'limit', reason: 'steps', spent: { steps: 3, toolCalls: 2 } })
})

test.each([
  { steps: Number.NaN },
  { tokens: -1 },
  { ms: '10' as never },
  { reserve: 2 },
  { perTool: { look: -1 } },
  { usd: null as never },
])('limits that are none are refused at once: %o', async (limits) => {
  expect(() => createEnvironment({ model: createScriptedModel(['x']), limits })).toThrow(
    expect.objectContaining({ code: 'E_ENV_INVALID', message: expect.stringContaining(Object.keys(limits)[0] ?? '') }),
  )
  const { harness } = await aHarness({})
  expect(() => harness.run('x', { limits })).toThrow(expect.objectContaining({ code: 'E_ENV_INVALID' }))
})

describe('a run may always use less: ctx.left', () => {
  test('shows what is left of every limit', async () => {
    const seen: unknown[] = []
    const plugin = aPlugin({
      direct(ctx) {
        seen.push(ctx.left)
        return ctx.directive
      },
    })
    const model = createScriptedModel([{ call: 'look' }, 'done'], { usage: usage(100, 10), price })
    await runOnce({
      model,
      tools: [aTool('look', { latencyMs: 100 })],
      modules: { plugins: [plugin] },
      limits: { steps: 10, tokens: 10_000, usd: 1, ms: 1_000, toolCalls: 5, depth: 2 },
    })

    expect(seen).toEqual([
      { steps: 10, tokens: 9_500, usd: 0.95, ms: 1_000, toolCalls: 5, depth: 2 },
      { steps: 9, tokens: 9_390, usd: expect.closeTo(0.95 - 120 / 1e6, 9), ms: 900, toolCalls: 4, depth: 2 },
    ])
  })
})

test.each([Number.NaN, -1])(
  'a request for a reply of %s tokens is refused, and unmakes no limit',
  async (maxTokens) => {
    const left: unknown[] = []
    const plugin = aPlugin({
      async direct(ctx) {
        await ctx.model({ purpose: 'plan', messages: ctx.head, maxTokens }).catch((error) => left.push(error.code))
        left.push(ctx.left.tokens, ctx.left.usd)
        return ctx.directive
      },
    })
    const limits = { tokens: Number.POSITIVE_INFINITY, usd: 1 }
    const model = createScriptedModel(['done'], { price: { ...price, input: 0, output: 0 } })
    const { result } = await runOnce({ model, modules: { plugins: [plugin] }, limits, env: { limits } })

    expect(result.status).toBe('answered')
    expect(left).toEqual(['E_PROTOCOL_VALUE', Number.POSITIVE_INFINITY, 0.95])
  },
)

test('a model call that fails gives back what it reserved', async () => {
  const left: number[] = []
  const plugin = aPlugin({
    async direct(ctx) {
      await ctx.model({ purpose: 'plan', messages: ctx.head }).catch(() => {})
      left.push(ctx.left.tokens, ctx.left.usd)
      return ctx.directive
    },
  })
  const model = createScriptedModel({ plan: [new Error('reset')], act: ['done'] }, { price })
  await runOnce({ model, modules: { plugins: [plugin] }, limits: { tokens: 10_000, usd: 1 } })

  expect(left).toEqual([9_500, 0.95])
})

describe('usage', () => {
  test('K56: that an endpoint does not report is null and partial, in the step, the event and the total', async () => {
    const model = {
      ...createScriptedModel([]),
      generate: async () => ({ content: 'done', finish: 'stop' }),
    }
    const { result, events } = await runOnce({ model: model as never })

    expect(result.spent).toMatchObject({
      partial: true,
      usd: null,
      modelCalls: 1,
      usage: { inputTokens: null, source: 'unknown' },
    })
    expect(result.steps[0]?.modelCalls[0]?.usage.inputTokens).toBeNull()
    expect(events.find(({ type }) => type === 'model-end')).toMatchObject({ usage: { inputTokens: null }, usd: null })
  })

  test('K56: that is NaN unmakes no limit', async () => {
    const model = createScriptedModel(looking().script, { usage: usage(Number.NaN, Number.NaN), maxOutputTokens: 200 })
    const { result } = await runOnce({ ...looking(), model, limits: { tokens: 2_000 } })

    expect(result).toMatchObject({ status: 'limit', reason: 'tokens' })
    expect(result.spent).toMatchObject({ partial: true, tokens: 0 })
  })

  test('without a price costs what nobody knows: null', async () => {
    const { result } = await runOnce({ model: createScriptedModel(['done'], { usage: usage(100, 10) }) })

    expect(result.spent).toMatchObject({ usd: null, partial: false, tokens: 110 })
  })
})

test('a limit of money that cannot hold, as a price is not known, is warned of', async () => {
  const { result } = await runOnce({ limits: { usd: 1 } })

  expect(result.warnings).toEqual([expect.stringMatching(/limit of money does not hold.*"scripted"/)])
  expect((await runOnce({ limits: { usd: 1 }, model: createScriptedModel(['x'], { price }) })).result.warnings).toEqual(
    [],
  )
})

test('a closing answer is paid from the reserve in every run that has one, and a warning says so where it cannot be', async () => {
  const events: HarnessEvent[] = []
  const model = createScriptedModel(looking().script, { maxOutputTokens: 100, usage: usage(300, 20) })
  const { result } = await runOnce({
    ...looking(),
    model,
    limits: { tokens: 1_000 },
    env: { limits: { reserve: 0 }, observe: (event) => events.push(event) },
  })

  expect(result).toMatchObject({ status: 'limit', reason: 'tokens', partial: true, answer: 'I look.' })
  expect(events.filter(({ type }) => type === 'warning')).toMatchObject([
    { message: expect.stringMatching(/no closing answer could be asked for: The limit "tokens" is reached/) },
  ])
})
