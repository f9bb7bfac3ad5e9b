import { createEnvironment, type Json, type RunResult, type Tool } from '@harnesswright/core'
import {
  assembleModules,
  createScriptedModel,
  createVirtualClock,
  type Script,
  type ScriptedModel,
} from '@harnesswright/core/testkit'
import { planning } from '@harnesswright/seed-plan-and-execute'
import { action, memory } from '@harnesswright/seed-react'
import { expect, test } from 'vitest'

const read: Tool = {
  name: 'read',
  description: 'Reads a page.',
  parameters: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] },
  readOnly: true,
  execute: ({ page }: { page: number }) => `page ${page}`,
}

const PLAN = JSON.stringify({
  goals: [
    { id: '1', text: 'read page 1' },
    { id: '2', text: 'read page 2' },
    { id: '3', text: 'check the pages' },
  ],
})
const REVIEW = JSON.stringify({ goals: [{ id: '1', text: 'read page 1', status: 'done' }] })

interface Setup {
  readonly steps: number
  readonly plan?: Script
  readonly review?: Script
  readonly options?: { readonly [name: string]: Json }
}

/** A run in which the model makes a call at each step and answers at the last. */
async function run({
  steps,
  plan = PLAN,
  review = REVIEW,
  options = {},
}: Setup): Promise<{ result: RunResult; model: ScriptedModel }> {
  const acts: Script[] = Array.from({ length: steps - 1 }, (_, page) => ({
    call: 'read',
    with: { page },
    say: `Page ${page}.`,
  }))
  const model = createScriptedModel({ plan: [plan], review: [review], act: [...acts, 'done'] })
  const env = createEnvironment({ model, tools: [read], clock: createVirtualClock(), strict: true })
  const harness = await assembleModules({ memory, planning, action, options: new Map([[planning, options]]) }, env)
  return { result: await harness.run('Read the pages.').result, model }
}

test('the roadmap is asked for once, before the first step, as JSON, with the tools in its request and not on offer', async () => {
  const { model } = await run({ steps: 3 })

  const [first, ...rest] = model.requests
  expect(first).toMatchObject({ purpose: 'plan', schema: { title: 'plan' } })
  expect(first?.tools).toBeUndefined()
  expect(first?.messages.at(-1)?.content).toContain('read: Reads a page.')
  expect(rest.some((request) => request.purpose === 'plan')).toBe(false)
})

test('the roadmap is a note in the history and its current goal the directive, which is not recorded', async () => {
  const { result, model } = await run({ steps: 3 })

  expect(result.messages.filter((message) => message.note === 'plan')).toHaveLength(1)
  expect(result.messages.find((message) => message.note === 'plan')?.content).toContain('2. read page 2 (open)')
  expect(model.requests[1]?.messages.at(-1)?.content).toContain('read page 1')
  expect(
    result.messages.some((message) => message.note === undefined && String(message.content).startsWith('Next on')),
  ).toBe(false)
})

test('the directive carries the typed plan, and a later review does not rewrite what was recorded', async () => {
  const { result } = await run({ steps: 10 })

  expect(result.steps[0]?.directive.plan?.goals[0]?.status).toBe('open')
  expect(result.steps[8]?.directive.plan?.goals[0]?.status).toBe('done')
})

test('a review is made at steps 8 and 16 and takes no step (D15.1)', async () => {
  const { result, model } = await run({ steps: 17 })

  expect(model.requests.filter((request) => request.purpose === 'review')).toHaveLength(2)
  expect(
    result.steps.filter((step) => step.modelCalls.some((call) => call.purpose === 'review')).map((step) => step.index),
  ).toEqual([8, 16])
  expect(result.steps).toHaveLength(17)
})

test('a faithful review takes step 8 and step 16 for itself (D15.1)', async () => {
  const { result } = await run({ steps: 17, options: { faithful: true } })

  const reviews = result.steps.filter((step) => step.modelCalls.some((call) => call.purpose === 'review'))
  expect(reviews.map((step) => [step.index, step.action.kind])).toEqual([
    [8, 'think'],
    [16, 'think'],
  ])
  expect(result.steps).toHaveLength(19)
})

test('a review moves the directive on to the next goal', async () => {
  const { model } = await run({ steps: 10 })

  const acts = model.requests.filter((request) => request.purpose === 'act')
  expect(acts[6]?.messages.at(-1)?.content).toContain('read page 1')
  expect(acts[7]?.messages.at(-1)?.content).toContain('read page 2')
})

test('a roadmap that cannot be read leaves the run without one', async () => {
  const { result } = await run({ steps: 3, plan: 'Well, that is hard to say.' })

  expect(result.status).toBe('answered')
  expect(result.messages.some((message) => message.note === 'plan')).toBe(false)
})

test('a review that cannot be read leaves the roadmap as it was', async () => {
  const { result } = await run({ steps: 10, review: 'All is well.' })

  expect(result.steps[8]?.directive.plan?.goals[0]?.status).toBe('open')
})

test('what a whole short run asks the model', async () => {
  const { model } = await run({ steps: 9 })

  expect(
    model.requests.map(({ purpose, messages, tools }) => ({
      purpose,
      tools: tools?.map((tool) => tool.name),
      messages: messages.map(({ role, content, note }) => [role, String(content).slice(0, 60), note]),
    })),
  ).toMatchSnapshot()
})
