import { subjectOf } from './affordance.js'
import type { Dice } from './dice.js'
import { MECHANICS, type SimParameters } from './profiles.js'
import type { Goal, Intent, Known, Slips } from './reader.js'
import { recallClaims, recallRate } from './recall.js'
import type { Sight } from './sight.js'

/** What the simulated model makes of what it sees: what it knows, and what it means to do. */
export interface Mind {
  readonly sight: Sight
  readonly profile: SimParameters
  readonly dice: Dice
  readonly known: Known
  readonly slips: Slips
  readonly done: readonly Goal[]
  /** Goals that are not done, lost or not. */
  readonly open: readonly Goal[]
  /** Open goals that are not lost. */
  readonly held: readonly Goal[]
  /** Held goals that can be worked on now, the final one only when it alone is left. */
  readonly ready: readonly Goal[]
  intent(goal: Goal): Intent
}

/** Makes up the model's mind about one request. */
export function makeMind(sight: Sight, profile: SimParameters, dice: Dice): Mind {
  const { problem } = sight
  const known = recallClaims(sight, profile, dice)
  const slips: Slips = (line) => dice.latent('slip', line) < profile.slip
  const intent = (goal: Goal): Intent => problem.intent(goal, known, slips)
  const states = new Map(problem.goals.map((goal) => [goal, problem.stateOf(goal, known)]))
  const open = problem.goals.filter((goal) => states.get(goal) !== 'done')
  const beyond = new Set(problem.isCounted ? [] : problem.goals.slice(profile.horizon))
  const held = open.filter((goal) => !beyond.has(goal) || !isLost(goal, sight, { profile, dice }))
  const counts = countCalls(sight)
  const isReady = (goal: Goal): boolean =>
    states.get(goal) === 'ready' && !isGivenUp(subjectOf(intent(goal)), counts, sight)
  const next = held.filter((goal) => goal.isFinal !== true && isReady(goal))
  const ready = next.length > 0 ? next : held.filter((goal) => goal.isFinal === true && isReady(goal))
  const done = problem.goals.filter((goal) => states.get(goal) === 'done')
  return { sight, profile, dice, known, slips, done, open, held, ready, intent }
}

/** A goal beyond the horizon may be lost for the run, unless something names it outside the task and is recalled. */
function isLost(goal: Goal, sight: Sight, { profile, dice }: Pick<Mind, 'profile' | 'dice'>): boolean {
  const { named, fill } = sight
  const distance = named.get(goal.id)
  const isPlanned =
    distance !== undefined && dice.latent('plan', goal.id) < recallRate({ tokens: distance, fill }, profile)
  const rate = profile.lose * (goal.isFinal === true ? MECHANICS.finalLoss : 1)
  return !isPlanned && dice.latent('lose', goal.id) < rate
}

interface Count {
  made: number
  failed: number
}

function countCalls({ calls }: Sight): ReadonlyMap<string, Count> {
  const counts = new Map<string, Count>()
  for (const { subject, failed } of calls) {
    const count = counts.get(subject) ?? { made: 0, failed: 0 }
    count.made++
    if (failed) count.failed++
    counts.set(subject, count)
  }
  return counts
}

/** Two failures, four calls, or three in a row are enough. */
function isGivenUp(subject: string, counts: ReadonlyMap<string, Count>, { calls }: Sight): boolean {
  const { failed, made, inRow } = MECHANICS.giveUp
  const count = counts.get(subject)
  if (count === undefined) return false
  const last = calls.slice(-inRow)
  const isRow = last.length === inRow && last.every((call) => call.subject === subject)
  return count.failed >= failed || count.made >= made || isRow
}
