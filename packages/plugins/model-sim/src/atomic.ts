import type { Mind } from './mind.js'
import { FORMS } from './profiles.js'

/** True when what is open can be done in one go: few goals, whose observations leave room in the window. */
export function isAtomic({ open, profile, sight }: Mind): boolean {
  const { goals, fill } = FORMS.atomic
  const tokens = open.length * sight.reader.goalTokens
  return open.length <= Math.min(goals, profile.horizon) && tokens <= fill * profile.windowTokens
}

/** The same, as the model judges it: wrong now and then. */
export function judgeAtomic(mind: Mind): boolean {
  return isAtomic(mind) !== mind.dice.roll('atomise') < FORMS.atomic.wrong
}
