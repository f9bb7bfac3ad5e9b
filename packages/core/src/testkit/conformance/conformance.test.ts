import type { Action, Message } from '@harnesswright/protocol'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { defineModule } from '../../module/define-module.js'
import type { Module } from '../../module/module.js'
import { minimalAction, minimalCapability, minimalMemory, minimalPlanning } from '../minimal-modules.js'
import { moduleConformance } from './module.js'

/** Codes of the cases that fail, with what they say. */
async function failures(module: Module): Promise<Record<string, string>> {
  const failed: Record<string, string> = {}
  for (const { name, run } of moduleConformance({ module })) {
    await run().catch((error: Error) => {
      failed[name.split(' ')[0] ?? name] = error.message
    })
  }
  return failed
}

/** The smallest action, with what a test wants different. */
function actionWith(change: (action: Action, messages: readonly Message[]) => Action): Module {
  return defineModule({
    slot: 'action',
    summary: 'Acts in its own way.',
    async act(ctx): Promise<Action> {
      const messages =
        ctx.directive.text === ''
          ? ctx.view.messages
          : [...ctx.view.messages, { role: 'user' as const, content: ctx.directive.text }]
      const reply = await ctx.model({ purpose: 'act', messages, tools: ctx.capabilities.tools })
      if (reply.malformed !== undefined) return { kind: 'think', reply, feedback: reply.malformed }
      const action: Action =
        reply.toolCalls.length > 0
          ? { kind: 'call', reply, calls: reply.toolCalls }
          : { kind: 'answer', reply, answer: reply.content }
      return change(action, messages)
    },
  })
}

describe('the kit passes', () => {
  test.each([
    ['memory', minimalMemory],
    ['planning', minimalPlanning],
    ['capability', minimalCapability],
    ['action', minimalAction],
  ] as const)('the smallest %s', async (_slot, module) => {
    expect(await failures(module)).toEqual({})
  })
})

describe('the kit fails', () => {
  test('a memory that drops the head', async () => {
    const module = defineModule({
      slot: 'memory',
      summary: 'x',
      view: (ctx) => ({ messages: ctx.view.messages.slice(1) }),
    })
    expect(await failures(module)).toMatchObject({ 'MEM-1': expect.stringContaining('does not open with the task') })
  })

  test('a memory that keeps the last messages and so cuts a call from its result', async () => {
    const module = defineModule({
      slot: 'memory',
      summary: 'x',
      view: (ctx) => ({ messages: [...ctx.head, ...ctx.view.messages.slice(ctx.head.length).slice(-3)] }),
    })
    expect(await failures(module)).toMatchObject({ 'MEM-2': expect.stringContaining('broke the rules of its slot') })
  })

  test('a memory that starts from the history instead of the view before it', async () => {
    const module = defineModule({
      slot: 'memory',
      summary: 'x',
      view: (ctx) => ({ messages: [...ctx.head, ...ctx.history.flatMap((step) => step.messages)] }),
    })
    expect(await failures(module)).toMatchObject({
      'MEM-3': expect.stringContaining('is gone from the view'),
      'MEM-4': expect.stringContaining('beside the message that covers it'),
    })
  })

  test('a memory that changes the messages it was given', async () => {
    const module = defineModule({
      slot: 'memory',
      summary: 'x',
      view(ctx) {
        for (const message of ctx.view.messages) (message as { content: string }).content = 'gone'
        return ctx.view
      },
    })
    expect(await failures(module)).toMatchObject({ 'MOD-3': expect.stringContaining('read only') })
  })

  test('a memory that counts in a closure', async () => {
    let views = 0
    const module = defineModule({
      slot: 'memory',
      summary: 'x',
      view: (ctx) => ({ messages: [...ctx.view.messages, { role: 'user', content: `view ${++views}` }] }),
    })
    expect(await failures(module)).toMatchObject({ 'MOD-4': expect.stringContaining('closure') })
  })

  test('a memory whose state is no JSON', async () => {
    const module = defineModule({
      slot: 'memory',
      summary: 'x',
      state: () => ({ at: new Date(0) }),
      view: (ctx) => ctx.view,
    })
    expect(await failures(module)).toMatchObject({ 'MOD-3': expect.stringContaining('/at') })
  })

  test('a module that does not say what an option is', async () => {
    const module = defineModule({
      slot: 'memory',
      summary: 'x',
      options: z.strictObject({ last: z.int().default(3) }),
      view: (ctx) => ctx.view,
    })
    expect(await failures(module)).toMatchObject({ 'MOD-1': expect.stringContaining('last') })
  })

  test('a planning that gives two goals one id', async () => {
    const goal = { id: '1', text: 'look', status: 'open' as const }
    const module = defineModule({
      slot: 'planning',
      summary: 'x',
      direct: () => ({ text: 'go', plan: { goals: [goal, goal] } }),
    })
    expect(await failures(module)).toMatchObject({ 'PLAN-1': expect.stringContaining('two goals have one id') })
  })

  test('a planning that breaks on a plan that cannot be read', async () => {
    const module = defineModule({
      slot: 'planning',
      summary: 'x',
      async direct(ctx) {
        const reply = await ctx.model({
          purpose: 'plan',
          messages: ctx.view.messages,
          schema: { title: 'plan', type: 'object' },
        })
        JSON.parse(reply.content)
        return { text: 'go' }
      },
    })
    expect(await failures(module)).toMatchObject({ 'PLAN-2': expect.stringContaining('threw in "planning"') })
  })

  test('a capability that invents a tool', async () => {
    const module = defineModule({
      slot: 'capability',
      summary: 'x',
      select: (ctx) => ({
        ...ctx.capabilities,
        tools: [
          ...ctx.capabilities.tools,
          { name: 'mine', description: 'x', parameters: { type: 'object' }, execute: () => '' },
        ],
      }),
    })
    expect(await failures(module)).toMatchObject({ 'CAP-1': expect.stringContaining('mine') })
  })

  test('a capability that takes tools away and does not say so', async () => {
    const module = defineModule({
      slot: 'capability',
      summary: 'x',
      select: (ctx) => ({ ...ctx.capabilities, tools: ctx.capabilities.tools.slice(0, ctx.step > 2 ? 2 : 3) }),
    })
    expect(await failures(module)).toMatchObject({ 'CAP-2': expect.stringContaining('breaksPrefix') })
  })

  test('an action that leaves the directive out', async () => {
    const module = defineModule({
      slot: 'action',
      summary: 'x',
      async act(ctx): Promise<Action> {
        const reply = await ctx.model({ purpose: 'act', messages: ctx.view.messages, tools: ctx.capabilities.tools })
        return reply.toolCalls.length > 0
          ? { kind: 'call', reply, calls: reply.toolCalls }
          : { kind: 'answer', reply, answer: reply.content }
      },
    })
    expect(await failures(module)).toMatchObject({
      'ACT-2': expect.stringContaining('directive'),
      'ACT-4': expect.stringContaining('not told'),
    })
  })

  test('an action that offers no tools', async () => {
    const module = defineModule({
      slot: 'action',
      summary: 'x',
      async act(ctx): Promise<Action> {
        const reply = await ctx.model({ purpose: 'act', messages: ctx.view.messages })
        return { kind: 'answer', reply, answer: reply.content }
      },
    })
    expect(await failures(module)).toMatchObject({ 'ACT-5': expect.stringContaining('no tools') })
  })

  test('an action that makes a call twice', async () => {
    const module = actionWith((action) => {
      const [call] = action.kind === 'call' ? action.calls : []
      return call === undefined ? action : { ...action, kind: 'call', calls: [call, { ...call, id: `${call.id}b` }] }
    })
    expect(await failures(module)).toMatchObject({ 'ACT-1': expect.stringContaining('not one of its reply') })
  })
})
