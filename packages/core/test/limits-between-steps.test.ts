import { describe, expect, test } from 'vitest'
import { defineModule, type Price, type Usage } from '../src/index.js'
import { createScriptedModel, createVirtualClock } from '../src/testkit/index.js'
import { aCounter, aPlugin, runOnce } from './one-run.js'

const price: Price = { input: 1, output: 1, source: 'a test', date: '2026-01-01' }
const usage: Usage = { inputTokens: 960, cachedTokens: 0, outputTokens: 0, reasoningTokens: 0, source: 'known' }

/** An agent that looks for ever, and asks no model. */
const untiring = defineModule({
  slot: 'action',
  summary: 'Looks for ever.',
  act: () => ({ kind: 'call', calls: [{ id: '', name: 'look', arguments: '{}' }] }),
})

describe('an agent that asks no model begins no further step', () => {
  /** Asks the model once, when the second step is done, and it takes more than was thought. */
  const spender = aPlugin({
    async record(step, ctx) {
      if (step.index === 2) await ctx.model({ purpose: 'judge', messages: ctx.head, maxTokens: 10 })
    },
  })
  const spending = {
    tools: [aCounter('look')],
    model: createScriptedModel(['good'], { usage, price }),
    modules: { action: untiring, plugins: [spender] },
  }

  test('when the tokens that are not kept aside are used up', async () => {
    const { result } = await runOnce({ ...spending, limits: { tokens: 1_000 } })

    expect(result).toMatchObject({ status: 'limit', reason: 'tokens', spent: { steps: 2 } })
  })

  test('when the money that is not kept aside is used up', async () => {
    const { result } = await runOnce({ ...spending, limits: { usd: 0.001 } })

    expect(result).toMatchObject({ status: 'limit', reason: 'usd', spent: { steps: 2 } })
  })

  test('when the time is up', async () => {
    const { result } = await runOnce({
      tools: [aCounter('look', { latencyMs: 400 })],
      modules: { action: untiring },
      limits: { ms: 1_000 },
    })

    expect(result).toMatchObject({ status: 'limit', reason: 'ms', ms: 1_000, spent: { steps: 3 } })
  })
})

test('a request gets the time that the ones before it left, and no more', async () => {
  const { result } = await runOnce({
    tools: [aCounter('look')],
    script: [
      { content: '', toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }], finish: 'tool_calls', latencyMs: 600 },
      { content: 'too late', finish: 'stop', latencyMs: 600 },
    ],
    limits: { ms: 1_000 },
  })

  expect(result).toMatchObject({ status: 'limit', reason: 'ms', ms: 1_000 })
})

test('no time is left, and not less than none, where a module took more than there was', async () => {
  const clock = createVirtualClock()
  const left: number[] = []
  const slow = aPlugin({
    record: () => clock.sleep(5_000),
    finish(_reason, ctx) {
      left.push(ctx.left.ms)
      return undefined
    },
  })
  const { result } = await runOnce({
    tools: [aCounter('look')],
    modules: { action: untiring, plugins: [slow] },
    limits: { ms: 1_000 },
    env: { clock },
  })

  expect(result).toMatchObject({ status: 'limit', reason: 'ms' })
  expect(left).toEqual([0])
})
