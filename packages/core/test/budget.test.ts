import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ModelRequest, Price, Usage } from '../src/index.js'
import { createScriptedModel } from '../src/testkit/index.js'
import { aPlugin, aTool, runOnce } from './one-run.js'

const price: Price = { input: 1, output: 2, source: 'a test', date: '2026-01-01' }
const usage = (inputTokens: number, outputTokens: number): Usage => ({
  inputTokens,
  cachedTokens: 0,
  outputTokens,
  reasoningTokens: 0,
  source: 'known',
})
const look = aTool('look')

test('spent and reserved never exceed the limit, at any moment of any run of an honest model with a strict budget', async () => {
  const limits = fc.record({
    tokens: fc.integer({ min: 500, max: 20_000 }),
    usd: fc.double({ min: 0.001, max: 0.05, noNaN: true }),
    steps: fc.integer({ min: 1, max: 8 }),
  })
  const calls = fc.array(fc.array(fc.integer({ min: 1, max: 600 }), { maxLength: 5 }), { maxLength: 6 })
  const dice = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(
      limits,
      calls,
      dice,
      fc.double({ min: 0, max: 0.4, noNaN: true }),
      async (limit, plan, rolls, reserve) => {
        const most = { tokens: 0, usd: 0 }
        const open = { tokens: 0, usd: 0 }
        const spent = { tokens: 0, usd: 0 }
        let turn = 0
        const roll = (): number => rolls[turn++ % rolls.length] ?? 0
        const bytesOf = (request: ModelRequest): number =>
          Buffer.byteLength(JSON.stringify(request.messages.map(({ content, toolCalls }) => [content, toolCalls])))
        const model = createScriptedModel([], {
          maxOutputTokens: 400,
          price,
          after: async (request) => {
            // An endpoint that bills at most the bytes it got as tokens, and at most the reply it was asked for.
            const input = Math.floor(Math.min(bytesOf(request), 2_000) * roll() * 0.9)
            const output = Math.floor((request.maxTokens ?? 0) * roll())
            const held = { tokens: input + output, usd: (input + output * 2) / 1e6 }
            open.tokens += held.tokens
            open.usd += held.usd
            most.tokens = Math.max(most.tokens, spent.tokens + open.tokens)
            most.usd = Math.max(most.usd, spent.usd + open.usd)
            await new Promise((resolve) => setImmediate(resolve))
            open.tokens -= held.tokens
            open.usd -= held.usd
            spent.tokens += held.tokens
            spent.usd += held.usd
            const calling = request.purpose === 'act' && roll() > 0.2
            return {
              content: 'said',
              ...(calling ? { toolCalls: [{ id: '', name: 'look', arguments: '{}' }] } : {}),
              finish: 'stop',
              usage: usage(input, output),
            }
          },
        })
        const many = aPlugin({
          async direct(ctx) {
            const sizes = plan[ctx.step % Math.max(1, plan.length)] ?? []
            const asked = sizes.map((maxTokens) =>
              ctx.model({ purpose: 'research', maxTokens, messages: ctx.view.messages }),
            )
            await Promise.allSettled(asked)
            return ctx.directive
          },
        })
        const { result } = await runOnce({
          model,
          tools: [look],
          modules: { plugins: [many] },
          limits: limit,
          env: { budget: 'strict', limits: { reserve } },
        })

        expect(['answered', 'limit']).toContain(result.status)
        if (result.status === 'limit') expect(['steps', 'tokens', 'usd']).toContain(result.reason)
        expect(most.tokens).toBeLessThanOrEqual(limit.tokens)
        expect(most.usd).toBeLessThanOrEqual(limit.usd + 1e-9)
        expect(result.spent.tokens).toBe(spent.tokens)
        expect(result.answer === null || result.answer === 'said').toBe(true)
      },
    ),
    { numRuns: 80 },
  )
})
