import { defineModule, type Message, type Module } from '@harnesswright/core'
import * as z from 'zod'
import { fitView, nothingLeftOut } from './fit-view.js'
import { mainIdentifiers } from './identifiers.js'
import { textOf } from './transcript.js'

/** Share of the context window above which no view may grow, whatever the option says. */
const MOST_FILL = 0.6

/** Found once for each message: messages are never changed. */
const found = new WeakMap<Message, readonly string[]>()

/**
 * A window over the observations, for any seed: above a token budget the oldest become placeholders, which name the tool and
 * the identifiers that the result had, so that it can be asked for again. Calls and what was said stay.
 *
 * @see docs: seeds/react
 */
export const window: Module = defineModule({
  slot: 'memory',
  summary:
    'Keeps the view in a token budget: the oldest observations become placeholders that name the identifiers in them; goes with any seed.',
  options: z.strictObject({
    budgetTokens: z
      .int()
      .min(1_000)
      .max(10_000_000)
      .default(100_000)
      .describe('Most tokens of a view; never more than 0.6 of the context window.')
      .meta({ buckets: [10_000, 30_000, 100_000] }),
    identifiers: z
      .int()
      .min(0)
      .max(100)
      .default(8)
      .describe('Most identifiers (codes, paths, addresses, long numbers) that are kept of a result that is left out.')
      .meta({ buckets: [0, 8, 24] }),
  }),
  prompts: {
    placeholder: '[The result of {{tool}} was left out to save space. Call it again if it is needed.]',
    named:
      '[The result of {{tool}} was left out to save space. It named {{identifiers}}. Call it again if it is needed.]',
    cut: '[… {{chars}} characters were left out to save space …]',
  },
  state: nothingLeftOut,
  view(ctx) {
    const { contextWindow = Number.POSITIVE_INFINITY } = ctx.modelInfo
    const placeholder = (tool: string, result: Message): string => {
      const identifiers = identifiersOf(result).slice(0, ctx.options.identifiers).join(', ')
      return identifiers === '' ? ctx.prompt('placeholder', { tool }) : ctx.prompt('named', { tool, identifiers })
    }
    const messages = fitView(ctx, {
      budgetTokens: Math.min(ctx.options.budgetTokens, MOST_FILL * contextWindow),
      placeholder,
      cut: (chars) => ctx.prompt('cut', { chars }),
    })
    return { messages }
  },
})

function identifiersOf(message: Message): readonly string[] {
  const known = found.get(message) ?? mainIdentifiers(textOf(message), Number.POSITIVE_INFINITY)
  found.set(message, known)
  return known
}
