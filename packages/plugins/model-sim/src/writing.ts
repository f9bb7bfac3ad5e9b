import { tokensOf } from './measure.js'
import type { Mind } from './mind.js'
import { MECHANICS } from './profiles.js'
import type { Claim } from './reader.js'

/** How a text is written from what is known. */
export interface Writing {
  /** Rate at which a claim gets into the text. */
  readonly keep: number
  /** Longest text in tokens. */
  readonly budgetTokens: number
  /** What the draws are made for: a note and a summary of one request differ. */
  readonly label: string
}

/** The known claims among these keys that are of use for the task, each as it is known. */
export function knownClaims({ sight, known }: Mind, keys?: ReadonlySet<string>): readonly Claim[] {
  const claims: Claim[] = []
  for (const { key, isProgress } of sight.claims) {
    const value = known.get(key)
    if (value === undefined || (keys !== undefined && !keys.has(key))) continue
    const claim = { key, value, isProgress: isProgress === true }
    if (sight.problem.matters(claim, known)) claims.push(claim)
  }
  return claims.reverse()
}

/** Fact sentences of the claims, with losses. */
export function writeClaims(claims: readonly Claim[], mind: Mind, writing: Writing): string {
  return mind.sight.reader.say(selectClaims(claims, mind, writing))
}

/** What gets into a text, as it is written there: progress always and first, the others while there is room. */
export function selectClaims(
  claims: readonly Claim[],
  mind: Mind,
  { keep, budgetTokens, label }: Writing,
): readonly Claim[] {
  const { reader } = mind.sight
  const kept: Claim[] = claims.filter((claim) => claim.isProgress)
  let left = budgetTokens - (kept.length === 0 ? 0 : tokensOf(reader.say(kept).length))
  for (const claim of claims.filter((one) => !one.isProgress)) {
    if (mind.dice.roll(label, claim.key) >= keep) continue
    const written = garble(claim, mind, label)
    left -= tokensOf(reader.say([written]).length)
    if (left < 0) break
    kept.push(written)
  }
  return kept
}

function garble(claim: Claim, { sight, profile, dice }: Mind, label: string): Claim {
  if (dice.roll(`${label} garbles`, claim.key) >= profile.garble) return claim
  const value = sight.reader.distort(claim, dice.roll(`${label} wrong value`, claim.key))
  return value === undefined ? claim : { ...claim, value }
}

/** What a summary keeps of all that is known. */
export function summarised(mind: Mind): readonly Claim[] {
  const { keep, summaryTokens } = mind.profile
  return selectClaims(knownClaims(mind), mind, { keep, budgetTokens: summaryTokens, label: 'summary' })
}

/** What is open, in a sentence. */
export function writeOpen({ held, sight }: Mind): string {
  return held.length === 0 ? 'Nothing is open.' : `Still open: ${sight.reader.word(held)}.`
}

/** A text to go on from: what is known, with losses, and what is open. */
export function writeSummary(mind: Mind): string {
  const told = mind.sight.reader.say(summarised(mind))
  return told === '' ? writeOpen(mind) : `So far: ${told}. ${writeOpen(mind)}`
}

/** What a reply repeats of the last observations, and where the work stands. Empty when there is nothing new. */
export function writeNote(mind: Mind): string {
  const { sight } = mind
  if (sight.fresh.size === 0) return ''
  const progress = new Set(sight.claims.filter((claim) => claim.isProgress).map((claim) => claim.key))
  const claims = knownClaims(mind, sight.problem.isCounted ? new Set([...sight.fresh, ...progress]) : sight.fresh)
  return writeClaims(claims, mind, { keep: mind.profile.note, budgetTokens: MECHANICS.noteTokens, label: 'note' })
}

/** The answer from what is known; of a subtask all that was found, as far as it fits one reply. */
export function writeAnswer(mind: Mind): string {
  const { sight, known, slips, profile } = mind
  const answer = sight.problem.answer(known, slips)
  if (answer !== undefined) return answer
  const room = MECHANICS.outputTokens - profile.thinkTokens * MOST_THOUGHT
  return sight.reader.say(fitClaims(knownClaims(mind), room, mind))
}

/** The longest that is thought before a reply, in plain replies. */
const MOST_THOUGHT = Math.max(...Object.values(MECHANICS.think))

/** Progress first, then the others from the first on, while there is room. */
function fitClaims(claims: readonly Claim[], budgetTokens: number, { sight }: Mind): readonly Claim[] {
  const ordered = [...claims.filter(({ isProgress }) => isProgress), ...claims.filter(({ isProgress }) => !isProgress)]
  let left = budgetTokens * MECHANICS.charsPerToken
  const first = ordered.findIndex((claim) => {
    left -= sight.reader.say([claim]).length + '; '.length
    return left < 0
  })
  return first < 0 ? claims : ordered.slice(0, first)
}
