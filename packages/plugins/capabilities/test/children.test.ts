import { type Action, createEnvironment, defineModule, type Module } from '@harnesswright/core'
import { assembleModules, createScriptedModel, createVirtualClock } from '@harnesswright/core/testkit'
import { gated, retrieval, sequenced } from '@harnesswright/plugin-capabilities'
import { expect, test } from 'vitest'
import { aTool, offered } from './support/harness.js'

/** Hands the task to a child run with one tool; the child asks the model. */
const action = defineModule({
  slot: 'action',
  summary: 'Delegates once.',
  async act(ctx): Promise<Action> {
    const { task, capabilities, history, view } = ctx
    if (ctx.depth === 0 && history.length === 0) return { kind: 'spawn', runs: [{ id: 'part', task, tools: ['look'] }] }
    const { tools, choice } = capabilities
    const reply = await ctx.model({ purpose: 'act', messages: view.messages, tools, ...(choice && { choice }) })
    return reply.toolCalls.length > 0
      ? { kind: 'call', reply, calls: reply.toolCalls }
      : { kind: 'answer', reply, answer: reply.content }
  },
})

test.each([
  ['retrieval', retrieval, { always: ['find', 'look'] }],
  ['gated', gated, { gates: [{ goal: 'look', tools: ['find', 'look'] }], always: ['find'] }],
  ['sequenced', sequenced, { order: ['find', 'look'] }],
] as const)(
  '%s names tools that a child run was not given, and the child works with those that it was',
  async (_, module, options) => {
    const model = createScriptedModel([{ call: 'look' }, 'seen', { call: 'find' }, 'done'])
    const env = createEnvironment({
      model,
      tools: [aTool('look'), aTool('find')],
      clock: createVirtualClock(),
      strict: true,
    })
    const chosen = new Map<Module, object>([[module, options]]) as never
    const harness = await assembleModules({ capability: module, action, options: chosen }, env)
    const result = await harness.run('Look at it.').result

    expect(result).toMatchObject({ status: 'answered', answer: 'done' })
    expect(Object.values(result.children).map(({ status, answer }) => [status, answer])).toEqual([['answered', 'seen']])
    expect(offered(model.requests[0])).toEqual(['look'])
  },
)
