import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../effective-limits.js'
import { isHarnessError } from '../errors/error.js'
import type { Limits, Price, Usage } from '../types/index.js'
import { Meter, type Reservation } from './meter.js'

const price: Price = { input: 2, output: 10, cached: 0.5, source: 'a test', date: '2026-01-01' }
const limitsOf = (limits: Partial<Limits>): Limits => ({ ...DEFAULT_LIMITS, ...limits })
const usageOf = (inputTokens: number | null, outputTokens: number | null, cachedTokens: number | null = 0): Usage => ({
  inputTokens,
  cachedTokens,
  outputTokens,
  reasoningTokens: null,
  source: inputTokens === null || outputTokens === null ? 'unknown' : 'known',
})
const aBound = (inputTokens: number, outputTokens: number, useReserve = false) => ({
  inputTokens,
  outputTokens,
  useReserve,
})

function limitOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return isHarnessError(error) && error.code === 'E_RUN_LIMIT' ? error.details['limit'] : error
  }
  return undefined
}

test('what is reserved and what is spent is taken from what is left', () => {
  const meter = new Meter(limitsOf({ tokens: 1_000, reserve: 0 }))

  const reservation = meter.reserve(aBound(300, 200))
  expect(meter.leftTokens()).toBe(500)
  meter.settle(reservation, usageOf(100, 50))
  expect(meter.leftTokens()).toBe(850)
  expect(meter.spent(0)).toMatchObject({ tokens: 150, modelCalls: 1, partial: false })
})

test('a reply is shortened to what is left, and refused when nothing useful is', () => {
  const meter = new Meter(limitsOf({ tokens: 1_000, reserve: 0 }))

  expect(meter.reserve(aBound(900, 500)).outputTokens).toBe(100)
  expect(limitOf(() => meter.reserve(aBound(1, 500)))).toBe('tokens')
  expect(limitOf(() => new Meter(limitsOf({ tokens: 1_000, reserve: 0 })).reserve(aBound(990, 500)))).toBe('tokens')
})

test('a request that asks for a few tokens only gets them, though they are fewer than a reply usually needs', () => {
  expect(new Meter(limitsOf({ tokens: 105, reserve: 0 })).reserve(aBound(100, 5)).outputTokens).toBe(5)
})

test('a request that is not answered gives back what it reserved', () => {
  const meter = new Meter(limitsOf({ tokens: 1_000, usd: 1, reserve: 0 }))

  meter.release(meter.reserve({ ...aBound(300, 200), price }))

  expect([meter.leftTokens(), meter.leftUsd()]).toEqual([1_000, 1])
})

test('the reserve is kept for the closing answer', () => {
  const meter = new Meter(limitsOf({ tokens: 1_000, usd: 1, reserve: 0.1 }))

  expect([meter.leftTokens(), meter.leftTokens(true)]).toEqual([900, 1_000])
  expect([meter.leftUsd(), meter.leftUsd(true)]).toEqual([0.9, 1])
  expect(limitOf(() => meter.reserve(aBound(890, 100)))).toBe('tokens')
  expect(meter.reserve(aBound(890, 100, true)).outputTokens).toBe(100)
})

test('money is bounded as tokens are, at the price of the model', () => {
  const meter = new Meter(limitsOf({ usd: 0.01, reserve: 0 }))

  const reservation = meter.reserve({ ...aBound(1_000, 4_000), price })
  expect(reservation.outputTokens).toBe(800)
  expect(limitOf(() => meter.reserve({ ...aBound(10, 100), price }))).toBe('usd')
  expect(meter.settle(reservation, usageOf(1_000, 100, 400)).usd).toBeCloseTo((600 * 2 + 400 * 0.5 + 100 * 10) / 1e6, 9)
})

test('K59: cached tokens are priced once, at their own price', () => {
  const meter = new Meter(limitsOf({}))

  const { usd } = meter.settle(meter.reserve({ ...aBound(10_000, 100), price }), usageOf(10_000, 100, 9_000))

  expect(usd).toBeCloseTo(0.0075, 9)
  expect(meter.spent(0).usage).toMatchObject({ inputTokens: 10_000, cachedTokens: 9_000 })
})

test('cached tokens cost what others do where they have no price of their own', () => {
  const { cached: _, ...flat } = price
  const meter = new Meter(limitsOf({}))

  const { usd } = meter.settle(meter.reserve({ ...aBound(1_000, 100), price: flat }), usageOf(1_000, 0, 900))

  expect(usd).toBeCloseTo(0.002, 9)
})

test('more cached tokens than there was input, as some endpoints count them, give no money back', () => {
  const meter = new Meter(limitsOf({ usd: 1, reserve: 0 }))

  const { usd } = meter.settle(meter.reserve({ ...aBound(10, 10), price }), usageOf(10, 1, 1_000))

  expect(usd).toBeCloseTo((10 * 0.5 + 1 * 10) / 1e6, 9)
  expect(meter.leftUsd()).toBeLessThan(1)
})

test('parts of a token are not left, and a reply for the money that is left does not cost more', () => {
  expect(new Meter(limitsOf({ tokens: 30, reserve: 0.05 })).leftTokens()).toBe(28)
  const meter = new Meter(limitsOf({ usd: 0.001, reserve: 0 }))

  const reservation = meter.reserve({ ...aBound(1, 4_000), price })

  expect(reservation.outputTokens).toBe(99)
  expect(reservation.usd).toBeLessThanOrEqual(0.001)
})

test.each([
  [Number.NaN, 10],
  [10, Number.NaN],
  [10, -1],
  [10, Number.POSITIVE_INFINITY],
])('a bound of %s and %s tokens is none, and nothing is set aside for it', (input, output) => {
  const meter = new Meter(limitsOf({ tokens: Number.POSITIVE_INFINITY }))

  expect(() => meter.reserve(aBound(input, output))).toThrow(expect.objectContaining({ code: 'E_PROTOCOL_VALUE' }))
  expect(meter.leftTokens()).toBe(Number.POSITIVE_INFINITY)
})

test('what is not limited is not limited by a reserve of all either', () => {
  const meter = new Meter(limitsOf({ tokens: Number.POSITIVE_INFINITY, reserve: 1 }))

  expect([meter.leftTokens(), meter.leftUsd()]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])
  expect(meter.reserve(aBound(300, 200)).outputTokens).toBe(200)
})

test.each([
  [null, null],
  [null, 10],
  [10, null],
])(
  'a cost that is not known, as of usage %s and %s, is charged as it was reserved, here and above',
  (input, output) => {
    const root = new Meter(limitsOf({ usd: 1, reserve: 0 }))
    const meter = new Meter(limitsOf({ usd: 1, reserve: 0 }), root)

    const reservation = meter.reserve({ ...aBound(300, 200), price })
    expect(meter.settle(reservation, usageOf(input, output)).usd).toBeNull()

    expect(reservation.usd).toBeCloseTo((300 * 2 + 200 * 10) / 1e6, 9)
    expect([meter.leftUsd(), root.leftUsd()]).toEqual([1 - reservation.usd, 1 - reservation.usd])
    expect(meter.spent(0)).toMatchObject({ usd: null, partial: true })
  },
)

test('a total that was partial once stays so', () => {
  const meter = new Meter(limitsOf({}))
  meter.settle(meter.reserve({ ...aBound(300, 200), price }), usageOf(null, 10))
  meter.settle(meter.reserve({ ...aBound(300, 200), price }), usageOf(100, 10))

  expect(meter.spent(0)).toMatchObject({ partial: true, usd: null })
})

test('K56: usage that is not told is unknown, not nought: totals are partial, and the bound stays charged', () => {
  const meter = new Meter(limitsOf({ tokens: 1_000, reserve: 0 }))

  meter.settle(meter.reserve({ ...aBound(300, 200), price }), usageOf(null, null, null))

  expect(meter.spent(0)).toMatchObject({
    partial: true,
    usd: null,
    usage: { inputTokens: null, outputTokens: null, source: 'unknown' },
  })
  expect(meter.leftTokens()).toBe(500)
})

test.each([
  [100, null],
  [null, 10],
])('usage of which one count is unknown (%s in, %s out) makes totals partial', (input, output) => {
  const meter = new Meter(limitsOf({ tokens: 1_000, reserve: 0 }))
  meter.settle(meter.reserve({ ...aBound(300, 200), price }), usageOf(input, output))

  expect(meter.spent(0)).toMatchObject({ partial: true, usd: null, tokens: (input ?? 0) + (output ?? 0) })
  expect(meter.leftTokens()).toBe(1_000 - (input ?? 300) - (output ?? 200))
})

test('totals over known and unknown usage are lower bounds, made of what is known', () => {
  const meter = new Meter(limitsOf({}))
  meter.settle(meter.reserve(aBound(300, 200)), usageOf(100, 10))
  meter.settle(meter.reserve(aBound(300, 200)), usageOf(null, null))

  expect(meter.spent(0)).toMatchObject({
    tokens: 110,
    modelCalls: 2,
    partial: true,
    usage: { inputTokens: 100, outputTokens: 10, source: 'unknown' },
  })
})

test('every charge counts at every meter above, and none is left more than those above have', () => {
  const root = new Meter(limitsOf({ tokens: 1_000, reserve: 0 }))
  const child = new Meter(limitsOf({ tokens: 5_000, reserve: 0 }), root)

  expect(child.leftTokens()).toBe(1_000)
  const reservation = child.reserve(aBound(300, 200))
  expect(root.leftTokens()).toBe(500)
  child.settle(reservation, usageOf(100, 100))
  child.countToolCalls(2)

  expect(root.spent(0)).toMatchObject({ tokens: 200, modelCalls: 1, toolCalls: 2 })
  expect(limitOf(() => root.reserve(aBound(801, 100)))).toBe('tokens')
})

test('the closing answer of a child may use what the runs above kept aside too', () => {
  const child = new Meter(limitsOf({}), new Meter(limitsOf({ tokens: 1_000, usd: 1, reserve: 0.1 })))

  expect([child.leftTokens(), child.leftTokens(true)]).toEqual([900, 1_000])
  expect([child.leftUsd(), child.leftUsd(true)]).toEqual([0.9, 1])
})

type Op = { readonly meter: number; readonly input: number; readonly output: number; readonly told: number }
const ops: fc.Arbitrary<readonly Op[]> = fc.array(
  fc.record({
    meter: fc.nat(2),
    input: fc.nat(400),
    output: fc.nat(400),
    told: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 40 },
)

test('spent and reserved together never exceed a limit, at any meter of a tree and at any moment', () => {
  const limit = fc.record({ tokens: fc.nat(3_000), usd: fc.double({ min: 0, max: 0.02, noNaN: true }) })
  fc.assert(
    fc.property(limit, limit, limit, ops, fc.double({ min: 0, max: 0.5, noNaN: true }), (a, b, c, list, reserve) => {
      const root = new Meter(limitsOf({ ...a, reserve }))
      const child = new Meter(limitsOf({ ...b, reserve }), root)
      const meters = [root, child, new Meter(limitsOf({ ...c, reserve }), child)]
      const open: { meter: Meter; reservation: Reservation; told: number }[] = []
      const limits = [a, b, c]
      for (const { meter, input, output, told } of list) {
        const one = meters[meter] as Meter
        if (
          limitOf(() => open.push({ meter: one, reservation: one.reserve({ ...aBound(input, output), price }), told }))
        )
          settleOldest(open)
        for (const [index, each] of meters.entries()) {
          const held = open.filter((other) => meters.indexOf(other.meter) >= index)
          const tokens = held.reduce(
            (sum, { reservation: { inputTokens, outputTokens } }) => sum + inputTokens + outputTokens,
            0,
          )
          const usd = held.reduce((sum, { reservation }) => sum + reservation.usd, 0)
          expect(each.spent(0).tokens + tokens).toBeLessThanOrEqual(limits[index]?.tokens ?? 0)
          expect((each.spent(0).usd ?? 0) + usd).toBeLessThanOrEqual((limits[index]?.usd ?? 0) + 1e-9)
        }
      }
    }),
    { numRuns: 200 },
  )
})

/** The oldest request is answered, with at most what it reserved. */
function settleOldest(open: { meter: Meter; reservation: Reservation; told: number }[]): void {
  const oldest = open.shift()
  if (oldest === undefined) return
  const { inputTokens, outputTokens } = oldest.reservation
  oldest.meter.settle(
    oldest.reservation,
    usageOf(Math.floor(inputTokens * oldest.told), Math.floor(outputTokens * oldest.told)),
  )
}
