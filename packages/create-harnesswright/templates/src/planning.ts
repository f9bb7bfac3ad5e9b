import { type Directive, defineModule, type Module } from '@harnesswright/core'
import * as z from 'zod'

/** Repeats the task every few steps, and asks for the answer when few steps are left. */
export const planning: Module = defineModule({
  slot: 'planning',
  summary: 'Repeats the task every few steps and asks for the answer when few are left; for runs that lose their way.',
  options: z.strictObject({
    every: z
      .int()
      .min(1)
      .max(50)
      .default(5)
      .describe('Steps from one reminder of the task to the next.')
      .meta({ buckets: [3, 5, 10] }),
    closing: z
      .int()
      .min(0)
      .max(20)
      .default(2)
      .describe('Steps before the limit from which on the answer is asked for; 0 never asks.')
      .meta({ buckets: [0, 2, 4] }),
  }),
  prompts: {
    reminder: 'The task, once more: {{task}}',
    closing: 'Few steps are left ({{steps}}). Give the best answer that what is above supports.',
  },
  direct(ctx): Directive {
    const { directive, left, options, step, task } = ctx
    if (left.steps <= options.closing) return { ...directive, text: ctx.prompt('closing', { steps: left.steps }) }
    if (step % options.every !== 0) return directive
    return { ...directive, text: ctx.prompt('reminder', { task: task.instruction }) }
  },
})
