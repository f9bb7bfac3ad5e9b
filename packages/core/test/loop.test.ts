import { describe, expect, test } from 'vitest'
import { type Action, defineModule, type Module } from '../src/index.js'
import { createScriptedModel } from '../src/testkit/index.js'
import { aHarness, aPlugin, aTool, runOnce } from './one-run.js'

const acting = (act: () => unknown): Module =>
  defineModule({ slot: 'action', summary: 'Acts as a test says.', act: act as () => Action })

test('a harness says what it is made of, and its results do', async () => {
  const { harness } = await aHarness({ modules: { manifest: { name: 'mine' } } })
  const result = await harness.run('x').result

  expect(harness.manifest.name).toBe('mine')
  expect([result.manifestId, result.harnessId]).toEqual([harness.manifestId, harness.harnessId])
})

describe('an action', () => {
  test('"answer" ends the run with the answer, as JSON', async () => {
    const { result } = await runOnce({ modules: { action: acting(() => ({ kind: 'answer', answer: { n: [1] } })) } })

    expect(result).toMatchObject({ status: 'answered', answer: { n: [1] } })
    expect(result.reason).toBeUndefined()
    expect(result.steps).toHaveLength(1)
  })

  test.each([0, false, ''])('"answer" may be %j', async (answer) => {
    const { result } = await runOnce({ modules: { action: acting(() => ({ kind: 'answer', answer })) } })

    expect(result).toMatchObject({ status: 'answered', answer })
  })

  test('"fail" ends the run as failed, with the reason of the agent', async () => {
    const { result } = await runOnce({ modules: { action: acting(() => ({ kind: 'fail', reason: 'no such order' })) } })

    expect(result).toMatchObject({ status: 'failed', reason: 'no such order', answer: null })
    expect(result.error).toBeUndefined()
    expect(result.steps[0]?.action).toEqual({ kind: 'fail', reason: 'no such order' })
  })

  test.each([
    [{ kind: 'jump' }, /found "jump"/],
    [{ kind: 'call', calls: [] }, /has calls/],
    [{ kind: 'call', calls: [{ name: 'x' }] }, /has calls/],
    [{ kind: 'call', calls: 'look' }, /has calls/],
    [{ kind: 'answer' }, /has an answer/],
    [{ kind: 'answer', answer: { at: new Date(0) } }, /an instance of a class at "\/answer\/at"/],
    [{ kind: 'answer', answer: Symbol.iterator }, /a symbol/],
    [{ kind: 'fail' }, /has a reason/],
    [{ kind: 'fail', reason: 5 }, /has a reason/],
    [{ kind: 'think', feedback: 5 }, /feedback/],
    [{ kind: 'think', reply: 'said' }, /reply/],
    ['answer', /kind of an action/],
    [[], /kind of an action/],
  ])('%j is none, and the module is named', async (action, fault) => {
    const { result } = await runOnce({ modules: { action: acting(() => action) } })

    expect(result.error).toMatchObject({
      code: 'E_PROTOCOL_ACTION',
      slot: 'action',
      module: '@test/modules#m0',
      step: 1,
      message: expect.stringMatching(fault),
    })
  })

  test('that no module returns is E_PROTOCOL_NO_ACTION', async () => {
    const { result } = await runOnce({ modules: { action: acting(() => undefined) } })

    expect(result.error).toMatchObject({ code: 'E_PROTOCOL_NO_ACTION', slot: 'action', step: 1 })
  })

  test('with calls that are not of its reply is refused in strict mode', async () => {
    const action = defineModule({
      slot: 'action',
      summary: 'Makes up a call.',
      async act(ctx): Promise<Action> {
        const reply = await ctx.model({ purpose: 'act', messages: ctx.view.messages })
        return { kind: 'call', reply, calls: [{ id: 'own', name: 'look', arguments: '{}' }] }
      },
    })
    const { result } = await runOnce({ modules: { action }, tools: [aTool('look')] })

    expect(result.error).toMatchObject({ code: 'E_PROTOCOL_ACTION', message: expect.stringContaining('"own"') })
  })

  test("of an early plugin takes the place of the action module's", async () => {
    const early = aPlugin({
      stage: 'early',
      act: (ctx) => (ctx.step === 1 ? { kind: 'think', feedback: 'wait' } : undefined),
    })
    const { result } = await runOnce({ modules: { plugins: [early] } })

    expect(result.steps.map((step) => step.action.kind)).toEqual(['think', 'answer'])
  })
})

test.each([true, false])(
  'a module that changes what it returned does not rewrite the record, strict or not: %s',
  async (strict) => {
    const kept = { text: 'look', plan: { goals: [{ id: '1', text: 'a', status: 'open' as string }] } }
    const planning = defineModule({
      slot: 'planning',
      summary: 'Keeps its plan.',
      direct: () => kept as never,
      record: () => {
        const [goal] = kept.plan.goals
        if (goal !== undefined) goal.status = 'done'
      },
    })
    const usage = {
      inputTokens: null,
      cachedTokens: null,
      outputTokens: null,
      reasoningTokens: null,
      source: 'unknown' as const,
    }
    const reply = { content: 'It is blue.', toolCalls: [], finish: 'stop' as const, usage }
    const action = defineModule({
      slot: 'action',
      summary: 'Keeps its reply.',
      act: () => ({ kind: 'answer', reply, answer: 'blue' }),
      record: () => {
        reply.content = 'It is red.'
      },
    })
    const { result } = await runOnce({ modules: { planning, action }, env: { strict } })

    expect(result.status).toBe('answered')
    expect(result.steps[0]?.directive.plan?.goals[0]?.status).toBe('open')
    expect(result.steps[0]?.action.reply?.content).toBe('It is blue.')
  },
)

describe('a directive', () => {
  test('that is done asks for the answer at once: the modules first, and no action', async () => {
    const asked: string[] = []
    const planning = defineModule({
      slot: 'planning',
      summary: 'Is done after a step.',
      direct: (ctx) => {
        if (ctx.step === 2) ctx.note('review', 'all is done')
        return { text: '', done: ctx.step === 2 }
      },
      finish: (reason) => {
        asked.push(reason)
        return { sum: 3 }
      },
    })
    const { result, requests } = await runOnce({
      modules: { planning },
      tools: [aTool('look')],
      script: [{ call: 'look' }, 'never asked'],
    })

    expect(asked).toEqual(['done'])
    expect(result).toMatchObject({ status: 'answered', answer: { sum: 3 } })
    expect(requests).toHaveLength(1)
    expect(result.steps.at(-1)).toMatchObject({
      index: 2,
      action: { kind: 'answer' },
      end: { status: 'answered', reason: 'done' },
    })
    expect(result.messages.map(({ note }) => note)).toContain('review')
  })

  test('that is done lets the model answer where no module does, without tools', async () => {
    const planning = defineModule({
      slot: 'planning',
      summary: 'Is done after a step.',
      direct: (ctx) => ({ text: '', done: ctx.step === 2 }),
    })
    const { result, requests } = await runOnce({
      modules: { planning },
      tools: [aTool('look')],
      script: { act: [{ call: 'look' }], finish: ['It is 3.'] },
    })

    expect(result).toMatchObject({ status: 'answered', answer: 'It is 3.' })
    expect(requests.map(({ purpose, tools }) => [purpose, tools?.length])).toEqual([
      ['act', 1],
      ['finish', undefined],
    ])
  })

  test('that is done ends the run as a limit where no answer comes of it, and the last text is marked', async () => {
    const planning = defineModule({
      slot: 'planning',
      summary: 'Is done after a step.',
      direct: (ctx) => ({ text: '', done: ctx.step === 2 }),
    })
    const { result, events } = await runOnce({
      modules: { planning },
      tools: [aTool('look')],
      script: { act: [{ call: 'look', say: 'I look.' }], finish: [new Error('reset')] },
    })

    expect(result).toMatchObject({ status: 'limit', reason: 'done', answer: 'I look.', partial: true })
    expect(events.filter(({ type }) => type === 'limit')).toEqual([])
  })

  test('that is done builds the view once, and the calls that building it took are in the step', async () => {
    let views = 0
    const memory = defineModule({
      slot: 'memory',
      summary: 'Counts.',
      view: (ctx) => {
        views += 1
        return ctx.view
      },
    })
    const planning = defineModule({
      slot: 'planning',
      summary: 'Reviews, and is done.',
      async direct(ctx) {
        if (ctx.step === 1) return { text: '' }
        await ctx.model({ purpose: 'review', messages: ctx.view.messages })
        return { text: '', done: true }
      },
    })
    const { result } = await runOnce({
      modules: { memory, planning },
      tools: [aTool('look')],
      script: { act: [{ call: 'look' }], review: ['all done'], finish: ['3'] },
    })

    expect(views).toBe(2)
    expect(result.steps.map((step) => step.modelCalls.map((call) => call.purpose))).toEqual([
      ['act'],
      ['review', 'finish'],
    ])
    expect(result.spent.modelCalls).toBe(3)
  })

  test('that is no directive names the planning module', async () => {
    const planning = defineModule({ slot: 'planning', summary: 'x', direct: () => ({ text: 5 }) as never })

    expect((await runOnce({ modules: { planning } })).result.error).toMatchObject({
      code: 'E_PROTOCOL_DIRECTIVE',
      slot: 'planning',
      module: '@test/modules#m0',
    })
  })
})

describe('capabilities', () => {
  const selecting = (select: (tools: readonly unknown[]) => unknown): Module =>
    defineModule({
      slot: 'capability',
      summary: 'Selects as a test says.',
      select: ((ctx: { capabilities: { tools: readonly unknown[] } }) => select(ctx.capabilities.tools)) as never,
    })

  test.each([
    ['a list', selecting((tools) => tools), /two lists/],
    ['no skills', selecting((tools) => ({ tools })), /two lists/],
    ['a tool twice', selecting((tools) => ({ tools: [...tools, ...tools], skills: [] })), /"look" is there twice/],
    [
      'a tool of its own',
      selecting(() => ({ tools: [aTool('other')], skills: [] })),
      /"other" is not one of the environment/,
    ],
    ['a tool that is none', selecting(() => ({ tools: [null], skills: [] })), /not one of the environment/],
  ])('that are %s name the capability module', async (_, capability, fault) => {
    const { result } = await runOnce({ modules: { capability }, tools: [aTool('look')] })

    expect(result.error).toMatchObject({
      code: 'E_PROTOCOL_CAPABILITIES',
      slot: 'capability',
      module: '@test/modules#m0',
      message: expect.stringMatching(fault),
    })
  })

  test('of a step are recorded by name, those that modules bring last', async () => {
    const plugin = aPlugin({ tools: () => [aTool('compress')] })
    const { result, requests } = await runOnce({
      modules: { capability: selecting((tools) => ({ tools: tools.toReversed(), skills: [] })), plugins: [plugin] },
      tools: [aTool('a'), aTool('b')],
    })

    expect(result.steps[0]?.capabilities).toEqual(['b', 'a', 'compress'])
    expect(requests[0]?.tools?.map((tool) => [tool.name, tool.owner])).toEqual([
      ['b', undefined],
      ['a', undefined],
      ['compress', 'plugin.0'],
    ])
  })

  test('K60: the tool list that is sent only grows, in one order, also when a module narrows or reorders it', async () => {
    const capability = defineModule({
      slot: 'capability',
      summary: 'Another list at every step.',
      select: ({ step, capabilities: { tools, skills } }) => ({
        tools: step === 1 ? tools.slice(0, 2) : step === 2 ? tools.slice(1, 3).toReversed() : tools.toReversed(),
        skills,
      }),
    })
    const { requests, result } = await runOnce({
      modules: { capability },
      tools: [aTool('a'), aTool('b'), aTool('c')],
      script: [{ call: 'b' }, { call: 'a' }, 'done'],
    })

    expect(requests.map(({ tools }) => tools?.map(({ name }) => name).join(''))).toEqual(['ab', 'abc', 'abc'])
    expect(result.steps[1]?.observations[0]).toMatchObject({ ok: false, error: { code: 'E_TOOL_NOT_OFFERED' } })
  })

  test('of a module that says that it breaks the prefix are sent as they are', async () => {
    const capability = defineModule({
      slot: 'capability',
      summary: 'The last tool only.',
      breaksPrefix: true,
      select: ({ step, capabilities: { tools, skills } }) => ({ tools: step === 1 ? tools : tools.slice(1), skills }),
    })
    const { requests } = await runOnce({
      modules: { capability },
      tools: [aTool('a'), aTool('b')],
      script: [{ call: 'a' }, 'done'],
    })

    expect(requests.map(({ tools }) => tools?.map(({ name }) => name).join(''))).toEqual(['ab', 'b'])
  })
})

test('two tools of one name, of the environment and of a module, are refused before the first step', async () => {
  const plugin = aPlugin({ tools: () => [aTool('look')] })
  const { result, requests } = await runOnce({ modules: { plugins: [plugin] }, tools: [aTool('look')] })

  expect(result.error).toMatchObject({ code: 'E_PROTOCOL_TOOL', message: expect.stringContaining('"look"') })
  expect(requests).toEqual([])
})

test('K28: an empty reply is asked for once more, and a second one ends the run with the reason empty_reply', async () => {
  for (const empty of [
    { content: '', finish: 'tool_calls' },
    { content: ' \n', finish: 'stop' },
    // K31: what an endpoint sends where a text should be.
    { content: null as never, finish: 'stop' },
  ]) {
    const { result, requests } = await runOnce({ model: createScriptedModel([empty]) })

    expect(requests).toHaveLength(2)
    expect(result).toMatchObject({
      status: 'failed',
      reason: 'empty_reply',
      answer: null,
      error: { code: 'E_RUN_EMPTY_REPLY' },
    })
    expect(result.spent.modelCalls).toBe(2)
  }
})

test('an empty reply that is followed by another is no more than a call that was paid', async () => {
  const { result } = await runOnce({ model: createScriptedModel([{ content: '', finish: 'stop' }, 'done']) })

  expect(result).toMatchObject({ status: 'answered', answer: 'done', spent: { modelCalls: 2 } })
})

test('a reply of reasoning alone is an empty one, and asked for once more', async () => {
  const { result, requests } = await runOnce({
    model: createScriptedModel([{ content: '', reasoning: 'I think it is 3.', finish: 'stop' }, 'It is 3.']),
  })

  expect(requests).toHaveLength(2)
  expect(result.answer).toBe('It is 3.')
})

test('a call of final_answer is the answer where no tool has that name', async () => {
  const script = [{ call: 'final_answer', with: { answer: { sum: 3 } } }]

  expect((await runOnce({ script })).result).toMatchObject({ status: 'answered', answer: { sum: 3 } })
  const { result } = await runOnce({ script: [...script, 'done'], tools: [aTool('final_answer')] })
  expect(result.steps[0]?.observations[0]).toMatchObject({ tool: 'final_answer', ok: true })
})
