import type { Json } from '@harnesswright/core'
import { listJsonObjects } from '@harnesswright/plugin-manifest'
import { matchesWithin } from './match-within.js'
import type { AnswerCheck } from './tasks.js'

/** Numbers are the same up to this share of their size. */
const TOLERANCE = 1e-6

/**
 * Whether an answer is what was expected.
 *
 * `exact`: the same text without space around it, or the same JSON. `numeric`: the last number of the answer, up to a millionth.
 * `regex`: the pattern is found. `json`: the answer, or the one JSON object in it, is the same value in any order of keys.
 */
export async function checkAnswer(answer: Json | null, { kind, expected }: AnswerCheck): Promise<boolean> {
  if (answer === null) return false
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  switch (kind) {
    case 'exact':
      return typeof expected === 'string' ? text.trim() === expected.trim() : isSame(asJson(answer), expected)
    case 'numeric':
      return isSameNumber(lastNumber(text), Number(expected))
    case 'regex':
      return await matchesWithin(String(expected), text)
    case 'json':
      return [asJson(answer), ...listJsonObjects(text).slice(0, 1)].some((value) => isSame(value, expected))
  }
}

function asJson(answer: Json): unknown {
  if (typeof answer !== 'string') return answer
  try {
    return JSON.parse(answer)
  } catch {
    return answer
  }
}

/** `1,234.5` is one number. */
function lastNumber(text: string): number {
  const found = text.slice(-100_000).match(/-?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?/g)
  return Number((found?.at(-1) ?? 'none').replaceAll(',', ''))
}

function isSameNumber(found: number, expected: number): boolean {
  return Math.abs(found - expected) <= TOLERANCE * Math.max(1, Math.abs(expected))
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [one, other] = [Object.entries(a), new Map(Object.entries(b))]
  return one.length === other.size && one.every(([key, value]) => other.has(key) && isSame(value, other.get(key)))
}
