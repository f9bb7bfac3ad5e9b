import { describe, expect, test } from 'vitest'
import {
  type Ctx,
  defineModule,
  type Environment,
  type Harness,
  type Json,
  type Message,
  type Snapshot,
  type Tool,
} from '../src/index.js'
import { createVirtualClock, minimalAction, type Script } from '../src/testkit/index.js'
import { deferred } from './deferred.js'
import { aHarness, aPlugin, aTool, type OneRun } from './one-run.js'

/** What an endpoint refuses: calls without a result right after them, results without a call, ids that are there twice. */
function faults(messages: readonly Message[]): readonly string[] {
  const found: string[] = []
  const made = new Set<string>()
  let due: string[] = []
  for (const { role, callId = '', toolCalls = [] } of messages) {
    if (role === 'tool') {
      if (!due.includes(callId)) found.push(`result of ${callId}`)
      due = due.filter((id) => id !== callId)
      continue
    }
    found.push(...due.map((id) => `call ${id}`))
    due = toolCalls.map(({ id }) => id)
    for (const id of due) {
      if (made.has(id)) found.push(`second ${id}`)
      made.add(id)
    }
  }
  const ids = messages.flatMap(({ id }) => (id === undefined ? [] : [id]))
  return [...found, ...due.map((id) => `call ${id}`), ...ids.filter((id, index) => ids.indexOf(id) < index)]
}

/** A tool that counts what it does and, while `isDying`, never comes back, as in a process that ends. */
function pay(more: Partial<Tool> = {}) {
  const state = { paid: 0, isDying: true }
  const begun = deferred<void>()
  const tool = aTool('pay', {
    execute() {
      state.paid++
      begun.resolve()
      return state.isDying ? new Promise<never>(() => {}) : 'paid'
    },
    ...more,
  })
  return { state, tool, begun: begun.promise }
}

/** Starts a run, and takes its snapshot when something says so, in the middle of what it does: the process ends there. */
async function interrupted(harness: Harness, when: Promise<unknown>): Promise<Snapshot> {
  const run = harness.run('Pay the bill.')
  await when
  const snapshot = JSON.parse(JSON.stringify(run.snapshot())) as Snapshot
  run.abort('the process ends')
  await run.result
  return snapshot
}

/** A new process: another harness, model and clock, and the same tools. */
async function resumed(one: OneRun, snapshot: Snapshot, answers?: Readonly<Record<string, Json>>) {
  const { harness, model } = await aHarness(one)
  const run = await harness.resume(snapshot, answers === undefined ? {} : { answers })
  return { result: await run.result, requests: model.requests, snapshot: run.snapshot() }
}

/** A memory that sums up all but the last step as soon as there are two. */
const folding = defineModule({
  slot: 'memory',
  summary: 'Shows a summary and the last step.',
  async view(ctx) {
    if (ctx.history.length < 2) return ctx.view
    const messages: readonly Message[] = [...ctx.view.messages, { role: 'user', content: 'Sum it up.' }]
    const { content } = await ctx.model({ purpose: 'summarise', messages })
    const summary: Message = { role: 'user', content, covers: [1, ctx.history.length - 1] }
    return { messages: [...ctx.head, summary, ...(ctx.last?.messages ?? [])] }
  },
})

describe('a run whose process ended between a call and its result', () => {
  const script = (acts: readonly Script[]) => ({ act: acts, summarise: ['One bill, outcome unknown.'] })

  test('K26: goes on with an error in the place of the result, is a valid history, and can be summed up', async () => {
    const { state, tool, begun } = pay()
    const look = aTool('look')
    const first = await aHarness({ tools: [tool, look], script: [{ call: 'pay' }], modules: { memory: folding } })
    const snapshot = await interrupted(first.harness, begun)
    state.isDying = false
    const { result, requests } = await resumed(
      {
        tools: [tool, look],
        script: script([{ call: 'look' }, 'The bill may be paid.']),
        modules: { memory: folding },
      },
      snapshot,
    )

    expect(state.paid).toBe(1)
    expect(result).toMatchObject({ status: 'answered', answer: 'The bill may be paid.' })
    expect(result.steps[0]?.observations).toMatchObject([
      { ok: false, content: expect.stringMatching(/^error: .*not known/), error: { code: 'E_TOOL_UNKNOWN_OUTCOME' } },
    ])
    expect(requests.map(({ purpose }) => purpose)).toEqual(['act', 'summarise', 'act'])
    for (const { messages } of requests) expect(faults(messages)).toEqual([])
    expect(faults(result.messages)).toEqual([])
  })

  test('K26: has a call made again that does no harm, and one made that was not begun', async () => {
    const { state, tool, begun } = pay({ idempotent: true })
    const look = aTool('look')
    const calls = { calls: [{ call: 'pay' }, { call: 'look' }] }
    const first = await aHarness({ tools: [tool, look], script: [calls] })
    const snapshot = await interrupted(first.harness, begun)
    state.isDying = false
    const { result, requests } = await resumed({ tools: [tool, look], script: ['Paid.'] }, snapshot)

    expect(result.steps[0]?.observations.map(({ content }) => content)).toEqual(['paid', 'look {}'])
    expect(state.paid).toBe(2)
    expect(faults(requests[0]?.messages ?? [])).toEqual([])
  })
})

test('K27: a run that is resumed twice from one state asks twice for the same, and nothing in it is there twice', async () => {
  // The endpoint gives every call one id.
  const calling = (name: string): Script => {
    return { content: '', toolCalls: [{ id: 'same', name, arguments: '{}' }], finish: 'tool_calls' }
  }
  const { state, tool, begun } = pay({ idempotent: true })
  const plugin = aPlugin({ record: (step, ctx) => ctx.note('remark', `Step ${step.index} is done.`) })
  const one: OneRun = {
    tools: [tool, aTool('look')],
    modules: { plugins: [plugin] },
    script: [calling('look'), calling('pay')],
  }
  const snapshot = await interrupted((await aHarness(one)).harness, begun)
  state.isDying = false
  const again: OneRun = { ...one, script: [calling('look'), 'done'] }
  const [first, second] = [await resumed(again, snapshot), await resumed(again, snapshot)]
  const third = await resumed(again, second.snapshot)

  expect(first.result.status).toBe('answered')
  expect(first.requests).toHaveLength(2)
  for (const { messages } of [...first.requests, ...second.requests, first.result]) expect(faults(messages)).toEqual([])
  const sent = (of: typeof first) => of.requests.map(({ messages }) => messages)
  expect(sent(second)).toEqual(sent(first))
  expect(third).toMatchObject({ requests: [], result: { status: 'answered', messages: second.result.messages } })
})

describe('two approvals in one step', () => {
  const asking = aPlugin({ toolCall: ({ arguments: text }) => ({ ask: `May it be paid? ${text}` }) })
  const bills: Script = { calls: [1, 2].map((bill) => ({ call: 'pay', with: { bill } })) }
  const setUp = (script: readonly Script[], env: Partial<Environment> = {}) => {
    const paid: unknown[] = []
    const tool = aTool('pay', { execute: (args: object) => String(paid.push(args)) })
    const one: OneRun = { tools: [tool], modules: { plugins: [asking] }, script, env: env as never }
    return { one, paid }
  }

  test('K55: are two questions, for which the run waits, and no end in silence', async () => {
    const { one, paid } = setUp([bills])
    const { harness } = await aHarness(one)
    const run = harness.run('Pay the bills.')
    const result = await run.result

    expect(result.status).toBe('waiting')
    expect(result.questions?.map(({ question }) => question)).toEqual([
      'May it be paid? {"bill":1}',
      'May it be paid? {"bill":2}',
    ])
    expect(new Set(result.questions?.map(({ id }) => id)).size).toBe(2)
    expect(paid).toEqual([])
  })

  test.each([
    [
      ['yes', 'yes'],
      [{ bill: 1 }, { bill: 2 }],
      [true, true],
    ],
    [['no', 'yes'], [{ bill: 2 }], [false, true]],
  ])(
    'K55: that are answered with %j are each taken for their own call, which is made once',
    async (said, made, oks) => {
      const { one, paid } = setUp([bills])
      const waiting = (await aHarness(one)).harness.run('Pay the bills.')
      const [first, second] = (await waiting.result).questions ?? []
      const answers = { [first?.id ?? '']: said[0] as string, [second?.id ?? '']: said[1] as string }
      const { result } = await resumed({ ...one, script: ['done'] }, waiting.snapshot(), answers)

      expect(result.status).toBe('answered')
      expect(paid).toEqual(made)
      expect(result.steps[0]?.observations.map(({ ok }) => ok)).toEqual(oks)
      expect(faults(result.messages)).toEqual([])
    },
  )

  test('K55: of which one is answered wait for the other alone, and nothing is done before', async () => {
    const { one, paid } = setUp([bills])
    const waiting = (await aHarness(one)).harness.run('Pay the bills.')
    const [first, second] = (await waiting.result).questions ?? []
    const half = await resumed({ ...one, script: ['done'] }, waiting.snapshot(), { [second?.id ?? '']: 'yes' })
    expect(half.result).toMatchObject({ status: 'waiting', questions: [{ id: first?.id }] })
    expect(paid).toEqual([])
  })
})

describe('an action that a person approved, and that was under way when the process ended', () => {
  const asking = aPlugin({ toolCall: () => ({ ask: 'May it be paid?' }) })

  test.each([
    ['no', 1, false],
    ['yes', 2, true],
  ])('K75: is asked about again, and not done a second time without leave: %s', async (said, times, ok) => {
    const { state, tool, begun } = pay()
    const one: OneRun = { tools: [tool], modules: { plugins: [asking] }, script: [{ call: 'pay' }] }
    const snapshot = await interrupted((await aHarness({ ...one, env: { ask: async () => 'yes' } })).harness, begun)
    state.isDying = false
    const asked: string[] = []
    const ask = async ({ question: text }: { question: string }): Promise<Json> => {
      asked.push(text)
      return said
    }
    const { result } = await resumed({ ...one, script: ['done'], env: { ask } }, snapshot)

    expect(asked).toEqual([expect.stringMatching(/not known whether pay was carried out.*again\?$/)])
    expect(state.paid).toBe(times)
    expect(result.steps[0]?.observations.map((observation) => observation.ok)).toEqual([ok])
    expect(result.status).toBe('answered')
  })

  test('K75: is not done again where nobody can be asked: the model is told that its outcome is not known', async () => {
    const { state, tool, begun } = pay()
    const one: OneRun = { tools: [tool], modules: { plugins: [asking] }, script: [{ call: 'pay' }] }
    const snapshot = await interrupted((await aHarness({ ...one, env: { ask: async () => 'yes' } })).harness, begun)
    state.isDying = false
    const { requests } = await resumed({ ...one, script: ['done'] }, snapshot)

    expect(state.paid).toBe(1)
    expect(requests[0]?.messages.at(-1)?.content).toMatch(/^error: .*not known/)
  })
})

test('K61: a run that goes on at another date sends what it sent before: the system message and all that follows it', async () => {
  const dated = defineModule({
    ...minimalAction,
    state: () => ({ today: '' }),
    start(ctx) {
      if (!ctx.resumed) ctx.state.today = new Date(ctx.now()).toISOString().slice(0, 10)
    },
    system: (ctx) => `Today is ${ctx.state.today}.`,
    act: (ctx) => minimalAction.act?.(ctx as unknown as Ctx),
  })
  const { state, tool, begun } = pay({ idempotent: true })
  const at = (day: string) => createVirtualClock(Date.parse(day))
  const one: OneRun = {
    tools: [tool, aTool('look')],
    modules: { action: dated },
    script: [{ call: 'look' }, { call: 'pay' }],
  }
  const first = await aHarness({ ...one, env: { clock: at('2026-01-31') } })
  const snapshot = await interrupted(first.harness, begun)
  state.isDying = false
  const later = await resumed({ ...one, script: ['done'], env: { clock: at('2026-02-01') } }, snapshot)

  const before = first.model.requests.at(-1)
  const [after] = later.requests
  expect(before?.messages[0]?.content).toBe('Today is 2026-01-31.')
  expect(after?.messages.slice(0, before?.messages.length)).toEqual(before?.messages)
  expect([after?.tools, after?.session]).toEqual([before?.tools, before?.session])
})
