import { type Ctx, defineModule, isHarnessError, type Message, type Module, renderHeading } from '@harnesswright/core'
import { stepsOf, transcriptOf } from '@harnesswright/seed-react/view'
import * as z from 'zod'
import { createReread, nameStretches, type Stretch } from './reread.js'
import { lastToSummarise, restart, stepMessages } from './restart.js'
import { readSummary } from './summary-text.js'
import { survivalOf } from './survival.js'

/** Share of the context window above which no budget may go, whatever the option says. */
const MOST_FILL = 0.6

/** Rounds after which the published scaffold summarises, however small the view is. */
const FAITHFUL_ROUNDS = 4

/** Share of the trigger that steps may take which are kept whole beside the newest one. */
const KEPT_SHARE = 0.5

const options = z.strictObject({
  budgetTokens: z
    .int()
    .min(1_000)
    .max(10_000_000)
    .default(31_768)
    .describe('Token budget of the view; never more than 0.6 of the context window.')
    .meta({ buckets: [8_000, 16_000, 31_768] }),
  trigger: z
    .number()
    .min(0.1)
    .max(1)
    .default(0.9)
    .describe('Share of the budget at which the view is summarised.')
    .meta({ buckets: [0.7, 0.9] }),
  keepSteps: z
    .int()
    .min(1)
    .max(20)
    .default(2)
    .describe(
      'Newest steps that stay as they are, the newest always, the others while they take half of the budget at most.',
    )
    .meta({ buckets: [1, 2, 4] }),
  carryChars: z
    .int()
    .min(0)
    .max(20_000)
    .default(2_000)
    .describe('Most characters of sentences that are carried over because the summary lost an identifier in them.'),
  faithful: z
    .boolean()
    .default(false)
    .describe(
      'As the published scaffold: also every fourth round, and nothing is kept beside the summary, neither plan nor steps.',
    ),
})

const prompts = {
  first:
    'The steps so far will be left out of what you see; only your summary of them stays. Write down what is certain and was explicitly stated: every finding with its names, identifiers and numbers as they stand, what has been done, what failed and need not be tried again. Then say which questions are still open. Invent nothing and conclude nothing that was not shown. Put the summary between <summary> and </summary>.',
  again:
    'Bring your summary up to date: the steps since it was written will be left out of what you see. Keep all of it that still holds, with its names, identifiers and numbers as they stand, and add what these steps have shown, what has been done and what failed. Then say which questions are still open. Invent nothing and conclude nothing that was not shown. Put the whole new summary between <summary> and </summary>.',
  restart: '<summary>\n{{summary}}\n</summary>',
  lost: 'Said before, and not in the summary:\n{{sentences}}',
  unknown: 'Not found in the steps that the summary is of, so check before you rely on it: {{identifiers}}',
  reread: 'The steps themselves are kept, for reread: {{stretches}}',
} as const

interface State {
  /** The last step that the summary stands for; 0: there is none. */
  through: number
  /** The message that stands for the steps up to that one. */
  text: string
  /** What of it is carried over into the next one: the summary, and what it had lost. */
  carried: string
  stretches: Stretch[]
  /** Summaries in a row that came to nothing, and the step of the last. */
  failures: number
  failedAt: number
}

type MemoryCtx = Ctx<z.output<typeof options>, State, typeof prompts>

/**
 * Memory of ReSum: when the view nears its budget, the model summarises the steps, and the view starts anew from the
 * summary. Plan and newest steps stay; identifiers that the summary lost are carried over; the steps can be reread.
 *
 * @see arXiv 2509.13313; docs: seeds/resum
 */
export const memory: Module = defineModule({
  slot: 'memory',
  summary:
    'Summarises the steps when the view nears a token budget and goes on from the summary; for tasks with far more observations than fit.',
  options,
  prompts,
  provides: ['summary'],
  state: (): State => ({ through: 0, text: '', carried: '', stretches: [], failures: 0, failedAt: 0 }),
  tools: (ctx) => (ctx.options.faithful ? [] : [createReread(() => ctx.state.stretches)]),
  async view(ctx) {
    const view = shown(ctx)
    if (!isDue(ctx, view)) return { messages: view }
    await summarise(ctx, view)
    return { messages: shown(ctx) }
  },
})

/** The incoming view, from the summary on where there is one. */
function shown({ view, state, options: { faithful } }: MemoryCtx): readonly Message[] {
  const { through, text } = state
  if (through === 0) return view.messages
  const message: Message = { role: 'user', content: text, note: 'summary', covers: [1, through] }
  return restart(view.messages, { through, message, keepsPlan: !faithful })
}

function triggerTokens({ options: { budgetTokens, trigger }, modelInfo: { contextWindow } }: MemoryCtx): number {
  return trigger * Math.min(budgetTokens, MOST_FILL * (contextWindow ?? Number.POSITIVE_INFINITY))
}

function isDue(ctx: MemoryCtx, view: readonly Message[]): boolean {
  const {
    state,
    history,
    options: { faithful },
  } = ctx
  if (state.failures > 0 && ctx.step - state.failedAt < state.failures && !ctx.overflowed) return false
  if (faithful && history.length - state.through >= FAITHFUL_ROUNDS) return true
  return ctx.overflowed || ctx.estimate(view) > triggerTokens(ctx)
}

/** Has the steps summarised, but for the newest. A summary that cannot be made, or is empty, changes nothing. */
async function summarise(ctx: MemoryCtx, view: readonly Message[]): Promise<void> {
  const {
    state,
    options: { faithful, keepSteps },
  } = ctx
  const { messages } = ctx.view
  const steps = stepsOf(messages).filter((step) => step > state.through)
  const sizeOf = (step: number): number => ctx.estimate(stepMessages(messages, step - 1, step))
  const roomTokens = KEPT_SHARE * triggerTokens(ctx)
  const through = lastToSummarise(steps, { keep: faithful ? 0 : keepSteps, roomTokens, sizeOf })
  if (through === undefined) return
  const summary = await ask(
    ctx,
    view.filter(({ step }) => step === undefined || step <= through),
  )
  if (summary === '') {
    state.failures += 1
    state.failedAt = ctx.step
    return
  }
  startAnew(ctx, stepMessages(messages, state.through, through), summary)
}

async function ask(ctx: MemoryCtx, messages: readonly Message[]): Promise<string> {
  const prompt = ctx.prompt(ctx.state.through === 0 ? 'first' : 'again')
  try {
    const { content } = await ctx.model({
      purpose: 'summarise',
      messages: [...messages, { role: 'user', content: prompt }],
    })
    const summary = readSummary(content)
    if (summary === '') ctx.log('the summary was empty; the view stays as it was')
    return summary
  } catch (error) {
    if (ctx.signal.aborted || !isHarnessError(error)) throw error
    ctx.log(`no summary could be made, and the view stays as it was: ${error.message}`)
    return ''
  }
}

/** Takes the summary for the steps, with what it lost and how they can be had again. */
function startAnew(ctx: MemoryCtx, steps: readonly Message[], summary: string): void {
  const {
    state,
    options: { faithful, carryChars },
  } = ctx
  const through = Math.max(...stepsOf(steps))
  const parts = [ctx.prompt('restart', { summary })]
  let carried = summary
  if (!faithful) {
    const { lost, unknown } = survivalOf({ head: ctx.head, steps, former: state.carried, summary }, carryChars)
    carried = [summary, ...lost].join('\n')
    if (lost.length > 0) parts.push(ctx.prompt('lost', { sentences: lost.join('\n') }))
    if (unknown.length > 0) parts.push(ctx.prompt('unknown', { identifiers: unknown.join(', ') }))
    state.stretches = [...state.stretches, keep(ctx, steps)]
    parts.push(ctx.prompt('reread', { stretches: nameStretches(state.stretches) }))
  }
  Object.assign(state, { through, text: parts.join('\n'), carried, failures: 0 })
}

/** Keeps the steps as an artifact, each under its heading. */
function keep(ctx: MemoryCtx, messages: readonly Message[]): Stretch {
  const steps = stepsOf(messages)
  const texts = steps.map((step) => {
    return `${renderHeading('Step', step)}\n${transcriptOf(messages.filter((message) => message.step === step))}`
  })
  return { first: Math.min(...steps), last: Math.max(...steps), id: ctx.put(texts.join('\n')) }
}
