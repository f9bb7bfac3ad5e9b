import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createEnvironment, type Model, type Tool } from '../src/index.js'
import { assembleModules, createVirtualClock } from '../src/testkit/index.js'
import { aPlugin } from './one-run.js'

/** Calls `reflect` once and answers; each reply takes 500 ms of simulated time. */
const model: Model = {
  id: 'slow',
  supports: { tools: true },
  generate: async ({ messages, purpose }) =>
    purpose === 'act' && !messages.some(({ role }) => role === 'tool')
      ? {
          content: '',
          toolCalls: [{ id: 'c', name: 'reflect', arguments: '{}' }],
          finish: 'tool_calls',
          latencyMs: 500,
        }
      : { content: purpose, finish: 'stop', latencyMs: 500 },
}

const reflecting = (execute: (ask: () => Promise<string>) => Promise<string>) =>
  aPlugin({
    tools: (ctx): readonly Tool[] => [
      {
        name: 'reflect',
        description: 'Thinks.',
        parameters: { type: 'object' },
        execute: () =>
          execute(async () => (await ctx.model({ purpose: 'reflect', messages: ctx.view.messages })).content),
      },
    ],
  })

async function runOf(execute: Parameters<typeof reflecting>[0]) {
  const clock = createVirtualClock()
  const harness = await assembleModules({ plugins: [reflecting(execute)] }, createEnvironment({ model, clock }))
  const { status, steps, ms } = await harness.run('Think.').result
  return { status, observed: steps[0]?.observations[0]?.content, ms, busy: clock.busy }
}

test('the tool of a module may ask a model, at once too, and the time of the replies passes', async () => {
  const three = (ask: () => Promise<string>) => Promise.all([ask(), ask(), ask()]).then((all) => all.join())
  const ended = { status: 'answered', busy: 0 }

  expect(await runOf((ask) => ask())).toEqual({ ...ended, observed: 'reflect', ms: 1_500 })
  expect(await runOf(three)).toEqual({ ...ended, observed: 'reflect,reflect,reflect', ms: 1_500 })
  expect(await runOf(async (ask) => (await ask()) + (await ask()))).toMatchObject({ ...ended, ms: 2_000 })
})

test('simulated time stands still while the tool of a module does other work, before and after it asks', async () => {
  const work = async (ask: () => Promise<string>) => {
    await pause(20)
    const said = await ask()
    await pause(20)
    return said
  }

  expect(await runOf(work)).toEqual({ status: 'answered', observed: 'reflect', ms: 1_500, busy: 0 })
})
