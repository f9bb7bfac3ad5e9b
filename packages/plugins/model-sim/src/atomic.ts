import type { Mind } from './mind.js'
import { FORMS } from './profiles.js'

/** How many goals can be worked on in one go: few, whose observations leave room in the window. */
export function goalsAtOnce({ profile, sight }: Mind): number {
  const { goals, fill } = FORMS.atomic
  const fitting = Math.floor((fill * profile.windowTokens) / sight.reader.goalTokens)
  return Math.max(1, Math.min(goals, profile.horizon, fitting))
}

/** True when what is open can be done in one go. */
export function isAtomic(mind: Mind): boolean {
  return mind.open.length <= goalsAtOnce(mind)
}

/** The same, as the model judges it: wrong now and then. */
export function judgeAtomic(mind: Mind): boolean {
  return isAtomic(mind) !== mind.dice.roll('atomise') < FORMS.atomic.wrong
}
