import type { Problem } from '@harnesswright/core'
import { joinPointer, parentPointer } from './pointer.js'
import { makeProblem } from './problem.js'
import { MAX_DEPTH } from './scan-json.js'

const FORBIDDEN_KEYS: readonly string[] = ['__proto__', 'constructor', 'prototype']

/** What one walk over a JSON value shows before its parts are looked at. */
export interface Survey {
  /** Every place by pointer, numbered in document order. */
  readonly order: ReadonlyMap<string, number>
  /** One for each key that could reach a prototype, and for each number that is none, as 1e999. */
  readonly refused: readonly Problem[]
  /** For the first place that is nested too deep, where the walk ended. */
  readonly tooDeep: Problem | undefined
}

/** Numbers the places of a JSON value, and finds what is refused wherever it stands. */
export function surveyJson(value: unknown): Survey {
  const order = new Map<string, number>()
  const refused: Problem[] = []
  let tooDeep: Problem | undefined
  const visit = (item: unknown, pointer: string, depth: number): void => {
    order.set(pointer, order.size)
    if (typeof item === 'number' && !Number.isFinite(item)) {
      refused.push(makeProblem('E_MANIFEST_TYPE', pointer, { found: String(item), expected: 'a finite number' }))
    }
    if (typeof item !== 'object' || item === null || tooDeep !== undefined) return
    if (depth > MAX_DEPTH) {
      const part = { found: `more than ${MAX_DEPTH} levels`, expected: `at most ${MAX_DEPTH} levels` }
      tooDeep = makeProblem('E_MANIFEST_SIZE', pointer, part)
      return
    }
    for (const [key, below] of Object.entries(item)) {
      const at = joinPointer(pointer, key)
      const part = { found: `the key ${key}, which could reach a prototype`, expected: 'another key' }
      if (FORBIDDEN_KEYS.includes(key)) refused.push(makeProblem('E_MANIFEST_FORBIDDEN_KEY', at, part))
      visit(below, at, depth + 1)
    }
  }
  visit(value, '', 1)
  return { order, refused, tooDeep }
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
