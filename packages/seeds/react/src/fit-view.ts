import type { Ctx, Message } from '@harnesswright/core'
import { cutPoint, leaveOut, type Placeholder, stepsOf } from './evict.js'
import { longestResult, shorten } from './shorten.js'

/** Share of the budget to which the view is cut, so that not every further step moves the cut and costs the prompt cache. */
const CUT_TO = 0.75

/** Share of a request that was larger than the window to which the view is cut: how large the window is may not be known. */
const OVERFLOW_TO = 0.6

/** Share of the longest result of the newest step that is kept when nothing older can be left out. */
const SHORTEN_TO = 0.25

/** State of a memory that leaves observations out. */
export interface LeftOut {
  /** The observations of all steps up to this one are left out; 0: none is. */
  leftOutThrough: number
  /** Most characters of each result, by step, where the newest step alone was too large. */
  shortened: Record<string, number>
}

/** The state of a memory that has left out nothing yet. */
export function nothingLeftOut(): LeftOut {
  return { leftOutThrough: 0, shortened: {} }
}

/** What a view is to fit, and what is said in place of what is left out. */
export interface Fit {
  readonly budgetTokens: number
  readonly placeholder: Placeholder
  /** The words in the middle of a result of which so many characters are cut. */
  readonly cut: (chars: number) => string
}

/**
 * The view in its budget: the oldest observations give way to placeholders, several steps of them at once. After a request
 * that was larger than the window, a newest step that is too large on its own keeps head and tail of its results.
 */
export function fitView(
  ctx: Pick<Ctx<unknown, LeftOut>, 'view' | 'state' | 'overflowed' | 'estimate'>,
  fit: Fit,
): readonly Message[] {
  const { messages } = ctx.view
  const through = (step: number): readonly Message[] =>
    shorten(leaveOut(messages, step, fit.placeholder), ctx.state.shortened, fit.cut)
  const kept = through(ctx.state.leftOutThrough)
  const size = ctx.estimate(kept)
  const budgetTokens = Math.min(fit.budgetTokens, ctx.overflowed ? size * OVERFLOW_TO : Number.POSITIVE_INFINITY)
  if (size <= budgetTokens) return kept
  const steps = stepsOf(messages).filter((step) => step > ctx.state.leftOutThrough)
  const point = cutPoint({ steps, fits: (step) => ctx.estimate(through(step)) <= budgetTokens * CUT_TO })
  ctx.state.leftOutThrough = point ?? ctx.state.leftOutThrough
  const newest = steps.at(-1)
  const view = through(ctx.state.leftOutThrough)
  if (!ctx.overflowed || newest === undefined || ctx.estimate(view) <= budgetTokens) return view
  ctx.state.shortened[newest] = Math.floor(longestResult(view, newest) * SHORTEN_TO)
  return through(ctx.state.leftOutThrough)
}
