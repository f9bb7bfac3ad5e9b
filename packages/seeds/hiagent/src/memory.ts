import {
  type Ctx,
  type Directive,
  defineModule,
  isHarnessError,
  type Message,
  type Module,
  renderHeading,
} from '@harnesswright/core'
import { type Replaced, replaceSteps, standingNotes, stepsOf } from '@harnesswright/seed-react/view'
import * as z from 'zod'
import { scoredView } from './scored-view.js'
import { createSubgoalTools, type SubgoalBook } from './subgoal-tools.js'
import { begin, type ClosedSubgoal, conclude, noSubgoals, type Subgoal, type Subgoals, splitAt } from './subgoals.js'

/** Share of the context window above which no budget may go, whatever the option says. */
const MOST_FILL = 0.6

/** Share to which the faithful memory brings a view that was larger than the window. */
const OVERFLOW_TO = 0.6

/** Newest steps that stay as they are when a sub-goal is cut because it grew too long. */
const KEPT_STEPS = 2

const weight = z.number().min(0).max(10).default(1)

const options = z.strictObject({
  budgetTokens: z
    .int()
    .min(1_000)
    .max(10_000_000)
    .default(31_768)
    .describe('Token budget of the view; never more than 0.6 of the context window.')
    .meta({ buckets: [8_000, 16_000, 31_768] }),
  leastTokens: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(1_000)
    .describe('Tokens from which on the steps of a closed sub-goal are summarised; smaller ones stay as they are.')
    .meta({ buckets: [0, 1_000, 4_000] }),
  faithful: z
    .boolean()
    .default(false)
    .describe(
      'As the published code: no sub-goals; the view keeps the steps that score highest by place and novelty, and a line for each other.',
    ),
  maxSteps: z
    .int()
    .min(1)
    .max(1_000)
    .default(15)
    .describe('Most steps that the faithful memory shows.')
    .meta({ buckets: [8, 15, 30] }),
  positionWeight: weight.describe('What the place of a step counts in the faithful memory: high at both ends.'),
  noveltyWeight: weight.describe('What new words in the observations of a step count in the faithful memory.'),
})

const prompts = {
  system:
    'Work in sub-goals. Before you begin with one, name it with subgoal, in the same reply as its first calls. When it is reached, or turns out to lead nowhere, name the next one in the same way: of the one before you will see a summary in place of its steps. recall_subgoal shows these steps again.',
  summarise:
    'The steps above were the work on this sub-goal: {{goal}}. Say in a few sentences what came of it: whether it was reached, every finding with its names, identifiers and numbers as they stand, what was done, and what failed and need not be tried again. Invent nothing. Only this summary stays in view.',
  unnamed: 'no sub-goal was named',
  current:
    'Sub-goal {{number}}: {{goal}}. When it is reached or leads nowhere, begin the next one with subgoal, beside your next calls.',
  first: 'Begin your first sub-goal with subgoal, beside your next calls.',
  leftOut: 'Left out to save space; it called {{tools}}.',
} as const

interface State extends Subgoals {
  /** Numbers of closed sub-goals whose steps are shown again. */
  shown: number[]
  /** Summaries in a row that came to nothing, and the step of the last. */
  failures: number
  failedAt: number
}

type MemoryCtx = Ctx<z.output<typeof options>, State, typeof prompts>

/**
 * Memory of HiAgent: the model names its sub-goals with a tool. The steps of the current one are in view as they are; of each
 * one before a summary is, and its steps can be shown again. `faithful` is the scored window of the published code.
 *
 * @see arXiv 2408.09559; docs: seeds/hiagent
 */
export const memory: Module = defineModule({
  slot: 'memory',
  summary:
    'Keeps the steps of the current sub-goal and a summary of each one before; for long tasks that fall into stretches, and models that name them.',
  options,
  prompts,
  provides: ['subgoals'],
  state: (): State => ({ ...noSubgoals(), shown: [], failures: 0, failedAt: 0 }),
  system: (ctx) => (ctx.options.faithful ? '' : ctx.prompt('system')),
  tools: (ctx: MemoryCtx) => (ctx.options.faithful ? [] : createSubgoalTools(bookOf(ctx))),
  async view(ctx) {
    if (ctx.options.faithful) return { messages: bestOf(ctx) }
    await summariseClosed(ctx)
    await cutCurrent(ctx)
    return { messages: shown(ctx) }
  },
  apply(hooks, ctxOf) {
    // Late, so that it is said beside whatever the planning says.
    hooks.planning.tap({ name: 'subgoal', stage: 'late' }, (directive, turn) => addSubgoal(directive, ctxOf(turn)))
  },
})

function bookOf(ctx: MemoryCtx): SubgoalBook {
  return {
    begin(goal: string): number {
      Object.assign(ctx.state, begin(ctx.state, goal, ctx.step), { shown: [] })
      return ctx.state.current.number
    },
    closed: () => ctx.state.closed,
    show(number: number): void {
      ctx.state.shown = [...new Set([...ctx.state.shown, number])]
    },
  }
}

function bestOf(ctx: MemoryCtx): readonly Message[] {
  const { maxSteps, positionWeight, noveltyWeight } = ctx.options
  const smaller = ctx.overflowed ? OVERFLOW_TO * ctx.estimate(ctx.view.messages) : Number.POSITIVE_INFINITY
  const mostTokens = Math.min(budgetOf(ctx), smaller)
  return scoredView(ctx.view.messages, {
    most: maxSteps,
    weights: { position: positionWeight, novelty: noveltyWeight },
    fits: (messages) => ctx.estimate(messages) <= mostTokens,
    leftOut: (tools) => ctx.prompt('leftOut', { tools }),
  })
}

/** The incoming view, with summaries in place of the steps of sub-goals that are over. */
function shown({ view, state }: MemoryCtx): readonly Message[] {
  const standing = new Set(standingNotes(view.messages))
  const hidden = state.closed.filter(({ number, summary }) => summary !== '' && !state.shown.includes(number))
  return replaceSteps(view.messages, hidden.map(toReplaced), (message) => standing.has(message))
}

function toReplaced({ number, goal, first, last, summary }: ClosedSubgoal): Replaced {
  const content = `${renderHeading('Subgoal', number)} ${goal}\n${summary}`
  return { first, last, message: { role: 'user', content, note: 'subgoal', covers: [first, last] } }
}

function budgetOf({ options: { budgetTokens }, modelInfo: { contextWindow } }: MemoryCtx): number {
  return Math.min(budgetTokens, MOST_FILL * (contextWindow ?? Number.POSITIVE_INFINITY))
}

function isOver(ctx: MemoryCtx, messages: readonly Message[]): boolean {
  return ctx.overflowed || ctx.estimate(messages) > budgetOf(ctx)
}

/** Has every closed sub-goal summarised that is worth it; where room is short, all of them, and none is shown again. */
async function summariseClosed(ctx: MemoryCtx): Promise<void> {
  const isShort = isOver(ctx, shown(ctx))
  if (isShort) ctx.state.shown = []
  for (const closed of ctx.state.closed.filter(({ summary }) => summary === '')) {
    const steps = stepsBetween(ctx, closed.first, closed.last)
    if (steps.length === 0 || (!isShort && ctx.estimate(steps) < ctx.options.leastTokens)) continue
    const summary = await ask(ctx, closed, steps)
    if (summary !== '') Object.assign(ctx.state, conclude(ctx.state, closed.number, summary))
  }
}

/** Where the current sub-goal alone is too much, all but its newest steps are summarised as a part of it. */
async function cutCurrent(ctx: MemoryCtx): Promise<void> {
  if (!isOver(ctx, shown(ctx))) return
  const { current } = ctx.state
  const own = stepsOf(ctx.view.messages).filter((step) => step >= current.first)
  const last = own.at(-1 - KEPT_STEPS) ?? (ctx.overflowed ? own.at(-2) : undefined)
  if (last === undefined) return
  const summary = await ask(ctx, current, stepsBetween(ctx, current.first, last))
  if (summary !== '') Object.assign(ctx.state, splitAt(ctx.state, last, summary))
}

function stepsBetween({ view }: MemoryCtx, first: number, last: number): readonly Message[] {
  return view.messages.filter(({ step }) => step !== undefined && first <= step && step <= last)
}

/** What came of some steps; empty where that cannot be had, and after failures not even asked for at every step. */
async function ask(ctx: MemoryCtx, { goal }: Subgoal, steps: readonly Message[]): Promise<string> {
  const { state } = ctx
  if (state.failures > 0 && ctx.step - state.failedAt < state.failures && !ctx.overflowed) return ''
  const prompt = ctx.prompt('summarise', { goal: goal === '' ? ctx.prompt('unnamed') : goal })
  const summary = await reply(ctx, [...ctx.head, ...steps, { role: 'user', content: prompt }])
  state.failures = summary === '' ? state.failures + 1 : 0
  if (summary === '') state.failedAt = ctx.step
  return summary
}

async function reply(ctx: MemoryCtx, messages: readonly Message[]): Promise<string> {
  try {
    const { content } = await ctx.model({ purpose: 'summarise', messages })
    if (content.trim() === '') ctx.log('the summary was empty; the steps stay as they were')
    return content.trim()
  } catch (error) {
    if (ctx.signal.aborted || !isHarnessError(error)) throw error
    ctx.log(`no summary could be made, and the steps stay as they were: ${error.message}`)
    return ''
  }
}

/** The directive with the current sub-goal. */
function addSubgoal(directive: Directive, ctx: MemoryCtx): Directive {
  if (ctx.options.faithful) return directive
  const { number, goal } = ctx.state.current
  const said = goal === '' ? ctx.prompt('first') : ctx.prompt('current', { number, goal })
  return { ...directive, text: directive.text === '' ? said : `${directive.text}\n\n${said}` }
}
