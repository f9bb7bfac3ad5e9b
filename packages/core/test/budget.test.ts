import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Price, Usage } from '../src/index.js'
import { createScriptedModel } from '../src/testkit/index.js'
import { aCounter, aPlugin, runOnce } from './one-run.js'

const price: Price = { input: 1, output: 2, source: 'a test', date: '2026-01-01' }
const usage = (inputTokens: number, outputTokens: number): Usage => ({
  inputTokens,
  cachedTokens: 0,
  outputTokens,
  reasoningTokens: 0,
  source: 'known',
})
/** What a scripted endpoint has billed, and what it may bill at most for the requests that are under way. */
interface Bill {
  tokens: number
  usd: number
}

const add = (bill: Bill, tokens: { readonly input: number; readonly output: number }, sign: 1 | -1 = 1): void => {
  bill.tokens += sign * (tokens.input + tokens.output)
  bill.usd += (sign * (tokens.input * price.input + tokens.output * price.output)) / 1e6
}

/** An honest endpoint: it bills at most a token per byte it got, and at most the reply it was asked for. It may fail. */
function endpoint(roll: () => number, bills: { readonly spent: Bill; readonly open: Bill; readonly most: Bill }) {
  const { spent, open, most } = bills
  return createScriptedModel([], {
    maxOutputTokens: 400,
    price,
    after: async ({ messages, maxTokens = 0, purpose }) => {
      const said = JSON.stringify(messages.map(({ content, toolCalls }) => [content, toolCalls]))
      const worst = { input: Buffer.byteLength(said), output: maxTokens }
      add(open, worst)
      most.tokens = Math.max(most.tokens, spent.tokens + open.tokens)
      most.usd = Math.max(most.usd, spent.usd + open.usd)
      await new Promise((resolve) => setImmediate(resolve))
      add(open, worst, -1)
      if (roll() > 0.9) throw new Error('connection reset')
      const billed = { input: Math.floor(worst.input * roll()), output: Math.floor(worst.output * roll()) }
      add(spent, billed)
      const calls = purpose === 'act' && roll() > 0.2 ? [{ id: '', name: 'look', arguments: '{}' }] : []
      return { content: 'said', toolCalls: calls, finish: 'stop', usage: usage(billed.input, billed.output) }
    },
  })
}

test('spent and reserved never exceed the limit, at any moment of any run of an honest endpoint with a strict budget', async () => {
  const limits = fc.record({
    tokens: fc.integer({ min: 500, max: 20_000 }),
    usd: fc.oneof(
      fc.constant(9),
      fc.integer({ min: 1, max: 12 }).map((thousandths) => thousandths / 1_000),
    ),
    steps: fc.integer({ min: 1, max: 8 }),
  })
  const plans = fc.array(fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 5 }), { minLength: 1, maxLength: 6 })
  // Whole hundredths: doubles would be next to nothing more often than not, and every run an answer at once.
  const hundredths = (max: number) => fc.integer({ min: 0, max }).map((hundredth) => hundredth / 100)
  const dice = fc.array(hundredths(100), { minLength: 20, maxLength: 40 })
  const reserves = hundredths(40)
  const ends = new Set<string | undefined>()
  await fc.assert(
    fc.asyncProperty(limits, plans, dice, reserves, async (limit, plan, rolls, reserve) => {
      const bills = { spent: { tokens: 0, usd: 0 }, open: { tokens: 0, usd: 0 }, most: { tokens: 0, usd: 0 } }
      let rolled = 0
      const model = endpoint(() => rolls[rolled++ % rolls.length] ?? 0, bills)
      const many = aPlugin({
        async direct(ctx) {
          const { messages } = ctx.view
          const sizes = plan[ctx.step % plan.length] ?? []
          await Promise.allSettled(sizes.map((maxTokens) => ctx.model({ purpose: 'research', maxTokens, messages })))
          return ctx.directive
        },
      })
      const { result } = await runOnce({
        model,
        tools: [aCounter('look')],
        modules: { plugins: [many] },
        limits: limit,
        env: { budget: 'strict', limits: { reserve } },
      })
      ends.add(result.reason)

      if (result.status === 'limit') expect(['steps', 'tokens', 'usd']).toContain(result.reason)
      else expect(result.reason ?? 'answered').toMatch(/^(answered|E_MODEL_TRANSPORT)$/)
      expect(bills.most.tokens).toBeLessThanOrEqual(limit.tokens)
      expect(bills.most.usd).toBeLessThanOrEqual(limit.usd + 1e-9)
      expect(result.spent.tokens).toBe(bills.spent.tokens)
      expect(result.spent.usd).toBeCloseTo(bills.spent.usd, 9)
      expect(result.answer === null || result.answer === 'said').toBe(true)
    }),
    { numRuns: 150 },
  )

  expect([...ends]).toEqual(expect.arrayContaining(['steps', 'tokens', 'usd'])) // the runs met them all
})
