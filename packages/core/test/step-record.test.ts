import { expect, test } from 'vitest'
import { type Action, defineModule, type Step } from '../src/index.js'
import { createScriptedModel } from '../src/testkit/index.js'
import { aPlugin, aTool, runOnce } from './one-run.js'

test('a step holds the calls and the notes that modules made while they recorded it, in the result and at its checkpoint', async () => {
  const durable: Step[] = []
  const judge = aPlugin({
    async record(_step, ctx) {
      const { content } = await ctx.model({ purpose: 'judge', messages: ctx.head })
      ctx.note('review', content)
    },
    checkpoint({ delta }) {
      if (delta.step !== undefined) durable.push(delta.step)
    },
  })
  const model = createScriptedModel({ act: ['done'], judge: ['Good.'] })
  const { result } = await runOnce({ model, modules: { plugins: [judge] } })

  expect(result.steps[0]?.modelCalls.map(({ purpose, by }) => [purpose, by])).toEqual([
    ['act', 'action.0'],
    ['judge', 'plugin.0'],
  ])
  expect(durable).toEqual(result.steps)
  expect(durable[0]?.messages.at(-1)).toMatchObject({ note: 'review', content: 'Good.', id: '1.1', step: 1 })
})

test('the time of a step counts what modules took to record it', async () => {
  const model = createScriptedModel({
    act: ['done'],
    judge: [{ content: 'Good.', finish: 'stop', latencyMs: 300 }],
  })
  const judge = aPlugin({
    async record(_step, ctx) {
      await ctx.model({ purpose: 'judge', messages: ctx.head })
    },
  })
  const { result } = await runOnce({ model, modules: { plugins: [judge] } })

  expect(result.steps[0]?.ms).toBe(300)
})

const wire = { codec: 'marker', content: '<raw>' }

test('the raw text of a reply is kept with its message only where all its calls are', async () => {
  const taking = (count: number) =>
    defineModule({
      slot: 'action',
      summary: 'Takes the first calls of a reply.',
      async act(ctx): Promise<Action> {
        if (ctx.last !== undefined) return { kind: 'answer', answer: 'done' }
        const reply = await ctx.model({ purpose: 'act', messages: ctx.view.messages })
        return { kind: 'call', reply: { ...reply, wire }, calls: reply.toolCalls.slice(0, count) }
      },
    })
  const wireOf = async (count: number) => {
    const { result } = await runOnce({
      tools: [aTool('look'), aTool('find')],
      script: [{ calls: [{ call: 'look' }, { call: 'find' }] }],
      modules: { action: taking(count) },
    })
    return result.steps[0]?.messages[0]?.wire
  }

  expect(await wireOf(2)).toEqual(wire)
  expect(await wireOf(1)).toBeUndefined()
})
