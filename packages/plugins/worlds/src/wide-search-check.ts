import type { Json } from '@harnesswright/core'
import { readAnswerObject } from './answer-json.js'
import type { CheckResult } from './world.js'

/** Share of the towers whose height is right. */
export function checkHeights(expected: ReadonlyMap<string, number>, answer: Json | undefined): CheckResult {
  if (answer === undefined || answer === null) return { reward: 0, passed: false, detail: 'there is no answer' }
  const heights = readAnswerObject(answer)?.['heights']
  if (typeof heights !== 'object' || heights === null || Array.isArray(heights)) {
    return { reward: 0, passed: false, detail: 'the answer holds no JSON object "heights"' }
  }
  const faults = [...expected].flatMap(([tower, metres]) => {
    const found: unknown = Object.hasOwn(heights, tower) ? (heights as Record<string, unknown>)[tower] : undefined
    if (found === metres) return []
    return [found === undefined ? `${tower}: missing` : `${tower}: ${JSON.stringify(found)}, expected ${metres}`]
  })
  const right = expected.size - faults.length
  return {
    reward: right / expected.size,
    passed: right === expected.size,
    detail: [`${right} of ${expected.size} heights right`, ...faults].join('; '),
  }
}
