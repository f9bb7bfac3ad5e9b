import { faultOf } from '@harnesswright/protocol'
import { describe, expect, test } from 'vitest'
import { type Action, defineModule, type Message, type Module, type Reply, type ToolCall } from '../src/index.js'
import { createScriptedModel, minimalAction } from '../src/testkit/index.js'
import { aPlugin, aTool, runOnce } from './one-run.js'

const shape = (messages: readonly Message[]): readonly string[] =>
  messages.map(({ role, note, callId, content }) => [role, note ?? callId, content].filter(Boolean).join(' · '))

/** A module of a slot that notes in every verb it has. */
const noting = defineModule({
  slot: 'planning',
  summary: 'Notes in every verb.',
  direct(ctx) {
    if (ctx.step === 1) ctx.note('plan', 'planned')
    return ctx.directive
  },
  record(step, ctx) {
    if (step.index === 1) ctx.note('review', 'reviewed')
  },
})

const effectNotes = aPlugin({
  toolResult(observation, ctx) {
    ctx.note('remark', `saw ${observation.callId}`)
    return undefined
  },
})

/** An action that does what a function of the step says, or what the model says. */
const actionOf = (act: (step: number, reply: Reply) => Action): Module =>
  defineModule({
    slot: 'action',
    summary: 'Does what the test says.',
    act: async (ctx) =>
      act(ctx.step, await ctx.model({ purpose: 'act', messages: ctx.view.messages, tools: ctx.capabilities.tools })),
  })

describe('one step appends', () => {
  test('notes made before, the assistant, results in call order, feedback and notes in their order', async () => {
    const { result } = await runOnce({
      modules: { planning: noting, plugins: [effectNotes] },
      tools: [aTool('look', { readOnly: true }), aTool('find', { readOnly: true, latencyMs: 5 })],
      script: [{ calls: [{ call: 'find' }, { call: 'nowhere' }, { call: 'look' }], say: 'I look.' }, 'done'],
    })

    expect(shape(result.steps[0]?.messages ?? [])).toEqual([
      'user · plan · planned',
      'assistant · I look.',
      'tool · c1_1 · find {}',
      expect.stringMatching(/^tool · c1_2 · error: there is no tool "nowhere"/),
      'tool · c1_3 · look {}',
      'user · remark · saw c1_1',
      'user · remark · saw c1_2',
      'user · remark · saw c1_3',
      'user · review · reviewed',
    ])
  })

  test('feedback after the reply that it speaks of', async () => {
    const action = actionOf((step, reply) =>
      step === 1 ? { kind: 'think', reply, feedback: 'Be brief.' } : { kind: 'answer', reply, answer: reply.content },
    )
    const { result } = await runOnce({ modules: { action }, script: ['a long story', 'brief'] })

    expect(shape(result.steps[0]?.messages ?? [])).toEqual(['assistant · a long story', 'user · feedback · Be brief.'])
  })

  test('nothing for a planner that used up the step', async () => {
    const planning = defineModule({
      slot: 'planning',
      summary: 'Reviews at the first step.',
      direct: (ctx) => ({ text: '', consumesStep: ctx.step === 1 }),
    })
    const { result, requests } = await runOnce({ modules: { planning } })

    expect(result.steps.map((step) => [step.action.kind, step.messages.length])).toEqual([
      ['think', 0],
      ['answer', 1],
    ])
    expect(requests).toHaveLength(1)
  })

  test('an assistant message made from the calls of an action without a reply', async () => {
    const calls: readonly ToolCall[] = [
      { id: 'mine', name: 'look', arguments: '{"a":1}' },
      { id: 'mine', name: 'look', arguments: '{"a":2}' },
      { id: '', name: 'look', arguments: 'not JSON' },
    ]
    const action = actionOf((step, reply) =>
      step === 1 ? { kind: 'call', calls } : { kind: 'answer', reply, answer: reply.content },
    )
    const { result } = await runOnce({ modules: { action }, tools: [aTool('look')], script: ['done'] })

    const [assistant, ...results] = result.steps[0]?.messages ?? []
    const ids = assistant?.toolCalls?.map(({ id }) => id) ?? []
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(results.map(({ callId }) => callId)).toEqual(ids)
    expect(results.map(({ content }) => content)).toEqual([
      'look {"a":1}',
      'look {"a":2}',
      expect.stringMatching(/^error: .*not the text of a JSON object/),
    ])
  })

  test('the answer, as the model gave it or as the action did', async () => {
    const action = actionOf((_, reply) => ({ kind: 'answer', reply: { ...reply, content: '' }, answer: { sum: 3 } }))

    expect(shape((await runOnce({ script: ['It is 3.'] })).result.messages)).toEqual([
      'user · Do the task.',
      'assistant · It is 3.',
    ])
    expect(shape((await runOnce({ modules: { action } })).result.messages)).toEqual([
      'user · Do the task.',
      'assistant · {"sum":3}',
    ])
  })
})

test('a call that the action leaves out is left out of the assistant message', async () => {
  const action = actionOf((step, reply) =>
    step === 1
      ? { kind: 'call', reply, calls: reply.toolCalls.slice(0, 1) }
      : { kind: 'answer', reply, answer: reply.content },
  )
  const { result, requests } = await runOnce({
    modules: { action },
    tools: [aTool('look'), aTool('find')],
    script: [{ calls: [{ call: 'look' }, { call: 'find' }] }, 'done'],
  })

  const assistant = result.steps[0]?.messages[0]
  expect(assistant?.toolCalls?.map((call) => call.name)).toEqual(['look'])
  expect(faultOf(requests[1]?.messages ?? [])).toBeUndefined()
})

test('a call that a plugin adds to a reply gets an id of the run, and is answered', async () => {
  const adding = aPlugin({
    modelResponse: (reply) =>
      reply.toolCalls.length === 0
        ? undefined
        : { ...reply, toolCalls: [...reply.toolCalls, { id: '', name: 'find', arguments: '{"q":1,}' }] },
  })
  const { result, requests } = await runOnce({
    modules: { plugins: [adding] },
    tools: [aTool('look'), aTool('find')],
    script: [{ call: 'look' }, 'done'],
  })

  expect(result.steps[0]?.observations.map(({ content }) => content)).toEqual(['look {}', 'find {"q":1}'])
  expect(faultOf(requests[1]?.messages ?? [])).toBeUndefined()
})

test('every message has an id of its own and the step that appended it', async () => {
  const { result } = await runOnce({
    modules: { planning: noting, plugins: [effectNotes] },
    tools: [aTool('look')],
    script: [{ call: 'look' }, { call: 'look' }, 'done'],
  })

  const ids = result.messages.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.every((id) => typeof id === 'string' && id !== '')).toBe(true)
  expect(result.steps.flatMap((step) => step.messages.map((message) => message.step === step.index))).not.toContain(
    false,
  )
  expect(result.messages[0]?.step).toBeUndefined()
})

test('notes made in record are in the step at once: a memory, which records last, sees those of the others', async () => {
  const seen: (readonly string[])[] = []
  const memory = defineModule({
    slot: 'memory',
    summary: 'Looks at what is recorded.',
    view: (ctx) => ctx.view,
    record(step, ctx) {
      seen.push(shape(step.messages))
      expect(ctx.last).toBe(step)
    },
  })
  const { result } = await runOnce({
    modules: { memory, planning: noting },
    tools: [aTool('look')],
    script: [{ call: 'look' }, 'done'],
  })

  expect(seen[0]?.at(-1)).toBe('user · review · reviewed')
  expect(shape(result.steps[0]?.messages ?? []).filter((line) => line.includes('reviewed'))).toHaveLength(1)
})

describe('the messages of a result', () => {
  test('are a valid history without the system message, and work as those of the next task', async () => {
    const action = defineModule({ ...minimalAction, system: () => 'You are careful.' })
    const first = await runOnce({
      modules: { action },
      tools: [aTool('look')],
      script: [{ calls: [{ call: 'look' }, { call: 'look' }], say: 'I look twice.' }, 'It is blue.'],
      task: 'What colour is it?',
    })
    expect(faultOf(first.result.messages)).toBeUndefined()
    expect(first.result.messages.some(({ role }) => role === 'system')).toBe(false)

    const second = await runOnce({
      modules: { action },
      tools: [aTool('look')],
      script: [{ call: 'look' }, 'Still blue.'],
      task: { instruction: 'And now?', messages: first.result.messages },
    })
    expect(second.result.status).toBe('answered')
    expect(second.requests[0]?.messages.map(({ role, content }) => [role, content])).toEqual([
      ['system', 'You are careful.'],
      ...first.result.messages.map(({ role, content }) => [role, content]),
      ['user', 'And now?'],
    ])
    const ids = second.result.messages.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const calls = second.result.messages.flatMap(({ toolCalls }) => toolCalls?.map(({ id }) => id) ?? [])
    expect(new Set(calls).size).toBe(3)
    expect(faultOf(second.result.messages)).toBeUndefined()
  })

  test('hold the earlier turns and the task even when the run was over before its first step', async () => {
    const messages: readonly Message[] = [
      { role: 'user', content: 'Hello.' },
      { role: 'assistant', content: 'Good day.' },
    ]
    const { result } = await runOnce({ task: { instruction: 'And?', messages }, signal: AbortSignal.abort() })

    expect(result.status).toBe('aborted')
    expect(result.messages.map(({ content }) => content)).toEqual(['Hello.', 'Good day.', 'And?'])
  })

  test('carry the reasoning of the model', async () => {
    const model = createScriptedModel([
      {
        content: '',
        reasoning: 'It must be blue.',
        finish: 'tool_calls',
        toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }],
      },
      { content: 'Blue.', reasoning: 'So it is.', finish: 'stop' },
    ])
    const { result, requests } = await runOnce({ model, tools: [aTool('look')] })

    expect(requests[1]?.messages.find(({ role }) => role === 'assistant')?.reasoning).toBe('It must be blue.')
    expect(result.messages.at(-1)).toMatchObject({ content: 'Blue.', reasoning: 'So it is.' })
  })
})

test('K51: sections of the system message are joined in the order action, planning, capability, memory, plugins', async () => {
  const saying = (slot: Module['slot']): Module =>
    defineModule({
      slot,
      summary: 'Says its slot.',
      system: () => slot,
      ...(
        {
          memory: { view: (ctx: { view: unknown }) => ctx.view },
          planning: { direct: (ctx: { directive: unknown }) => ctx.directive },
          capability: { select: (ctx: { capabilities: unknown }) => ctx.capabilities },
          action: { act: minimalAction.act },
          plugin: {},
        } as const
      )[slot],
    } as Parameters<typeof defineModule>[0])
  const { requests } = await runOnce({
    modules: {
      memory: saying('memory'),
      planning: saying('planning'),
      capability: saying('capability'),
      action: saying('action'),
      plugins: [saying('plugin')],
    },
  })

  expect(requests[0]?.messages[0]).toMatchObject({
    role: 'system',
    content: 'action\n\nplanning\n\ncapability\n\nmemory\n\nplugin',
  })
})

test('a system section that changes moves nothing else of the request', async () => {
  const action = defineModule({
    ...minimalAction,
    system: (ctx) => (ctx.history.length === 0 ? '' : `after ${ctx.history.length}`),
  })
  const { requests } = await runOnce({
    modules: { action },
    tools: [aTool('look')],
    script: [{ call: 'look' }, 'done'],
  })

  expect(requests[0]?.messages.map(({ role }) => role)).toEqual(['user'])
  expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
  expect(requests[1]?.messages[1]).toEqual(requests[0]?.messages[0])
})
