import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS, minLimits } from './effective-limits.js'
import type { Limits } from './types/index.js'

const numbers = ['steps', 'tokens', 'usd', 'ms', 'toolCalls', 'depth', 'concurrency', 'repeats'] as const

const someLimits = fc.record(
  {
    ...Object.fromEntries(numbers.map((name) => [name, fc.nat(2_000_000)])),
    reserve: fc.double({ min: 0, max: 1, noNaN: true }),
    perTool: fc.dictionary(fc.constantFrom('read', 'write', 'toString', 'constructor'), fc.nat(9)),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Partial<Limits>>

describe('DEFAULT_LIMITS', () => {
  test('are those of the protocol', () => {
    expect(DEFAULT_LIMITS).toEqual({
      steps: 40,
      tokens: 1_000_000,
      usd: Number.POSITIVE_INFINITY,
      ms: 600_000,
      toolCalls: 200,
      perTool: {},
      depth: 3,
      concurrency: 4,
      repeats: 3,
      reserve: 0.05,
    })
  })
})

describe('minLimits', () => {
  test('cuts raised limits to those of the host, and keeps lowered ones', () => {
    const limits = minLimits(DEFAULT_LIMITS, { steps: 4_000, tokens: 500, usd: 0.25 })

    expect(limits).toEqual({ ...DEFAULT_LIMITS, tokens: 500, usd: 0.25 })
  })

  test('takes the least for each tool that any of them names', () => {
    const host = { ...DEFAULT_LIMITS, perTool: { read: 5, write: 1 } }

    expect(minLimits(host, { perTool: { read: 3, write: 9, run: 2 } }).perTool).toEqual({ read: 3, write: 1, run: 2 })
  })

  test('keeps the largest reserve aside', () => {
    expect(minLimits(DEFAULT_LIMITS, { reserve: 0.2 }, { reserve: 0.1 }).reserve).toBe(0.2)
    expect(minLimits(DEFAULT_LIMITS, { reserve: 0 }).reserve).toBe(0.05)
  })

  test('is never looser than any of them, in any order', () => {
    fc.assert(
      fc.property(someLimits, someLimits, (a, b) => {
        const limits = minLimits(DEFAULT_LIMITS, a, b)
        for (const given of [DEFAULT_LIMITS, a, b]) {
          for (const name of numbers) expect(limits[name]).toBeLessThanOrEqual(given[name] ?? Number.POSITIVE_INFINITY)
          for (const [tool, most] of Object.entries(given.perTool ?? {}))
            expect(limits.perTool[tool]).toBeLessThanOrEqual(most)
          expect(limits.reserve).toBeGreaterThanOrEqual(given.reserve ?? 0)
        }
        expect(minLimits(DEFAULT_LIMITS, b, a)).toEqual(limits)
        expect(minLimits(limits, a, b)).toEqual(limits)
      }),
    )
  })
})
