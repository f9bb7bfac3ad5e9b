import type { Json } from '@harnesswright/core'
import type { CheckResult } from './world.js'

/** A badge as it is written on a card. */
const BADGE = /\bB-\d{5}\b/g

/** 1 for an answer that names the right badge and no other, else 0. */
export function checkBadge(expected: string, answer: Json | undefined): CheckResult {
  if (answer === undefined || answer === null) return { reward: 0, passed: false, detail: 'there is no answer' }
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
  const named = [...new Set(text.match(BADGE))]
  if (named.length === 0) return { reward: 0, passed: false, detail: 'the answer names no badge such as B-12345' }
  const passed = named.length === 1 && named[0] === expected
  const detail = passed ? `badge ${expected} is right` : `badge ${named.join(', ')}, expected ${expected} and no other`
  return { reward: passed ? 1 : 0, passed, detail }
}
