import { defineModule, type Message, type Module } from '@harnesswright/core'
import * as z from 'zod'

/** Share of the budget to which the view is cut, so that not every further step moves the cut and costs the prompt cache. */
const CUT_TO = 0.75

/** Share of a request that was larger than the window to which the view is cut: how large the window is may not be known. */
const OVERFLOW_TO = 0.6

/** Share of the longest result of the newest step that is kept when nothing older can be left out. */
const SHORTEN_TO = 0.25

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
  state: () => ({ leftOutThrough: 0, shortened: {} as Record<string, number> }),
  view(ctx) {
    const { contextWindow } = ctx.modelInfo
    const placeholder = (tool: string): string => ctx.prompt('placeholder', { tool })
    const whole = ctx.view.messages
    const cut = (chars: number): string => ctx.prompt('cut', { chars })
    const through = (step: number): readonly Message[] =>
      shorten(leaveOut(whole, step, placeholder), ctx.state.shortened, cut)
    const kept = through(ctx.state.leftOutThrough)
    if (ctx.options.faithful) return { messages: kept }
    const size = ctx.estimate(kept)
    const budgetTokens = Math.min(
      ctx.options.fill * (contextWindow ?? Number.POSITIVE_INFINITY),
      ctx.overflowed ? size * OVERFLOW_TO : Number.POSITIVE_INFINITY,
    )
    if (size <= budgetTokens) return { messages: kept }
    const steps = stepsOf(whole).filter((step) => step > ctx.state.leftOutThrough)
    const point = cutPoint({ steps, fits: (step) => ctx.estimate(through(step)) <= budgetTokens * CUT_TO })
    ctx.state.leftOutThrough = point ?? ctx.state.leftOutThrough
    const newest = steps.at(-1)
    const view = through(ctx.state.leftOutThrough)
    if (!ctx.overflowed || newest === undefined || ctx.estimate(view) <= budgetTokens) return { messages: view }
    ctx.state.shortened[newest] = Math.floor(longestResult(view, newest) * SHORTEN_TO)
    return { messages: through(ctx.state.leftOutThrough) }
  },
})

/** The first step up to which leaving out makes the view fit, else the last but one: the newest step is never left out. */
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

/** Characters of the longest result of a step. */
function longestResult(messages: readonly Message[], step: number): number {
  const results = messages.filter((message) => message.role === 'tool' && message.step === step)
  return Math.max(0, ...results.map(({ content }) => content.length))
}

/** The messages, with head and tail of the results of some steps: at most so many characters of each. */
function shorten(
  messages: readonly Message[],
  most: Readonly<Record<string, number>>,
  cut: (chars: number) => string,
): readonly Message[] {
  return messages.map((message) => {
    const { role, step, content } = message
    const chars = step === undefined ? undefined : most[step]
    if (role !== 'tool' || chars === undefined || typeof content !== 'string' || content.length <= chars) return message
    const head = content.slice(0, Math.ceil(chars / 2)).replace(/[\ud800-\udbff]$/, '')
    const tail = content.slice(content.length - Math.floor(chars / 2)).replace(/^[\udc00-\udfff]/, '')
    return { ...message, content: `${head}\n${cut(content.length - chars)}\n${tail}` }
  })
}
