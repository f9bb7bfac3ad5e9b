import {
  createEnvironment,
  HarnessError,
  type JsonObject,
  type ModelRequest,
  type RunResult,
  type Tool,
} from '@harnesswright/core'
import { assembleModules, createScriptedModel, createVirtualClock, type Script } from '@harnesswright/core/testkit'
import { action, memory } from '@harnesswright/seed-react'
import { expect, test } from 'vitest'

const read: Tool = {
  name: 'read',
  description: 'Reads a page.',
  parameters: { type: 'object', properties: { page: { type: 'integer' }, chars: { type: 'integer' } } },
  readOnly: true,
  execute: ({ page, chars }: { page: number; chars: number }) => `page ${page}: ${'x'.repeat(chars)}`,
}

const charsOf = ({ messages }: ModelRequest): number =>
  messages.reduce((sum, { content }) => sum + String(content).length, 0)

/** A run on an endpoint whose window is not known, and that refuses requests above a size. */
async function run(pages: readonly number[], mostChars: number, options: JsonObject = {}, task = 'Read the pages.') {
  const sent: number[] = []
  let acts = 0
  const script = (request: ModelRequest): Script => {
    sent.push(charsOf(request))
    if (charsOf(request) > mostChars) return new HarnessError('E_MODEL_CONTEXT_OVERFLOW')
    const chars = pages[acts++]
    return chars === undefined ? 'done' : { call: 'read', with: { page: acts, chars } }
  }
  const env = createEnvironment({
    model: createScriptedModel([], { after: script }),
    tools: [read],
    clock: createVirtualClock(),
    strict: true,
  })
  const harness = await assembleModules({ memory, action, options: new Map([[memory, { ...options }]]) }, env)
  const result: RunResult = await harness.run(task).result
  return { result, sent }
}

test('a request that is larger than the window is made once more, smaller, and the run goes on (K48)', async () => {
  const { result, sent } = await run([3_000, 3_000, 3_000, 3_000], 10_000)

  expect(result).toMatchObject({ status: 'answered', answer: 'done' })
  const refused = sent.findIndex((chars) => chars > 10_000)
  expect(refused).toBeGreaterThan(0)
  expect(sent[refused + 1]).toBeLessThan((sent[refused] ?? 0) * 0.7)
  expect(sent.filter((chars) => chars > 10_000)).toHaveLength(1)
})

test('one result that is larger than the window keeps its head and tail, and the run goes on', async () => {
  const { result, sent } = await run([30_000], 10_000)

  expect(result).toMatchObject({ status: 'answered', answer: 'done' })
  expect(sent.filter((chars) => chars > 10_000)).toHaveLength(1)
  expect(sent.at(-1)).toBeLessThan(8_000)
  const [step] = result.steps
  expect(step?.observations[0]?.content.length).toBeGreaterThan(20_000) // the history has it whole
})

test('a request that cannot be made smaller ends the run as context_overflow after one try', async () => {
  const { result, sent } = await run([], 10_000, {}, 'x'.repeat(20_000))

  expect(result).toMatchObject({ status: 'limit', reason: 'context_overflow' })
  expect(sent.filter((chars) => chars > 10_000)).toHaveLength(1)
})

test('the faithful memory makes nothing smaller', async () => {
  const { result, sent } = await run([3_000, 3_000, 3_000, 3_000], 10_000, { faithful: true })

  expect(result).toMatchObject({ status: 'limit', reason: 'context_overflow' })
  expect(sent.filter((chars) => chars > 10_000)).toHaveLength(1)
})

test('a request that is still too large ends the run', async () => {
  const { result } = await run([2_000, 2_000, 9_900], 2_000)

  expect(result).toMatchObject({ status: 'limit', reason: 'context_overflow' })
})
