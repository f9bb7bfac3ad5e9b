import { textOf } from './measure.js'
import type { Mind } from './mind.js'
import { FORMS } from './profiles.js'
import type { Claim } from './reader.js'
import type { Verdict } from './slots.js'
import { CANDIDATE_LINE } from './text-reading.js'
import { knownClaims } from './writing.js'

/** An answer that is to be judged. */
export interface Candidate {
  readonly number: number
  readonly answer: string
}

/** The candidates in view, each with the whole of its answer, in the order of their numbers. */
export function readCandidates({ sight }: Mind): readonly Candidate[] {
  const found = new Map<number, string>()
  for (const message of sight.messages) {
    if (message.role === 'system') continue
    for (const [, number, answer = ''] of textOf(message).matchAll(CANDIDATE_LINE))
      found.set(Number(number), answer.trim())
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
  const answers = candidates.map(({ answer }) => claimsOf(answer, mind))
  const weights = weighClaims(answers.flat(), supportOf(mind))
  const scores = candidates.map(({ number }, index) => {
    const weight = (answers[index] ?? []).reduce(
      (sum, claim) => sum + (weights.get(claim.key)?.get(claim.value) ?? 0),
      0,
    )
    const noise = mind.profile.judge * (2 * mind.dice.roll('judge', String(number)) - 1)
    return [number, weight * (1 + noise)] as const
  })
  const best = firstBest(scores)
  if (best === undefined) return undefined
  const chosen = candidates.find(({ number }) => number === best)
  return {
    verdict: { best, scores },
    answer: mergeClaims(weights, mind) ?? chosen?.answer ?? '',
    disputed: disputedAmong(answers),
  }
}

/** Weights by key and value. */
type Weights = ReadonlyMap<string, ReadonlyMap<string, number>>

/** What each version of each claim weighs: how many make it, and more where it is supported. */
function weighClaims(claims: readonly Claim[], supported: ReadonlyMap<string, string>): Weights {
  const weights = new Map<string, Map<string, number>>()
  for (const { key, value } of claims) {
    const versions = weights.get(key) ?? new Map<string, number>()
    const before = versions.get(value) ?? (supported.get(key) === value ? FORMS.judge.support : 0)
    weights.set(key, versions.set(value, before + 1))
  }
  return weights
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
function mergeClaims(weights: Weights, mind: Mind): string | undefined {
  if (weights.has(WHOLE)) return undefined
  const merged = [...weights].flatMap(([key, versions]) => {
    const value = firstBest([...versions])
    return value === undefined ? [] : [{ key, value }]
  })
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

/** The first of those that weigh most. */
function firstBest<T>(weighed: readonly (readonly [value: T, weight: number])[]): T | undefined {
  let best: readonly [value: T, weight: number] | undefined
  for (const one of weighed) if (best === undefined || one[1] > best[1]) best = one
  return best?.[0]
}
