import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Ctx, defineModule, type Message, type Module } from '../src/index.js'
import { createScriptedModel, minimalAction, type Script } from '../src/testkit/index.js'
import { aCounter, aPlugin, type OneRun, runOnce } from './one-run.js'

/** What an endpoint refuses: calls without a result right after them, and results without a call. */
function unpaired(messages: readonly Message[]): readonly string[] {
  const faults: string[] = []
  let due: string[] = []
  for (const { role, callId = '', toolCalls = [] } of messages) {
    if (role === 'tool') {
      if (!due.includes(callId)) faults.push(`result of ${callId}`)
      due = due.filter((id) => id !== callId)
      continue
    }
    faults.push(...due.map((id) => `call ${id}`))
    due = toolCalls.map(({ id }) => id)
  }
  return [...faults, ...due.map((id) => `call ${id}`)]
}

const memoryOf = (view: (ctx: Ctx) => readonly Message[]): Module =>
  defineModule({ slot: 'memory', summary: 'A memory of a test.', view: (ctx) => ({ messages: view(ctx as Ctx) }) })

const SYSTEM = 'You keep the books.'
const action = defineModule({ ...minimalAction, system: () => SYSTEM })

/** So many steps, each with some calls, and then an answer. Faults of a view are healed, as they are outside of tests. */
const looking = (calls: readonly number[], more: Partial<OneRun> = {}): OneRun => ({
  tools: [aCounter('look')],
  script: [...calls.map((count): Script => ({ calls: Array(count).fill({ call: 'look' }) })), 'done'],
  env: { strict: false },
  ...more,
})

describe('a window that is cut without regard for pairs', () => {
  test('K7: orphans no result: a window of the last messages begins with a result whose call is outside, and is healed', async () => {
    const memory = memoryOf((ctx) => ctx.view.messages.slice(-2))
    const { result, requests, events } = await runOnce(looking([2, 2, 1], { modules: { memory, action } }))

    expect(result).toMatchObject({ status: 'answered', answer: 'done' })
    expect(requests).toHaveLength(4)
    for (const { messages } of requests) expect(unpaired(messages)).toEqual([])
    expect(events.filter(({ type }) => type === 'healed')).not.toEqual([])
  })

  test('K49: gives no request that splits a pair, wherever it is cut', async () => {
    const cuts = fc.array(fc.tuple(fc.nat(12), fc.nat(12)), { minLength: 1, maxLength: 6 })
    const steps = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(steps, cuts, fc.boolean(), async (calls, list, keepsHead) => {
        const memory = memoryOf((ctx) => {
          const [from, count] = list[ctx.step % list.length] ?? [0, 0]
          const rest = keepsHead ? ctx.view.messages.slice(ctx.head.length) : ctx.view.messages
          return [...(keepsHead ? ctx.head : []), ...rest.toSpliced(from, count)]
        })
        const { result, requests } = await runOnce(looking(calls, { modules: { memory, action } }))

        expect(result.status).toBe('answered')
        expect(requests).toHaveLength(calls.length + 1)
        for (const { messages } of requests) expect(unpaired(messages)).toEqual([])
        expect(unpaired(result.messages)).toEqual([])
      }),
      { numRuns: 60 },
    )
  }, 30_000)
})

test('K50: the system message is the same after ten compactions, also of a memory that drops everything before its summary', async () => {
  let compactions = 0
  const memory = memoryOf((ctx) => {
    if (ctx.history.length === 0) return ctx.view.messages
    compactions++
    return [{ role: 'user', content: `Summary ${compactions}.`, covers: [1, ctx.history.length] }]
  })
  const { result, requests } = await runOnce(looking(Array(10).fill(1), { modules: { memory, action } }))

  expect(result.status).toBe('answered')
  expect(compactions).toBe(10)
  expect(requests.map(({ messages }) => [messages[0]?.role, messages[0]?.content])).toEqual(
    Array(11).fill(['system', SYSTEM]),
  )
  expect(requests.at(-1)?.messages.map(({ content }) => content)).toEqual([SYSTEM, 'Do the task.', 'Summary 10.'])
})

describe('the system message is the first, and the only one', () => {
  const remembered: Message = { role: 'user', content: 'Remember: the customer is Kiyomi.' }
  const inView = memoryOf((ctx) => [remembered, ...ctx.view.messages])
  const inRequest = aPlugin({
    modelRequest: (request) => ({ ...request, messages: [remembered, ...request.messages] }),
  })

  test.each([
    ['a memory that puts its text before it', { memory: inView }],
    ['a plugin that puts its text before it in each request', { plugins: [inRequest] }],
  ])('K51: whatever is added by %s', async (_, modules) => {
    const { requests, events } = await runOnce(looking([1, 1], { modules: { action, ...modules } }))

    for (const { messages } of requests) {
      expect(messages.map(({ role }) => role).indexOf('system')).toBe(0)
      expect(messages.filter(({ role }) => role === 'system')).toHaveLength(1)
      expect(messages.filter(({ content }) => content === remembered.content)).toHaveLength(1)
    }
    expect(events).toContainEqual(expect.objectContaining({ type: 'healed' }))
  })

  test('K51: text that a memory adds as its section stands in it, and the request begins with it', async () => {
    const memory = defineModule({
      slot: 'memory',
      summary: 'Adds what it remembers to the system message.',
      system: () => String(remembered.content),
      view: (ctx) => ctx.view,
    })
    const { requests } = await runOnce({ modules: { action, memory }, script: ['done'] })

    expect(requests[0]?.messages.map(({ role, content }) => [role, content])).toEqual([
      ['system', `${SYSTEM}\n\n${remembered.content}`],
      ['user', 'Do the task.'],
    ])
  })
})

describe('a switch to another model in the middle of a run', () => {
  test('K60: changes nothing of what was sent before: messages, tools and their order', async () => {
    const answers: readonly Script[] = [{ call: 'look' }, { call: 'look' }, { call: 'look' }, 'done']
    const [large, small] = ['large', 'small'].map((id) => createScriptedModel([], { id, after: answer }))
    let asked = 0
    function answer(): Script {
      return answers[asked++] ?? 'done'
    }
    const switching = aPlugin({
      modelRequest: (request, ctx) => ({ ...request, model: ctx.step % 2 === 0 ? 'small' : 'large' }),
    })
    await runOnce({
      modules: { action, plugins: [switching] },
      tools: [aCounter('look'), aCounter('find')],
      env: { model: [large, small] as never },
    })

    expect([large?.requests.length, small?.requests.length]).toEqual([2, 2])
    const requests = [0, 1].flatMap((turn) => [large?.requests[turn], small?.requests[turn]])
    for (const [index, request] of requests.entries()) {
      const before = requests[index - 1]
      const sent = before?.messages ?? []
      expect(request?.messages.slice(0, sent.length)).toEqual(sent)
      expect(request?.messages.length).toBeGreaterThan(sent.length)
      expect(request?.tools).toEqual(before?.tools ?? request?.tools)
      expect(request?.session).toBe(requests[0]?.session)
    }
  })
})
