import { expect, test } from 'vitest'
import type { Usage } from './types/index.js'
import { addUsage, readUsage } from './usage.js'

const known: Usage = { inputTokens: 10, cachedTokens: 4, outputTokens: 5, reasoningTokens: 2, source: 'known' }

test('usage that was reported is taken as it is', () => {
  expect(readUsage(known)).toEqual(known)
})

test.each([Number.NaN, -5, Number.POSITIVE_INFINITY, '12', undefined, {}])(
  'K56: %s is no count: it is unknown, and so is the usage',
  (count) => {
    // What an endpoint said, in whatever type.
    const usage = readUsage({ ...known, inputTokens: count as number })

    expect(usage).toEqual({ ...known, inputTokens: null, source: 'unknown' })
  },
)

test('usage that was not reported is unknown in every count', () => {
  expect(readUsage(null)).toEqual(readUsage(undefined)) // some endpoints send null
  expect(readUsage(undefined)).toEqual({
    inputTokens: null,
    cachedTokens: null,
    outputTokens: null,
    reasoningTokens: null,
    source: 'unknown',
  })
})

test('a sum is made of what is known, and its source is the least certain of its parts', () => {
  const unknown = readUsage(undefined)

  expect(addUsage(known, known)).toEqual({
    inputTokens: 20,
    cachedTokens: 8,
    outputTokens: 10,
    reasoningTokens: 4,
    source: 'known',
  })
  expect(addUsage(known, unknown)).toEqual({ ...known, source: 'unknown' })
  expect(addUsage(unknown, unknown).inputTokens).toBeNull()
  expect(addUsage(known, { ...known, source: 'estimated' }).source).toBe('estimated')
})
