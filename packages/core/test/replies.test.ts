import { describe, expect, test } from 'vitest'
import type { ModelResponse } from '../src/index.js'
import { createScriptedModel } from '../src/testkit/index.js'
import { aPlugin, runOnce } from './one-run.js'

/** Asks for a plan of at most so many tokens. */
const planning = (maxTokens: number) =>
  aPlugin({
    async direct(ctx) {
      await ctx.model({ purpose: 'plan', messages: ctx.head, maxTokens })
      return ctx.directive
    },
  })

describe('the longest reply that a model is asked for', () => {
  test('is that of the request, else that of the model, else 4,096 tokens', async () => {
    const asked = async (maxOutputTokens?: number) => {
      const model = createScriptedModel(['done'], maxOutputTokens === undefined ? {} : { maxOutputTokens })
      const { requests } = await runOnce({ model, modules: { plugins: [planning(50)] } })
      return requests.map(({ purpose, maxTokens }) => [purpose, maxTokens])
    }

    expect(await asked(700)).toEqual([
      ['plan', 50],
      ['act', 700],
    ])
    expect(await asked()).toEqual([
      ['plan', 50],
      ['act', 4_096],
    ])
  })

  test('is what is left of the tokens where that is less', async () => {
    const model = createScriptedModel(['done'], { maxOutputTokens: 5_000 })
    const { requests } = await runOnce({ model, limits: { tokens: 1_000 }, env: { limits: { reserve: 0 } } })

    expect(requests[0]?.maxTokens).toBeLessThan(1_000)
    expect(requests[0]?.maxTokens).toBeGreaterThan(800)
  })
})

// As endpoints and plugins send them, whatever the type says.
const unreadable = [
  { content: 5, finish: 'stop' },
  { content: [{ type: 'text', text: 'hi' }], finish: 'stop' },
  { content: '', toolCalls: 'none', finish: 'stop' },
  { content: '', toolCalls: [null], finish: 'tool_calls' },
  null,
] as unknown as readonly ModelResponse[]

test.each(unreadable)(
  'a response that cannot be read, as %j, is a failure of the model and gives back what it reserved',
  async (response) => {
    const seen: unknown[] = []
    const plugin = aPlugin({
      async direct(ctx) {
        const before = ctx.left.tokens
        const failure = ctx.model({ purpose: 'plan', messages: ctx.head }).catch((error) => error)
        seen.push(await failure, before - ctx.left.tokens)
        return ctx.directive
      },
    })
    const scripted = createScriptedModel(['done'])
    const generate: typeof scripted.generate = (request, options) =>
      request.purpose === 'plan' ? Promise.resolve(response) : scripted.generate(request, options)
    const { result } = await runOnce({ model: { ...scripted, generate }, modules: { plugins: [plugin] } })

    expect(result.status).toBe('answered')
    expect(seen).toEqual([expect.objectContaining({ code: 'E_MODEL_TRANSPORT' }), 0])
  },
)

test('a response whose usage, calls or content are null is one that does not tell them', async () => {
  const response = { content: 'done', toolCalls: null, usage: null, finish: 'stop' } as unknown as ModelResponse
  const { result } = await runOnce({ model: { ...createScriptedModel([]), generate: async () => response } })

  expect(result).toMatchObject({ status: 'answered', answer: 'done', spent: { partial: true } })
})
