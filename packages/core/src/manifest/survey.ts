import { joinPointer, parentPointer } from './pointer.js'
import { makeProblem, type Problem } from './problem.js'
import { MAX_DEPTH } from './scan-json.js'

/** Keys that could reach the prototype of an object. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** What one walk over a JSON value shows before its parts are looked at. */
export interface Survey {
  /** Every place by pointer, numbered in document order. */
  readonly order: ReadonlyMap<string, number>
  /** One for each forbidden key, and for each number that is none, as 1e999. */
  readonly refused: readonly Problem[]
  /** For the first place that is nested too deep, where the walk ended. */
  readonly tooDeep: Problem | undefined
}

/** Numbers the places of a JSON value, and finds forbidden keys, numbers that are none and too deep nesting. */
export function surveyJson(value: unknown): Survey {
  const order = new Map<string, number>()
  const refused: Problem[] = []
  let tooDeep: Problem | undefined
  const visit = (item: unknown, pointer: string, depth: number): void => {
    order.set(pointer, order.size)
    if (typeof item === 'number' && !Number.isFinite(item)) refused.push(noNumber(item, pointer))
    if (typeof item !== 'object' || item === null || tooDeep !== undefined) return
    if (depth > MAX_DEPTH) tooDeep = nestedTooDeep(pointer)
    else
      for (const [key, below] of Object.entries(item)) {
        const at = joinPointer(pointer, key)
        if (FORBIDDEN_KEYS.has(key)) refused.push(forbiddenKey(key, at))
        visit(below, at, depth + 1)
      }
  }
  visit(value, '', 1)
  return { order, refused, tooDeep }
}

function nestedTooDeep(pointer: string): Problem {
  const [found, expected] = [`more than ${MAX_DEPTH} levels`, `at most ${MAX_DEPTH} levels`]
  return makeProblem('E_MANIFEST_SIZE', pointer, { found, expected, fix: 'Nest less.' })
}

function noNumber(value: number, pointer: string): Problem {
  return makeProblem('E_MANIFEST_TYPE', pointer, { found: String(value), expected: 'a finite number' })
}

function forbiddenKey(key: string, pointer: string): Problem {
  const found = `the key ${key}, which could reach a prototype`
  return makeProblem('E_MANIFEST_FORBIDDEN_KEY', pointer, {
    found,
    expected: 'another key',
    fix: 'Remove or rename it.',
  })
}

/**
 * Problems in document order. Of what lies at or below a place that is refused already, because its key is forbidden or
 * stands twice, nothing more is said.
 */
export function sortProblems(refused: readonly Problem[], others: readonly Problem[], { order }: Survey): Problem[] {
  const hidden = new Set(refused.map(({ pointer }) => pointer))
  const rank = ({ pointer }: Problem): number => order.get(nearestPlace(pointer, order)) ?? 0
  const told = others.filter(({ pointer }) => nearestPlace(pointer, hidden) === '')
  return [...refused, ...told].sort((a, b) => rank(a) - rank(b))
}

/** The pointer, or the one above it, that is among the places; '' when there is none. */
function nearestPlace(pointer: string, places: { has(pointer: string): boolean }): string {
  let at = pointer
  while (at !== '' && !places.has(at)) at = parentPointer(at)
  return at
}
