import { faultOf, keepsHead } from '@harnesswright/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Ctx, defineModule, type Message, type Module } from '../src/index.js'
import { minimalAction } from '../src/testkit/index.js'
import { aPlugin, aTool, runOnce } from './one-run.js'

const memoryOf = (view: (ctx: Ctx) => readonly Message[]): Module =>
  defineModule({ slot: 'memory', summary: 'A memory of a test.', view: (ctx) => ({ messages: view(ctx as Ctx) }) })

const looking = {
  tools: [aTool('look')],
  script: [{ calls: [{ call: 'look' }, { call: 'look' }] }, { call: 'look', with: { page: 2 } }, 'done'],
}

const dropsHead = memoryOf((ctx) => ctx.view.messages.slice(1))
const cutsPairs = memoryOf((ctx) => ctx.view.messages.filter(({ role }) => role !== 'tool'))

describe('strict mode refuses a view', () => {
  test.each([
    ['without the head', dropsHead, /does not begin with the head/],
    ['with a call and no result', cutsPairs, /has no result/],
    ['that is no list', memoryOf(() => ({}) as never), /a view is \{ messages \}/],
    ['of things that are no messages', memoryOf((ctx) => [...ctx.view.messages, null as never]), /a list of messages/],
  ])('%s, and names the module and the step', async (_, memory, fault) => {
    const { result } = await runOnce({ ...looking, modules: { memory } })

    expect(result).toMatchObject({
      status: 'failed',
      reason: 'E_PROTOCOL_VIEW',
      error: {
        code: 'E_PROTOCOL_VIEW',
        slot: 'memory',
        module: '@test/modules#m0',
        message: expect.stringMatching(fault),
      },
    })
    expect(result.error?.step).toBeGreaterThan(0)
  })

  test('of a raw tap too, and names the plugin', async () => {
    const plugin = aPlugin({ apply: (hooks) => hooks.memory.tap('cut', () => ({ messages: [] })) })
    const { result } = await runOnce({ ...looking, modules: { plugins: [plugin] } })

    expect(result.error).toMatchObject({ code: 'E_PROTOCOL_VIEW', slot: 'plugin', module: '@test/modules#m1' })
  })

  test('that a verb did not return', async () => {
    const memory = defineModule({ slot: 'memory', summary: 'Forgets.', view: (() => undefined) as never })

    expect((await runOnce({ ...looking, modules: { memory } })).result.error).toMatchObject({ code: 'E_PROTOCOL_VIEW' })
  })
})

describe('otherwise a broken view', () => {
  test.each([
    ['that lost the head', dropsHead, /does not begin with the head/],
    ['that lost results', cutsPairs, /has no result/],
  ])('%s is healed, and an event names the module', async (_, memory, what) => {
    const { result, requests, events } = await runOnce({ ...looking, modules: { memory }, env: { strict: false } })

    expect(result.status).toBe('answered')
    for (const { messages } of requests) {
      expect(faultOf(messages)).toBeUndefined()
      expect(messages[0]).toMatchObject({ role: 'user', content: 'Do the task.', id: 'head.1' })
    }
    expect(events.filter(({ type }) => type === 'healed')).toContainEqual(
      expect.objectContaining({ module: '@test/modules#m0', what: expect.stringMatching(what) }),
    )
  })

  test('whatever a module does to the messages, what the model sees is valid and begins with the head', async () => {
    const mutation = fc.constantFrom('drop', 'twice', 'swap', 'first', 'strip')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(mutation, fc.nat(20)), { maxLength: 8 }), fc.boolean(), async (list, raw) => {
        const mangle = (messages: readonly Message[]): readonly Message[] =>
          list.reduce<readonly Message[]>((rest, [what, at]) => mutate(rest, what, at), messages)
        const plugin = aPlugin({
          apply: (hooks) => hooks.memory.tap('mangle', (view) => ({ messages: mangle(view.messages) })),
        })
        const action = defineModule({ ...minimalAction, system: () => 'Be careful.' })
        const modules = raw
          ? { action, plugins: [plugin] }
          : { action, memory: memoryOf((ctx) => mangle(ctx.view.messages)) }
        const { requests } = await runOnce({ ...looking, modules, env: { strict: false } })

        expect(requests.length).toBeGreaterThan(0)
        for (const { messages } of requests) {
          expect(faultOf(messages)).toBeUndefined()
          expect(messages[0]).toMatchObject({ role: 'system', content: 'Be careful.' })
          expect(messages[1]).toMatchObject({ role: 'user', content: 'Do the task.' })
        }
      }),
      { numRuns: 150 },
    )
  })

  test('that a module builds for itself is healed at the model, and the event names the module', async () => {
    const planning = defineModule({
      slot: 'planning',
      summary: 'Asks with half a history.',
      async direct(ctx) {
        await ctx.model({ purpose: 'plan', messages: ctx.view.messages.slice(0, 2) })
        return ctx.directive
      },
    })
    const { events, requests } = await runOnce({
      tools: [aTool('look')],
      script: { act: [{ call: 'look' }, 'done'], plan: ['a plan'] },
      modules: { planning },
      env: { strict: false },
    })

    for (const { messages } of requests) expect(faultOf(messages)).toBeUndefined()
    expect(events.filter(({ type }) => type === 'healed')).toMatchObject([{ module: '@test/modules#m0', step: 2 }])
  })
})

function mutate(messages: readonly Message[], what: string, at: number): readonly Message[] {
  const index = messages.length === 0 ? 0 : at % messages.length
  const one = messages[index]
  if (one === undefined) return messages
  if (what === 'drop') return messages.toSpliced(index, 1)
  if (what === 'twice') return messages.toSpliced(index, 0, one)
  if (what === 'swap') return messages.toSpliced(index, 1).toSpliced(at % (index + 1), 0, one)
  if (what === 'first') return [one, ...messages.toSpliced(index, 1)]
  const { id: _id, ...rest } = one
  return messages.with(index, rest)
}

test('two memories stack: each starts from the view of the one before, and both keep the head', async () => {
  const views: (readonly Message[])[] = []
  const folding = memoryOf((ctx) => {
    const [first, ...rest] = ctx.history
    if (first === undefined || rest.length === 0) return ctx.view.messages
    const summary: Message = { role: 'user', content: 'Step 1 looked twice.', covers: [1, 1] }
    return [...ctx.head, summary, ...ctx.view.messages.slice(ctx.head.length).filter(({ step }) => step !== 1)]
  })
  const watching = memoryOf((ctx) => {
    views.push(ctx.view.messages)
    return ctx.view.messages
  })
  const { result, requests } = await runOnce({ ...looking, modules: { memory: [folding, watching] } })

  expect(result.status).toBe('answered')
  expect(views[2]?.map(({ covers, step }) => covers ?? step)).toEqual([undefined, [1, 1], 2, 2])
  expect(requests[2]?.messages).toEqual(views[2])
  expect(keepsHead([{ role: 'user', content: 'Do the task.', id: 'head.1' }], requests[2]?.messages ?? [])).toBe(true)
})

test('content in parts is content, also in strict mode', async () => {
  const parts: Message = { role: 'user', content: [{ type: 'text', text: 'Remember this.' }] }
  const { result, requests } = await runOnce({ modules: { memory: memoryOf((ctx) => [...ctx.head, parts]) } })

  expect(result.status).toBe('answered')
  expect(requests[0]?.messages.at(-1)?.content).toEqual(parts.content)
})

test('a memory that is null shows the whole history', async () => {
  const { requests, result } = await runOnce(looking)

  expect(requests.at(-1)?.messages).toEqual(result.messages.slice(0, -1))
})

test('what modules are handed is frozen in strict mode: history, view, head and task', async () => {
  const tried: string[] = []
  const attempt = (name: string, change: () => void): void => {
    try {
      change()
      tried.push(`${name} was changed`)
    } catch (error) {
      tried.push(`${name}: ${(error as Error).constructor.name}`)
    }
  }
  const first = memoryOf((ctx) => [...ctx.view.messages])
  const second = memoryOf((ctx) => {
    if (ctx.step === 2) {
      attempt('task', () => Object.assign(ctx.task, { instruction: 'another' }))
      attempt('head', () => Object.assign(ctx.head[0] ?? {}, { content: 'another' }))
      attempt('step', () => Object.assign(ctx.last ?? {}, { index: 9 }))
      attempt('observation', () => Object.assign(ctx.last?.observations[0] ?? {}, { ok: false }))
      attempt('message', () => Object.assign(ctx.view.messages.at(-1) ?? {}, { content: 'x' }))
      attempt('view', () => (ctx.view.messages as unknown[]).pop())
      attempt('reply', () => Object.assign(ctx.last?.action.reply?.toolCalls ?? {}, { length: 0 }))
      attempt('history', () => (ctx.history as unknown[]).pop())
      attempt('tools', () => (ctx.catalog.tools as unknown[]).pop())
    }
    return ctx.view.messages
  })
  await runOnce({ ...looking, modules: { memory: [first, second] } })

  expect(tried).toEqual(
    ['task', 'head', 'step', 'observation', 'message', 'view', 'reply', 'history', 'tools'].map(
      (name) => `${name}: TypeError`,
    ),
  )
})
