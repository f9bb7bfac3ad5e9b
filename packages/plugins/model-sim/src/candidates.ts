import { textOf } from './measure.js'
import type { Mind } from './mind.js'
import { FORMS } from './profiles.js'
import type { Claim } from './reader.js'
import type { Verdict } from './slots.js'
import { knownClaims } from './writing.js'

/** An answer that is to be judged. */
export interface Candidate {
  readonly number: number
  readonly answer: string
}

const CANDIDATE = /^[ \t>*#-]*(?:Candidate|Expert|Solution|Rollout) (\d+)\**[ \t]*[:.)-][ \t]*(\S.*)$/gm

/** The candidates in view, each with the whole of its answer, in the order of their numbers. */
export function readCandidates({ sight }: Mind): readonly Candidate[] {
  const found = new Map<number, string>()
  for (const message of sight.messages) {
    if (message.role === 'system') continue
    for (const [, number, answer = ''] of textOf(message).matchAll(CANDIDATE)) found.set(Number(number), answer.trim())
  }
  return [...found].map(([number, answer]) => ({ number, answer })).sort((one, other) => one.number - other.number)
}

/** What the model makes of the candidates. */
export interface Judgement {
  readonly verdict: Verdict
  /** The best of all of them, claim by claim; of answers that are one whole the best one. */
  readonly answer: string
  /** Claims on which they do not agree, one entry a version. */
  readonly disputed: readonly Claim[]
}

/** The key of an answer that is right or wrong as a whole. */
const WHOLE = 'answer'

/**
 * Weighs candidates: each claim by how many make it, and by whether what is in view supports it; each candidate by its
 * claims, with the noise of the profile. Undefined where there is none.
 */
export function judgeCandidates(candidates: readonly Candidate[], mind: Mind): Judgement | undefined {
  const claims = new Map(candidates.map((candidate) => [candidate, claimsOf(candidate.answer, mind)]))
  const supported = supportOf(mind)
  const all = [...claims.values()].flat()
  const weightOf = ({ key, value }: Claim): number => {
    const votes = all.filter((claim) => claim.key === key && claim.value === value).length
    return votes + (supported.get(key) === value ? FORMS.judge.support : 0)
  }
  const scores = candidates.map((candidate) => {
    const weight = (claims.get(candidate) ?? []).reduce((sum, claim) => sum + weightOf(claim), 0)
    const noise = mind.profile.judge * (2 * mind.dice.roll('judge', String(candidate.number)) - 1)
    return [candidate.number, weight * (1 + noise)] as const
  })
  const best = firstBest(scores, ([, score]) => score)
  if (best === undefined) return undefined
  const chosen = candidates.find(({ number }) => number === best[0])
  return {
    verdict: { best: best[0], scores },
    answer: mergeClaims(all, weightOf, mind) ?? chosen?.answer ?? '',
    disputed: disputedAmong([...claims.values()]),
  }
}

/** The claims of an answer: entries of its JSON, its fact sentences, else the whole of it. */
function claimsOf(answer: string, { sight }: Mind): readonly Claim[] {
  const entries = sight.problem.claimsOf(answer)
  if (entries !== undefined) return entries
  const facts = sight.reader.facts(answer).map(({ key, value }) => ({ key: sight.keyOf(key), value }))
  return facts.length > 0 ? facts : [{ key: WHOLE, value: answer }]
}

/** What would be answered from what is in view, claim by claim. */
function supportOf(mind: Mind): ReadonlyMap<string, string> {
  const { sight, known, slips } = mind
  const own = sight.problem.answer(known, slips) ?? sight.reader.say(knownClaims(mind))
  return new Map(claimsOf(own, mind).map(({ key, value }) => [key, value]))
}

/** Of each claim the version that weighs most; undefined for answers that are one whole. */
function mergeClaims(claims: readonly Claim[], weightOf: (claim: Claim) => number, mind: Mind): string | undefined {
  if (claims.some(({ key }) => key === WHOLE)) return undefined
  const keys = [...new Set(claims.map(({ key }) => key))]
  const merged = keys.flatMap(
    (key) =>
      firstBest(
        claims.filter((claim) => claim.key === key),
        weightOf,
      ) ?? [],
  )
  const known = new Map(merged.map(({ key, value }) => [key, value]))
  return mind.sight.problem.answer(known, mind.slips) ?? mind.sight.reader.say(merged)
}

/** Versions of claims that not all candidates make, each once. */
function disputedAmong(answers: readonly (readonly Claim[])[]): readonly Claim[] {
  const counts = new Map<string, { readonly claim: Claim; count: number }>()
  for (const claim of answers.flat()) {
    const id = JSON.stringify([claim.key, claim.value])
    const known = counts.get(id) ?? { claim, count: 0 }
    known.count++
    counts.set(id, known)
  }
  return [...counts.values()].filter(({ count }) => count < answers.length).map(({ claim }) => claim)
}

function firstBest<T>(values: readonly T[], measure: (value: T) => number): T | undefined {
  let best: { readonly value: T; readonly measure: number } | undefined
  for (const value of values) {
    const measured = measure(value)
    if (best === undefined || measured > best.measure) best = { value, measure: measured }
  }
  return best?.value
}
