import { defineModule, type Message, type Module } from '@harnesswright/core'
import * as z from 'zod'

/** Share of the budget to which the view is cut, so that not every further step moves the cut and costs the prompt cache. */
const CUT_TO = 0.75

/** Share of a request that was larger than the window to which the view is cut: how large the window is may not be known. */
const OVERFLOW_TO = 0.6

/**
 * Memory of ReAct: the whole history. When the view nears the context window, the oldest observations give way to
 * placeholders; calls, words and identifiers stay.
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
  },
  state: () => ({ leftOutThrough: 0 }),
  view(ctx) {
    const { contextWindow } = ctx.modelInfo
    const placeholder = (tool: string): string => ctx.prompt('placeholder', { tool })
    const whole = ctx.view.messages
    const kept = leaveOut(whole, ctx.state.leftOutThrough, placeholder)
    if (ctx.options.faithful) return { messages: kept }
    const size = ctx.estimate(kept)
    const budgetTokens = Math.min(
      ctx.options.fill * (contextWindow ?? Number.POSITIVE_INFINITY),
      ctx.overflowed ? size * OVERFLOW_TO : Number.POSITIVE_INFINITY,
    )
    if (size <= budgetTokens) return { messages: kept }
    const through = cutPoint({
      steps: stepsOf(whole).filter((step) => step > ctx.state.leftOutThrough),
      fits: (step) => ctx.estimate(leaveOut(whole, step, placeholder)) <= budgetTokens * CUT_TO,
    })
    if (through === undefined) return { messages: kept }
    ctx.state.leftOutThrough = through
    return { messages: leaveOut(whole, through, placeholder) }
  },
})

/** The first step up to which leaving out makes the view fit, else the last but one: the newest step always stays whole. */
function cutPoint({ steps, fits }: { steps: readonly number[]; fits: (step: number) => boolean }): number | undefined {
  const old = steps.slice(0, -1)
  return old.find(fits) ?? old.at(-1)
}

function stepsOf(messages: readonly Message[]): readonly number[] {
  return [...new Set(messages.flatMap((message) => (message.step === undefined ? [] : [message.step])))]
}

/** The messages, with placeholders for the observations of all steps up to one. */
function leaveOut(
  messages: readonly Message[],
  through: number,
  placeholder: (tool: string) => string,
): readonly Message[] {
  if (through === 0) return messages
  const tools = new Map(messages.flatMap((message) => (message.toolCalls ?? []).map((call) => [call.id, call.name])))
  return messages.map((message) => {
    if (message.role !== 'tool' || message.step === undefined || message.step > through) return message
    const content = placeholder(tools.get(message.callId ?? '') ?? 'a tool')
    return typeof message.content === 'string' && message.content.length <= content.length
      ? message
      : { ...message, content }
  })
}
