import type { Action } from '@harnesswright/protocol'
import { defineModule } from '../module/define-module.js'
import type { Module } from '../module/module.js'

/** The smallest memory: the whole history. */
export const minimalMemory: Module = defineModule({
  slot: 'memory',
  summary: 'The whole history.',
  view: (ctx) => ctx.view,
})

/** The smallest planning: an empty directive. */
export const minimalPlanning: Module = defineModule({
  slot: 'planning',
  summary: 'An empty directive.',
  direct: (ctx) => ctx.directive,
})

/** The smallest capability: everything there is. */
export const minimalCapability: Module = defineModule({
  slot: 'capability',
  summary: 'Every tool and skill.',
  select: (ctx) => ctx.capabilities,
})

/** The smallest action: one model call, which becomes calls or the answer. */
export const minimalAction: Module = defineModule({
  slot: 'action',
  summary: 'One model call a step.',
  async act(ctx): Promise<Action> {
    const { text } = ctx.directive
    const messages = text === '' ? ctx.view.messages : [...ctx.view.messages, { role: 'user' as const, content: text }]
    const reply = await ctx.model({ purpose: 'act', messages, tools: ctx.capabilities.tools, parallelToolCalls: true })
    if (reply.malformed !== undefined) return { kind: 'think', reply, feedback: reply.malformed }
    if (reply.toolCalls.length > 0) return { kind: 'call', reply, calls: reply.toolCalls }
    return { kind: 'answer', reply, answer: reply.answer ?? reply.content }
  },
})
