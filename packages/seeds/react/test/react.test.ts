import {
  createEnvironment,
  type Json,
  type JsonObject,
  type RunResult,
  type Task,
  type Tool,
} from '@harnesswright/core'
import {
  assembleModules,
  createScriptedModel,
  createVirtualClock,
  type Script,
  type ScriptedModel,
} from '@harnesswright/core/testkit'
import { action, capability, memory, planning } from '@harnesswright/seed-react'
import { expect, test } from 'vitest'

const read: Tool = {
  name: 'read',
  description: 'Reads a page.',
  parameters: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] },
  readOnly: true,
  execute: ({ page }: { page: number }) => `page ${page}: ${'words '.repeat(400)}`,
}
const write: Tool = { ...read, name: 'write', description: 'Writes a page.', readOnly: false, execute: () => 'written' }

interface Setup {
  readonly script: readonly Script[]
  readonly task?: Task
  readonly memoryOptions?: JsonObject
  readonly actionOptions?: JsonObject
  readonly contextWindow?: number
}

async function run(setup: Setup): Promise<{ result: RunResult; model: ScriptedModel }> {
  const { contextWindow, memoryOptions, actionOptions } = setup
  const model = createScriptedModel(setup.script, contextWindow === undefined ? {} : { contextWindow })
  const env = createEnvironment({ model, tools: [read, write], clock: createVirtualClock(), strict: true })
  const options = new Map<typeof memory, { [name: string]: Json }>()
  if (memoryOptions !== undefined) options.set(memory, { ...memoryOptions })
  if (actionOptions !== undefined) options.set(action, { ...actionOptions })
  const harness = await assembleModules({ memory, planning, capability, action, options }, env)
  const result = await harness.run(setup.task ?? { instruction: 'Read the pages.' }).result
  return { result, model }
}

const readPage = (page: number): Script => ({ call: 'read', with: { page }, say: `Reading page ${page}.` })

test('a request is the system prompt, the task and the history, with every tool and the purpose act', async () => {
  const { model } = await run({ script: [readPage(1), 'done'] })

  const [first, second] = model.requests
  expect(first?.purpose).toBe('act')
  expect(first?.tools?.map((tool) => tool.name)).toEqual(['read', 'write'])
  expect(first?.messages.map((message) => message.role)).toEqual(['system', 'user'])
  expect(second?.messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool'])
})

test('an answer without a call ends the run with its words', async () => {
  const { result } = await run({ script: ['It is Tuesday.'] })

  expect(result).toMatchObject({ status: 'answered', answer: 'It is Tuesday.' })
})

test('the answer to a task with an output schema is its value, and text that is no JSON is sent back', async () => {
  const output = { type: 'object', properties: { day: { type: 'string' } } }
  const { result, model } = await run({
    script: ['Tuesday', '{"day":"Tuesday"}'],
    task: { instruction: 'Which day?', output },
  })

  expect(result.answer).toEqual({ day: 'Tuesday' })
  expect(model.requests[1]?.messages.at(-1)?.content).toContain('must be JSON')
})

test('after three answers in a row that cannot be read the model is made to answer (K4)', async () => {
  const output = { type: 'object' }
  const { result, model } = await run({
    script: ['a', 'b', 'c', 'my last word'],
    task: { instruction: 'Which day?', output },
  })

  expect(result).toMatchObject({ status: 'answered', answer: 'my last word' })
  expect(model.requests.map((request) => request.purpose)).toEqual(['act', 'act', 'act', 'finish'])
  expect(model.requests.at(-1)?.tools).toBeUndefined()
})

test('calls of read-only tools are made at once, and one after another when faithful', async () => {
  const script: Script[] = [{ calls: [1, 2].map((page) => ({ call: 'read', with: { page } })) }, 'done']
  const usual = await run({ script })
  const faithful = await run({ script, actionOptions: { faithful: true } })

  expect(usual.result.steps[0]?.action).not.toHaveProperty('mode')
  expect(faithful.result.steps[0]?.action).toMatchObject({ mode: 'serial' })
})

test('one call a reply is asked for when parallel is off', async () => {
  const { model } = await run({ script: ['done'], actionOptions: { parallel: false } })

  expect(model.requests[0]?.parallelToolCalls).toBe(false)
})

test('near the end of the window the oldest observations become placeholders, and the newest stays whole', async () => {
  const { result, model } = await run({
    script: [...Array.from({ length: 12 }, (_, page) => readPage(page)), 'done'],
    contextWindow: 6_000,
  })

  expect(result.status).toBe('answered')
  const results = model.requests.at(-1)?.messages.filter((message) => message.role === 'tool') ?? []
  expect(results).toHaveLength(12)
  expect(results[0]?.content).toContain('was left out to save space')
  expect(results.at(-1)?.content).toContain('page 11: words')
})

test('what was left out stays out: the cut does not move at every step', async () => {
  const { model } = await run({
    script: [...Array.from({ length: 12 }, (_, page) => readPage(page)), 'done'],
    contextWindow: 6_000,
  })

  const cuts = model.requests.map(
    (request) => request.messages.filter((message) => String(message.content).includes('left out')).length,
  )
  expect(cuts).toEqual(cuts.toSorted((a, b) => a - b))
  expect(new Set(cuts).size).toBeLessThan(8)
})

test('the faithful memory leaves nothing out', async () => {
  const { model } = await run({
    script: [...Array.from({ length: 12 }, (_, page) => readPage(page)), 'done'],
    contextWindow: 6_000,
    memoryOptions: { faithful: true },
  })

  expect(model.requests.at(-1)?.messages.some((message) => String(message.content).includes('left out'))).toBe(false)
})

test('what a whole short run asks the model', async () => {
  const { model } = await run({
    script: [readPage(1), { call: 'write', with: { page: 2 }, say: 'Writing.' }, 'All done.'],
  })

  expect(
    model.requests.map(({ purpose, messages, tools }) => ({
      purpose,
      tools: tools?.map((tool) => tool.name),
      messages: messages.map(({ role, content, toolCalls }) => [
        role,
        String(content).slice(0, 60),
        toolCalls?.map((call) => call.name),
      ]),
    })),
  ).toMatchSnapshot()
})
