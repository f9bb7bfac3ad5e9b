import type { ErrorCode, Problem } from '@harnesswright/core'
import { isRecord } from './pointer.js'

type Part = Pick<Problem, 'found' | 'expected'> & Partial<Problem>

/** A problem, with message and fix made from what was found and expected where they are not given. */
export function makeProblem(code: ErrorCode, pointer: string, part: Part): Problem {
  const { found, expected, nearest = [] } = part
  const fix = nearest[0] === undefined ? `Give ${expected}.` : `Write "${nearest[0]}".`
  return { code, pointer, message: `Expected ${expected}; found ${found}.`, nearest, fix, ...part }
}

/** A value in a few words, short whatever its size. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 60)) + (value.length > 60 ? ' …' : '')
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (!isRecord(value)) return value === undefined ? 'nothing' : String(value)
  return `an object with ${Object.keys(value).slice(0, 4).join(', ').slice(0, 60) || 'no fields'}`
}
