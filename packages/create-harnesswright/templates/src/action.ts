import { type Action, defineModule, type Json, type Module } from '@harnesswright/core'
import * as z from 'zod'

/** One model call a step, which becomes calls of tools or the answer. */
export const action: Module = defineModule({
  slot: 'action',
  summary: 'Reasons and acts: one model call a step, which calls tools or answers.',
  options: z.strictObject({
    parallel: z.boolean().default(true).describe('Let the model make several calls in one reply.'),
  }),
  prompts: {
    system:
      'Solve the task with the tools that you have. Before each call say what you learned and what you need next. When all that was asked for is done, answer in plain words without a call.',
    unreadable: 'Your last reply could not be used: {{fault}} Reply again, with a call or with the answer.',
  },
  system: (ctx) => ctx.prompt('system'),
  async act(ctx): Promise<Action> {
    const { capabilities, directive, options, task, view } = ctx
    // What is to be done now stands last, where it costs no cached prefix.
    const last = directive.text === '' ? [] : [{ role: 'user' as const, content: directive.text }]
    const reply = await ctx.model({
      purpose: 'act',
      messages: [...view.messages, ...last],
      tools: capabilities.tools,
      parallelToolCalls: options.parallel,
      ...(capabilities.choice === undefined ? {} : { choice: capabilities.choice }),
      ...(task.output === undefined ? {} : { schema: task.output }),
    })
    const think = (fault: string): Action => ({
      kind: 'think',
      reply,
      feedback: ctx.prompt('unreadable', { fault }),
    })
    if (reply.malformed !== undefined) return think(reply.malformed)
    if (reply.toolCalls.length > 0) return { kind: 'call', reply, calls: reply.toolCalls }
    const answer = reply.answer ?? (task.output === undefined ? reply.content : readJson(reply.content))
    return answer === undefined ? think('the answer must be JSON.') : { kind: 'answer', reply, answer }
  },
})

function readJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
