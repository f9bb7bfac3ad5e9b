import type { TaskFeatures } from '../features/task-features.js'
import { formatCount, formatShare, formatUsd } from './format.js'
import { guardedMemory, reactAction, roadmap, type Slots } from './modules.js'
import type { Rule } from './rule.js'

/** Share of the window that a guarded history may fill. */
const FILL = 0.6

/** Sizes are read from files, not from what a run will show: rereading, calls and replies can make it this many times as much. */
const OVERRUN = 4

/** Observations from this share of the window on are guarded. */
const GUARD_SHARE = FILL / OVERRUN

/** So many things at once are more than a model surely holds in mind. */
const MANY = 5

/** A plan and its reviews, and steps that fail, come on top of the least a run needs. */
const STEPS_ROOM = 1.5

/** Most of what was read is sent again with later steps. */
const TOKENS_ROOM = 2

/** Independent things that one goal of a plan takes together, so that they can be called together. */
const GROUP = 3

/** A plan of fewer goals says little; one of more is no overview. A chain may have more: it has no groups. */
const PLAN_GOALS = { least: 5, most: 7, mostOfChain: 12 } as const

/** So many calls a model makes in one reply. */
const AT_ONCE = 5

/** Calls of one reply may bring this share of the window: a guarded history keeps the newest step whole. */
const STEP_SHARE = 0.5

/**
 * From the features of a task to a harness. The first row that applies is taken; the last one always applies.
 */
export const RULES: readonly Rule[] = [
  {
    name: 'tight-budget',
    when: isTight,
    because: (f) =>
      `The least a run needs is ${formatCount(f.leastSteps, 'step')} of ${f.budget.steps}, ` +
      `${formatCount(f.leastTokens, 'token')} of ${formatCount(f.budget.tokens)}${usdOf(f)}; ` +
      `with less than ${STEPS_ROOM} times the steps or ${TOKENS_ROOM} times the rest there is no room for a plan.`,
    manifest: (f) => ({ ...withoutPlan(f), memory: isLarge(f) ? guardedMemory(FILL) : null }),
  },
  {
    name: 'many-parts-large-volume',
    when: (f) => isMany(f) && isLarge(f),
    because: (f) => `${manyText(f)} ${largeText(f)}`,
    manifest: (f) => ({ ...withoutPlan(f), memory: guardedMemory(FILL), planning: roadmap(planGoals(f)) }),
  },
  {
    name: 'many-parts',
    when: isMany,
    because: manyText,
    manifest: (f) => ({ ...withoutPlan(f), planning: roadmap(planGoals(f)) }),
  },
  {
    name: 'large-volume',
    when: isLarge,
    because: largeText,
    manifest: (f) => ({ ...withoutPlan(f), memory: guardedMemory(FILL) }),
  },
  {
    name: 'react',
    when: () => true,
    because: () => 'Without a row above, the whole history and no plan: the simplest harness is the cheapest.',
    manifest: withoutPlan,
  },
]

/** The simplest harness: the whole history, no plan, all tools. */
function withoutPlan(features: TaskFeatures): Slots {
  return { memory: null, planning: null, capability: null, action: reactAction({ parallel: !isBulky(features) }) }
}

/** Share of the window that the sources of one reply's calls bring. Where sizes are not known, nothing speaks against them. */
function shareAtOnce({ sources, unsizedSources, windowShare }: TaskFeatures): number {
  if (windowShare === null || sources === 0 || unsizedSources > 0) return 0
  return (windowShare * Math.min(AT_ONCE, sources)) / sources
}

function isBulky(features: TaskFeatures): boolean {
  return shareAtOnce(features) > STEP_SHARE
}

function isTight({ budget, leastSteps, leastTokens, leastUsd }: TaskFeatures): boolean {
  return (
    budget.steps < leastSteps * STEPS_ROOM ||
    budget.tokens < leastTokens * TOKENS_ROOM ||
    (budget.usd !== null && leastUsd !== null && budget.usd < leastUsd * TOKENS_ROOM)
  )
}

function usdOf({ budget, leastUsd }: TaskFeatures): string {
  return budget.usd === null || leastUsd === null ? '' : `, USD ${formatUsd(leastUsd)} of ${formatUsd(budget.usd)}`
}

function isMany({ goals, sources, dependencyDepth }: TaskFeatures): boolean {
  return Math.max(goals, sources, dependencyDepth) >= MANY
}

function manyText({ goals, sources, dependencyDepth }: TaskFeatures): string {
  return (
    `${formatCount(goals, 'goal')}, ${formatCount(sources, 'source')}, chain of ${dependencyDepth}; ` +
    `from ${MANY} of one of them on, a plan keeps what a model would lose.`
  )
}

/** What cannot be foreseen is guarded too: the guard costs nothing until it acts. */
function isLarge({ windowShare, unsizedSources }: TaskFeatures): boolean {
  return windowShare === null || windowShare >= GUARD_SHARE || unsizedSources > 0
}

function largeText(features: TaskFeatures): string {
  const { expectedObservationTokens, contextWindow, windowShare, unsizedSources } = features
  const volume = `About ${formatCount(expectedObservationTokens, 'token')} to observe`
  const window =
    windowShare === null || contextWindow === null
      ? 'and a window of unknown size'
      : `are ${formatShare(windowShare)} of the window of ${formatCount(contextWindow)}`
  const unsized = unsizedSources === 0 ? '' : `, ${formatCount(unsizedSources, 'thing')} of unknown size among them`
  const guard = `from ${formatShare(GUARD_SHARE)} on, or if unknown, old observations must be able to give way.`
  const bulky = isBulky(features)
    ? ` What a few calls at once bring would be ${formatShare(shareAtOnce(features))} of it: one call at a time.`
    : ''
  return `${volume} ${window}${unsized}; ${guard}${bulky}`
}

/** A chain has a goal for each link; independent things are grouped. */
function planGoals({ goals, sources, deliverable, dependencyDepth }: TaskFeatures): number {
  const things = Math.max(goals, sources)
  const isChain = dependencyDepth >= things
  const wanted = (isChain ? dependencyDepth : Math.ceil(things / GROUP)) + (deliverable ? 1 : 0)
  return Math.min(isChain ? PLAN_GOALS.mostOfChain : PLAN_GOALS.most, Math.max(PLAN_GOALS.least, wanted))
}
