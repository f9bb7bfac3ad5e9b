import { defineModule, type Module } from '@harnesswright/core'
import * as z from 'zod'
import { fitView, nothingLeftOut } from './fit-view.js'

/**
 * Memory of ReAct: the whole history. When the view nears the context window, the oldest observations give way to
 * placeholders; calls, words and identifiers stay. A newest step that is too large on its own keeps head and tail of its results.
 *
 * @see arXiv 2210.03629; docs: seeds/react
 */
export const memory: Module = defineModule({
  slot: 'memory',
  summary: 'Shows the whole history; near the end of the context window the oldest observations become placeholders.',
  options: z.strictObject({
    faithful: z
      .boolean()
      .default(false)
      .describe(
        'Never leave anything out, as the published baseline does: a long task then ends when the window is full.',
      ),
    fill: z
      .number()
      .min(0.1)
      .max(0.9)
      .default(0.6)
      .describe('Share of the context window that the view may fill.')
      .meta({ buckets: [0.4, 0.6, 0.8] }),
  }),
  prompts: {
    placeholder: '[The result of {{tool}} was left out to save space. Call it again if it is needed.]',
    cut: '[… {{chars}} characters were left out to save space …]',
  },
  state: nothingLeftOut,
  view(ctx) {
    const { contextWindow = Number.POSITIVE_INFINITY } = ctx.modelInfo
    if (ctx.options.faithful) return ctx.view
    const messages = fitView(ctx, {
      budgetTokens: ctx.options.fill * contextWindow,
      placeholder: (tool) => ctx.prompt('placeholder', { tool }),
      cut: (chars) => ctx.prompt('cut', { chars }),
    })
    return { messages }
  },
})
