import { defineModule, type Message, type Module, renderHeading, type Step } from '@harnesswright/core'
import * as z from 'zod'

/** Keeps the last steps whole; of the steps before them, what the model said and which tools it called. */
export const memory: Module = defineModule({
  slot: 'memory',
  summary: "Shows the last steps whole, and of those before only the model's own words; for long runs.",
  options: z.strictObject({
    wholeSteps: z
      .int()
      .min(1)
      .max(50)
      .default(4)
      .describe('Steps that are always shown whole; up to twice as many are.')
      .meta({ buckets: [2, 4, 8] }),
  }),
  prompts: { notes: 'What was done so far, in your own words:\n{{notes}}' },
  state: () => ({ foldedThrough: 0 }),
  view(ctx) {
    const { history, options, state, view } = ctx
    // In jumps, not at every step: each change near the start of a request costs the prompt cache of all that follows.
    if (history.length - state.foldedThrough > 2 * options.wholeSteps) {
      state.foldedThrough = history.length - options.wholeSteps
    }
    const isOld = ({ step }: Message): boolean => step !== undefined && step <= state.foldedThrough
    const old = new Set(view.messages.filter(isOld).flatMap(({ step }) => step ?? []))
    if (old.size === 0) return view
    const notes = history.flatMap((step) => (old.has(step.index) ? noteOf(step) : []))
    const folded: Message = {
      role: 'user',
      content: ctx.prompt('notes', { notes: notes.join('\n') }),
      note: 'summary',
      covers: [Math.min(...old), Math.max(...old)],
    }
    const place = view.messages.findIndex(isOld)
    return { messages: view.messages.filter((message) => !isOld(message)).toSpliced(place, 0, folded) }
  },
})

/** One line on a step: the model's words, and the tools it called. */
function noteOf({ index, messages, observations }: Step): string {
  const words = messages.flatMap(({ role, content }) => (role === 'assistant' ? String(content) : []))
  const tools = observations.map(({ tool, ok }) => (ok ? tool : `${tool}, which failed`))
  return `${renderHeading('Step', index)} ${words.join(' ')} (${tools.join(', ') || 'no tool'})`
}
