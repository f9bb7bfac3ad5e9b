// What an author writes into a package that was just created: a memory, and what it must do.

export const MEMORY = `import { defineModule, type Message, type Module } from '@harnesswright/core'
import * as z from 'zod'

/** Shortens what tools said in steps long past. */
export const memory: Module = defineModule({
  slot: 'memory',
  summary: 'Shortens what tools said in steps long past; for long runs whose newest results matter.',
  options: z.strictObject({
    fresh: z.int().min(1).max(50).default(3).describe('Steps whose results stay whole.'),
    chars: z.int().min(20).max(10_000).default(200).describe('Characters that are kept of an older result.'),
  }),
  prompts: { cut: '… ({{chars}} more characters)' },
  view(ctx) {
    const { chars, fresh } = ctx.options
    const shorten = (message: Message): Message => {
      const { role, content, step } = message
      const isOld = role === 'tool' && step !== undefined && step <= ctx.history.length - fresh
      if (!isOld || typeof content !== 'string' || content.length <= chars) return message
      return { ...message, content: content.slice(0, chars) + ctx.prompt('cut', { chars: content.length - chars }) }
    }
    return { messages: ctx.view.messages.map(shorten) }
  },
})
`

export const MEMORY_TEST = `import { expect, test } from 'vitest'
import { memory } from '../src/memory.js'
import { runWith } from './run-with.js'

test('old results are shortened, new ones stay', async () => {
  const { requests } = await runWith({ memory, options: new Map([[memory, { fresh: 2 }]]) }, { steps: 6 })

  const told = requests.at(-1)?.messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content).length)
  expect(told).toEqual([223, 223, 223, 1_000, 1_000])
})
`

/** A harness of modules of three packages: the author's, and two seeds. */
export function manifestWith(name) {
  return {
    protocol: 1,
    name: 'own-words-in-a-plan',
    packages: {
      [name]: '^0.1.0',
      '@harnesswright/seed-plan-and-execute': '>=0.1.0',
      '@harnesswright/seed-react': '>=0.1.0',
    },
    memory: { use: `${name}#memory`, with: { fresh: 2 } },
    planning: { use: '@harnesswright/seed-plan-and-execute#planning' },
    capability: { use: '@harnesswright/seed-react#capability' },
    action: { use: '@harnesswright/seed-react#action' },
  }
}
