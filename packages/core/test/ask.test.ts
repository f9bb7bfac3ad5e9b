import { describe, expect, test } from 'vitest'
import {
  type Action,
  type Ctx,
  defineModule,
  type Environment,
  type HarnessEvent,
  type Json,
  type Module,
  type Question,
  questionsOf,
  type Snapshot,
} from '../src/index.js'
import { minimalAction, resumeLaw, type Script } from '../src/testkit/index.js'
import { deferred } from './deferred.js'
import { aHarness, aPlugin, aTool, type OneRun } from './one-run.js'

/** Asks a person in its first step, and answers with what was said. */
const asking = (ask: Omit<Extract<Action, { kind: 'ask' }>, 'kind'>): Module =>
  defineModule({
    ...minimalAction,
    act: (ctx): Action =>
      ctx.step === 1
        ? { kind: 'ask', ...ask }
        : {
            kind: 'answer',
            answer: ctx.last?.observations.map(({ callId, content, data = null }) => [callId, content, data]) ?? [],
          },
  })

type Asking = (question: Question) => Promise<Json>

/** A run, with all events, and its snapshot as text. */
async function ran(one: OneRun) {
  const { harness, model } = await aHarness(one)
  const run = harness.run('Do the task.', one)
  const events: HarnessEvent[] = []
  for await (const event of run) events.push(event)
  return { result: await run.result, events, requests: model.requests, snapshot: JSON.stringify(run.snapshot()) }
}

/** The run in a process that knows nothing but the text of its snapshot. */
async function goneOn(one: OneRun, snapshot: string, answers: Readonly<Record<string, Json>> = {}) {
  const { harness, model } = await aHarness(one)
  const run = await harness.resume(JSON.parse(snapshot) as Snapshot, { answers })
  const events: HarnessEvent[] = []
  for await (const event of run) events.push(event)
  return { result: await run.result, events, requests: model.requests, snapshot: JSON.stringify(run.snapshot()) }
}

describe('a question', () => {
  test('has the path and the step of its run as its id, is an event, and is answered by the handler', async () => {
    const asked: Question[] = []
    const ask: Asking = async (question) => {
      asked.push(question)
      return 'blue'
    }
    const { result, events } = await ran({ modules: { action: asking({ question: 'Which colour?' }) }, env: { ask } })
    expect(asked).toEqual([{ id: '#1', question: 'Which colour?' }])
    expect(events.find(({ type }) => type === 'ask')).toMatchObject({
      path: '',
      step: 1,
      id: '#1',
      question: 'Which colour?',
    })
    expect(result).toMatchObject({ status: 'answered', answer: [['#1', 'blue', null]] })
    expect(result.steps[0]?.messages).toMatchObject([
      { role: 'user', note: 'result', content: expect.stringContaining('\nblue\n') },
    ])
  })

  test('of a child run has its path', async () => {
    const nested = defineModule({
      ...minimalAction,
      act: (ctx): Action => {
        if (ctx.step > 1) return { kind: 'answer', answer: 'done' }
        if (ctx.depth === 2) return { kind: 'ask', question: 'How?' }
        return { kind: 'spawn', runs: [{ id: 'a', task: { instruction: 'Go on.' } }] }
      },
    })
    const { result } = await ran({ modules: { action: nested } })
    expect(result).toMatchObject({ status: 'waiting', questions: [{ id: '1.a/1.a#1', question: 'How?' }] })
  })

  test('answers the call of the reply that asked for it', async () => {
    const viaCall = defineModule({
      ...minimalAction,
      async act(ctx): Promise<Action> {
        const action = (await minimalAction.act?.(ctx as unknown as Ctx)) as Action
        if (action.kind !== 'call') return action
        const [call] = action.calls
        return {
          kind: 'ask',
          ...(action.reply && { reply: action.reply }),
          question: 'Which?',
          ...(call && { callId: call.id }),
        }
      },
    })
    const script: Script = ({ messages }) => {
      const said = messages.find(({ role }) => role === 'tool')?.content
      return said === undefined ? { call: 'ask_user', say: 'I must ask.' } : `they said ${String(said)}`
    }
    const { result } = await ran({
      modules: { action: viaCall },
      script: [script],
      env: { ask: async () => ({ size: 3 }) },
    })
    expect(result.answer).toBe('they said {"size":3}')
    expect(result.steps[0]?.messages.map(({ role, callId }) => [role, callId])).toEqual([
      ['assistant', undefined],
      ['tool', 'c1_1'],
    ])
  })

  test('is answered by any JSON, nothing and no included: it is told as text, and kept as it is', async () => {
    for (const answer of [null, false, 0, '', [], { a: [1] }]) {
      const { result } = await ran({
        modules: { action: asking({ question: 'What?' }) },
        env: { ask: async () => answer },
      })
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
      expect(result.answer).toEqual([['#1', text, typeof answer === 'string' ? null : answer]])
    }
  })

  test.each([
    ['is no JSON', new Date(0), /not JSON/],
    ['is a function', () => 1, /not JSON/],
    ['has another shape', 'three', /must be integer/],
    ['has another shape', 2.5, /must be integer/],
  ])('is not answered by what %s: the run ends, and can be asked again', async (_, answer, message) => {
    const one: OneRun = { modules: { action: asking({ question: 'How many?', schema: { type: 'integer' } }) } }
    const { result, snapshot } = await ran({ ...one, env: { ask: async () => answer as never } })
    expect(result.error).toMatchObject({ code: 'E_RUN_ANSWER', message: expect.stringMatching(message) })
    const again = await goneOn({ ...one, env: { ask: async () => 3 } }, snapshot)
    expect(again.result).toMatchObject({ status: 'answered', answer: [['#1', '3', 3]] })
  })

  test('for which the handler fails ends the run, and is asked again when it goes on', async () => {
    const one: OneRun = { modules: { action: asking({ question: 'What?' }) } }
    const failing: Asking = () => Promise.reject(new Error('the terminal is closed'))
    const { result, snapshot } = await ran({ ...one, env: { ask: failing } })
    expect(result).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('the terminal is closed') },
    })
    const again = await goneOn({ ...one, env: { ask: async () => 'here' } }, snapshot)
    expect(again.result).toMatchObject({ status: 'answered', answer: [['#1', 'here', null]] })
  })

  test('that nobody answers holds no abort up', async () => {
    const begun = deferred<void>()
    const ask: Asking = () => {
      begun.resolve()
      return new Promise(() => {})
    }
    const { harness } = await aHarness({ modules: { action: asking({ question: 'What?' }) }, env: { ask } })
    const run = harness.run('Do the task.')
    await begun.promise
    run.abort('enough')
    expect(await run.result).toMatchObject({ status: 'aborted' })
  })

  test.each([
    ['a question', { kind: 'ask' }],
    ['a question, a text', { kind: 'ask', question: 5 }],
    ['a schema, an object', { kind: 'ask', question: 'What?', schema: 5 }],
  ])('needs %s', async (_, action) => {
    const { result } = await ran({
      modules: { action: defineModule({ ...minimalAction, act: () => action as never }) },
    })
    expect(result.error).toMatchObject({
      code: 'E_PROTOCOL_ACTION',
      message: expect.stringContaining('"ask" has a question, a text'),
    })
  })

  test('with its answer is the same after a crash at any point', async () => {
    const { faults } = await resumeLaw({
      task: 'Do the task.',
      async fresh(journal) {
        const guard = aPlugin({
          toolCall: ({ arguments: text }) => (text.includes('1') ? { ask: 'May it?' } : undefined),
        })
        const { harness, model } = await aHarness({
          modules: { action: threeSteps, plugins: [guard] },
          tools: [aTool('look', { idempotent: true })],
          script: [
            ({ messages }) =>
              messages.some(({ role }) => role === 'tool')
                ? 'done'
                : { calls: [0, 1, 2].map((at) => ({ call: 'look', with: { at } })) },
          ],
          env: { journal, ask: async ({ id }) => (id.includes('.') ? 'yes' : 'blue') },
        })
        return { harness, requests: model.requests }
      },
    })
    expect(faults).toEqual([])
  })
})

/** Asks, then does as its model says. */
const threeSteps = defineModule({
  ...minimalAction,
  act: (ctx): Action | Promise<Action> =>
    ctx.step === 1 ? { kind: 'ask', question: 'Which colour?' } : (minimalAction.act?.(ctx as Ctx) as Promise<Action>),
})

describe('a run that must ask and cannot', () => {
  const action = asking({ question: 'How many?', schema: { type: 'integer', minimum: 1 } })

  test('waits, with its questions, and goes on with the answer in another process', async () => {
    const first = await ran({ modules: { action } })
    expect(first.result).toMatchObject({
      status: 'waiting',
      answer: null,
      questions: [{ id: '#1', question: 'How many?', schema: { type: 'integer', minimum: 1 } }],
    })
    expect(first.events.map(({ type }) => type)).toContain('ask')
    expect(questionsOf(JSON.parse(first.snapshot) as Snapshot)).toEqual(first.result.questions)

    const { result, events } = await goneOn({ modules: { action } }, first.snapshot, { '#1': 3 })
    expect(result).toMatchObject({ status: 'answered', answer: [['#1', '3', 3]] })
    expect(result.questions).toBeUndefined()
    expect(events.map(({ type }) => type)).not.toContain('ask')
  })

  test('waits still when it goes on without an answer, and asks the handler where there is one by then', async () => {
    const { snapshot } = await ran({ modules: { action } })
    const again = await goneOn({ modules: { action } }, snapshot)
    expect(again.result).toMatchObject({ status: 'waiting', questions: [{ id: '#1' }] })
    const handled = await goneOn({ modules: { action }, env: { ask: async () => 7 } }, again.snapshot)
    expect(handled.result.answer).toEqual([['#1', '7', 7]])
  })

  test('is told which question there is when the id is wrong, and what is wrong with an answer of another shape', async () => {
    const { snapshot } = await ran({ modules: { action } })
    await expect(goneOn({ modules: { action } }, snapshot, { '#2': 3 })).rejects.toMatchObject({
      code: 'E_RUN_ANSWER',
      message: 'No question has the id "#2".',
      hint: 'Open: #1.',
    })
    await expect(goneOn({ modules: { action } }, snapshot, { '#1': 0 })).rejects.toMatchObject({
      code: 'E_RUN_ANSWER',
      message: expect.stringMatching(/"#1" has not the shape that is asked for: must be >= 1/),
    })
    await expect(goneOn({ modules: { action } }, snapshot, { '#1': undefined as never })).rejects.toMatchObject({
      code: 'E_RUN_ANSWER',
    })
  })

  test('that is over has no question any more', async () => {
    const first = await ran({ modules: { action } })
    const done = await goneOn({ modules: { action } }, first.snapshot, { '#1': 3 })
    await expect(goneOn({ modules: { action } }, done.snapshot, { '#1': 4 })).rejects.toMatchObject({
      code: 'E_RUN_ANSWER',
      hint: 'Open: none.',
    })
  })

  test('asks each question of its own: an answer is for its step alone', async () => {
    const twice = defineModule({
      ...minimalAction,
      act: (ctx): Action =>
        ctx.step <= 2
          ? { kind: 'ask', question: `Number ${ctx.step}?` }
          : { kind: 'answer', answer: ctx.history.flatMap((step) => step.observations.map(({ content }) => content)) },
    })
    const first = await ran({ modules: { action: twice } })
    const second = await goneOn({ modules: { action: twice } }, first.snapshot, { '#1': 'one' })
    expect(second.result).toMatchObject({ status: 'waiting', questions: [{ id: '#2', question: 'Number 2?' }] })
    const third = await goneOn({ modules: { action: twice } }, second.snapshot, { '#2': 'two' })
    expect(third.result.answer).toEqual(['one', 'two'])
  })
})

describe('a child run that waits', () => {
  const family = defineModule({
    ...minimalAction,
    act(ctx): Action | Promise<Action> {
      if (ctx.depth === 0 && ctx.step === 1)
        return {
          kind: 'spawn',
          runs: ['asks', 'works', 'also'].map((id) => ({ id, task: { instruction: `It ${id}.` } })),
        }
      if (ctx.depth === 0) return { kind: 'answer', answer: ctx.last?.observations.map(({ content }) => content) ?? [] }
      if (ctx.path === '1.works') return minimalAction.act?.(ctx as Ctx) as Promise<Action>
      if (ctx.step === 1) return { kind: 'ask', question: `May ${ctx.path} go on?` }
      return { kind: 'answer', answer: `${ctx.path} heard ${ctx.last?.observations[0]?.content}` }
    },
  })
  const script: Script = ({ messages }) => {
    const looks = messages.filter(({ role }) => role === 'tool').length
    return looks < 3 ? { call: 'look', with: { looks } } : 'worked'
  }

  test('makes the tree wait when its siblings have ended; those are not run again, and each answer goes to its run', async () => {
    const looks: string[] = []
    const look = aTool('look', { latencyMs: 5, execute: (_args: unknown, { path }) => `look ${looks.push(path)}` })
    const one: OneRun = { modules: { action: family }, tools: [look], script: [script] }
    const first = await ran(one)
    expect(first.result).toMatchObject({
      status: 'waiting',
      steps: [],
      questions: [
        { id: '1.asks#1', question: 'May 1.asks go on?' },
        { id: '1.also#1', question: 'May 1.also go on?' },
      ],
    })
    expect(looks).toHaveLength(3)
    const ends = first.events.flatMap((event) => (event.type === 'child-end' ? [`${event.child} ${event.status}`] : []))
    expect(ends.toSorted()).toEqual(['1.also waiting', '1.asks waiting', '1.works answered'])

    const half = await goneOn(one, first.snapshot, { '1.also#1': 'yes' })
    expect(half.result).toMatchObject({ status: 'waiting', questions: [{ id: '1.asks#1' }] })
    const { result, requests } = await goneOn(one, half.snapshot, { '1.asks#1': 'no' })
    expect(result.answer).toEqual(['1.asks heard no', 'worked', '1.also heard yes'])
    expect(Object.keys(result.children)).toEqual(['1.asks', '1.works', '1.also'])
    expect([looks.length, requests.length]).toEqual([3, 0])
  })

  test('is named by the nearest ids when an answer is for no run', async () => {
    const first = await ran({ modules: { action: family }, tools: [aTool('look')], script: [script] })
    await expect(goneOn({ modules: { action: family } }, first.snapshot, { '1.ask#1': 'yes' })).rejects.toMatchObject({
      hint: expect.stringMatching(/^Open: 1\.asks#1/),
    })
  })
})

describe('a call for which a guard asks leave', () => {
  const guard = aPlugin({
    state: () => ({ watched: 0, dice: 0 }),
    toolCall({ name, arguments: text }, ctx) {
      ctx.state.watched += 1
      ctx.state.dice = ctx.random()
      return name === 'pay' ? { ask: `May it be paid? ${text}` } : undefined
    },
    record(step, ctx) {
      ctx.note('watched', `${step.index}: ${ctx.state.watched} ${ctx.state.dice.toFixed(6)}`)
    },
  })
  const bills: Script = {
    calls: [0, 1, 2].map((bill) => ({ call: bill === 1 ? 'look' : 'pay', with: { bill } })),
    say: 'I pay.',
  }
  const script: Script = ({ messages }) => (messages.some(({ role }) => role === 'tool') ? 'done' : bills)

  function setUp(env: Partial<Environment> = {}) {
    const made: string[] = []
    const tools = ['pay', 'look'].map((name) =>
      aTool(name, { execute: ({ bill }: { bill: number }) => `${name} ${bill} as ${made.push(`${name} ${bill}`)}` }),
    )
    const one: OneRun = { tools, modules: { plugins: [guard] }, script: [script], env: env as never }
    return { one, made }
  }

  test('has the place of the call in the id of its question, and nothing of the step is done before all is answered', async () => {
    const { one, made } = setUp()
    const { result } = await ran(one)
    expect(result).toMatchObject({
      status: 'waiting',
      questions: [
        { id: '#1.0', question: 'May it be paid? {"bill":0}' },
        { id: '#1.2', question: 'May it be paid? {"bill":2}' },
      ],
    })
    expect(made).toEqual([])
  })

  test.each([
    ['together', [{ '#1.0': 'yes', '#1.2': true }]],
    ['one after the other', [{ '#1.0': 'yes' }, { '#1.2': true }]],
    ['one after the other, the last first', [{ '#1.2': true }, {}, { '#1.0': 'yes' }]],
  ])('is made when it is allowed, each once: %s', async (_, rounds) => {
    const { one, made } = setUp()
    let last = await ran(one)
    for (const answers of rounds) {
      expect(last.result.status).toBe('waiting')
      last = await goneOn(one, last.snapshot, answers as Readonly<Record<string, Json>>)
    }
    expect(last.result).toMatchObject({ status: 'answered', answer: 'done' })
    expect(made).toEqual(['pay 0', 'look 1', 'pay 2'])
    const whole = await ran(setUp({ ask: async () => 'yes' }).one)
    expect(last.result.messages).toEqual(whole.result.messages) // guards have watched once, with the same dice
    expect(last.requests).toHaveLength(1)
  })

  test.each([['yes'], ['Y'], ['allow'], [' ok '], [true]])('is made on %j', async (word) => {
    const { one, made } = setUp({ ask: async () => word })
    await ran(one)
    expect(made).toHaveLength(3)
  })

  test.each([['no'], ['yes, but only the first'], ['true'], [false], [null], [1], [{ allow: true }], ['']])(
    'is not made on %j: the model is told what was said',
    async (word) => {
      const { one, made } = setUp({ ask: async () => word })
      const { result, requests } = await ran(one)
      expect(made).toEqual(['look 1'])
      const said = typeof word === 'string' ? word : JSON.stringify(word)
      expect(result.steps[0]?.observations.map(({ ok, content, error }) => [ok, content, error?.code])).toEqual([
        [false, `error: pay was denied by a person: ${said}`, 'E_TOOL_DENIED'],
        [true, 'look 1 as 1', undefined],
        [false, `error: pay was denied by a person: ${said}`, 'E_TOOL_DENIED'],
      ])
      expect(requests.at(-1)?.messages.filter(({ role }) => role === 'tool')[0]?.content).toBe(
        `error: pay was denied by a person: ${said}`,
      )
    },
  )

  test('waits beside child runs too, of which none begins before it is answered', async () => {
    const spawner = defineModule({
      ...minimalAction,
      act(ctx): Action | Promise<Action> {
        if (ctx.depth > 0) return minimalAction.act?.(ctx as Ctx) as Promise<Action>
        if (ctx.step > 1) return { kind: 'answer', answer: ctx.last?.observations.map(({ content }) => content) ?? [] }
        const calls = [{ id: 'k', name: 'pay', arguments: '{"bill":9}' }]
        return { kind: 'spawn', runs: [{ id: 'a', task: { instruction: 'Be a.' } }], calls }
      },
    })
    const { one, made } = setUp()
    const own: OneRun = { ...one, modules: { action: spawner, plugins: [guard] }, script: ['of a'] }
    const first = await ran(own)
    expect(first.result).toMatchObject({ status: 'waiting', questions: [{ id: '#1.0' }] })
    expect(Object.keys((JSON.parse(first.snapshot) as Snapshot).runs)).toEqual([''])
    const { result } = await goneOn(own, first.snapshot, { '#1.0': 'yes' })
    expect(result.answer).toEqual(['pay 9 as 1', 'of a'])
    expect(made).toEqual(['pay 9'])
  })
})

describe('K75: a call that a person allowed, and that was under way when the process ended', () => {
  const guard = aPlugin({ toolCall: () => ({ ask: 'May it be paid?' }) })

  /** The snapshot of a run whose process ended while its tool was paying. */
  async function interrupted() {
    const begun = deferred<void>()
    const state = { paid: 0, isDying: true }
    const pay = aTool('pay', {
      execute() {
        state.paid++
        begun.resolve()
        return state.isDying ? new Promise<never>(() => {}) : 'paid'
      },
    })
    const script: Script = ({ messages }) => (messages.some(({ role }) => role === 'tool') ? 'done' : { call: 'pay' })
    const one: OneRun = { tools: [pay], modules: { plugins: [guard] }, script: [script] }
    const { harness } = await aHarness({ ...one, env: { ask: async () => 'yes' } })
    const run = harness.run('Pay.')
    await begun.promise
    const snapshot = JSON.stringify(run.snapshot())
    run.abort()
    await run.result
    state.isDying = false
    return { one, state, snapshot }
  }

  test('is asked about again, under an id of its own, and what is said then is told to the model too', async () => {
    const { one, state, snapshot } = await interrupted()
    const asked: Question[] = []
    const ask: Asking = async (question) => {
      asked.push(question)
      return 'no'
    }
    const { result } = await goneOn({ ...one, env: { ask } }, snapshot)
    expect(asked).toEqual([
      {
        id: '#1.c1_1',
        question: expect.stringMatching(/not known whether pay was carried out.*Carry it out again\?$/),
      },
    ])
    expect(state.paid).toBe(1)
    expect(result.steps[0]?.observations[0]).toMatchObject({ ok: false, error: { code: 'E_TOOL_UNKNOWN_OUTCOME' } })
    expect(result.status).toBe('answered')
  })

  test('is made again where a person says so', async () => {
    const { one, state, snapshot } = await interrupted()
    const { result } = await goneOn({ ...one, env: { ask: async () => 'yes' } }, snapshot)
    expect(state.paid).toBe(2)
    expect(result.steps[0]?.observations[0]).toMatchObject({ ok: true, content: 'paid' })
  })
})
