import { createEnvironment } from '@harnesswright/core'
import {
  assembleModules,
  createScriptedModel,
  createVirtualClock,
  resumeLaw,
  type Script,
} from '@harnesswright/core/testkit'
import { action, capability, memory } from '@harnesswright/seed-deepagent'
import { expect, test } from 'vitest'
import { final, fold, page, put, read, run, thinking } from './stream.js'

test('what a whole short run asks the model', async () => {
  const long = { ...read, execute: ({ page: number }: { page: number }) => `page ${number} `.repeat(1_000) }
  const { model } = await run({
    script: [{ call: 'tool_search', with: { query: 'reads a page' } }, page(1), 'Hm.', fold, page(2)],
    tools: [long, put],
    capability: { openUpTo: 1 },
  })

  expect(
    model.requests.map(({ purpose, messages, tools }) => ({
      purpose,
      tools: tools?.map(({ name }) => name),
      messages: messages.map(({ role, content, note }) => [role, String(content).slice(0, 60), note]),
    })),
  ).toMatchSnapshot()
})

test('a run goes on from every point as if it had not been interrupted', async () => {
  const long = { ...read, execute: ({ page: number }: { page: number }) => `page ${number} `.repeat(number * 400) }
  const script: readonly Script[] = [page(1), page(2), 'Hm.', fold, page(1), { call: 'put', with: { item: 'a' } }, fold]
  const report = await resumeLaw({
    task: 'Read the pages.',
    async fresh(journal) {
      const model = createScriptedModel([], {
        // A function of its request, so that it says the same wherever a run goes on.
        after: (request) => {
          if (request.purpose === 'fold') return thinking('one')(request)
          if (request.purpose === 'summarise') return 'In short.'
          const folded = request.messages.find(({ note }) => note === 'fold')?.covers?.[1] ?? 0
          const made = folded + request.messages.filter(({ role }) => role === 'assistant').length
          return script[made] ?? final('done')
        },
      })
      const env = createEnvironment({
        model,
        tools: [long, { ...put, idempotent: true }],
        clock: createVirtualClock(),
        strict: true,
        newId: () => 'run',
        journal,
      })
      return { harness: await assembleModules({ memory, capability, action }, env), requests: model.requests }
    },
  })

  expect(report.faults).toEqual([])
  expect(report.points).toBeGreaterThan(15)
})
