import { createEnvironment, type Message, type ModelRequest, type RunResult, type Tool } from '@harnesswright/core'
import { assembleModules, createScriptedModel, createVirtualClock, type Script } from '@harnesswright/core/testkit'
import { action, capability, memory, planning } from '@harnesswright/seed-react'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

interface Run {
  /** Characters of the result of each step. */
  readonly chars: readonly number[]
  readonly windowTokens: number
  /** What the model says at last, of what it then sees. */
  readonly last?: (request: ModelRequest) => string
}

/** A run that reads pages, one a step, and then answers. Each page begins with a figure that stands nowhere else. */
async function reading({ chars, windowTokens, last = () => 'done' }: Run) {
  const read: Tool = {
    name: 'read',
    description: 'Reads a page.',
    parameters: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] },
    readOnly: true,
    execute: ({ page }: { page: number }) => `figure ${page * 7} ${'x'.repeat(chars[page - 1] ?? 0)}`,
  }
  const pages = chars.map(
    (_, index): Script => ({ call: 'read', with: { page: index + 1 }, say: `Page ${index + 1}.` }),
  )
  const model = createScriptedModel([...pages, last], { contextWindow: windowTokens })
  const env = createEnvironment({
    model,
    tools: [read],
    clock: createVirtualClock(),
    strict: true,
    limits: { tokens: 1e9 },
  })
  const harness = await assembleModules({ memory, planning, capability, action }, env)
  const result: RunResult = await harness.run('Read the pages.').result
  return { result, requests: model.requests }
}

const resultsOf = ({ messages }: ModelRequest): readonly string[] =>
  messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content))
const isLeftOut = (content: string): boolean => content.includes('left out to save space')

/** What an endpoint refuses: calls without a result right after them, and results without a call. */
function unpaired(messages: readonly Message[]): number {
  let due: readonly string[] = []
  let faults = 0
  for (const { role, callId = '', toolCalls = [] } of messages) {
    if (role === 'tool') {
      faults += due.includes(callId) ? 0 : 1
      due = due.filter((id) => id !== callId)
      continue
    }
    faults += due.length
    due = toolCalls.map(({ id }) => id)
  }
  return faults + due.length
}

describe('a task of ten steps', () => {
  test('K52: has the results of all its steps before it to the end, where the window holds them', async () => {
    const { result, requests } = await reading({
      chars: Array(10).fill(1_500),
      windowTokens: 12_000,
      last: (request) =>
        resultsOf(request)
          .map((content) => /figure (\d+)/.exec(content)?.[1] ?? 'lost')
          .join(' '),
    })

    expect(result.answer).toBe('7 14 21 28 35 42 49 56 63 70')
    for (const request of requests) expect(resultsOf(request).filter(isLeftOut)).toEqual([])
  })

  test('K52: whose window is too small loses the oldest results, at once and not one a step, and never the newest', async () => {
    const { requests } = await reading({ chars: Array(12).fill(1_500), windowTokens: 4_000 })

    const leftOut = requests.map((request) => resultsOf(request).filter(isLeftOut).length)
    for (const request of requests.slice(1)) expect(isLeftOut(resultsOf(request).at(-1) ?? '')).toBe(false)
    expect(leftOut.at(-1)).toBeGreaterThan(0)
    expect(leftOut).toEqual(leftOut.toSorted((a, b) => a - b))
    expect(new Set(leftOut).size).toBeLessThan(leftOut.length / 2)
  })
})

test('K49, K50: however large results are and however small the window, every pair is whole and the system message the first', async () => {
  const chars = fc.array(fc.nat(6_000), { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(chars, fc.integer({ min: 1_000, max: 20_000 }), async (list, windowTokens) => {
      const { result, requests } = await reading({ chars: list, windowTokens })

      expect(result.status).toBe('answered')
      const [system] = requests[0]?.messages ?? []
      for (const { messages } of requests) {
        expect(unpaired(messages)).toBe(0)
        expect(messages[0]).toEqual(system)
        expect(messages[0]?.role).toBe('system')
      }
    }),
    { numRuns: 25 },
  )
}, 30_000)

test('K50: the system message is the same after ten compactions', async () => {
  const { requests } = await reading({ chars: Array(38).fill(3_000), windowTokens: 3_500 })

  const leftOut = requests.map((request) => resultsOf(request).filter(isLeftOut).length)
  expect(new Set(leftOut).size).toBeGreaterThan(10)
  expect(new Set(requests.map(({ messages }) => JSON.stringify(messages[0]))).size).toBe(1)
})

test('K48: a large result is looked at before the next request is sent: that one is cut, and the endpoint sees none that is larger', async () => {
  const { requests } = await reading({ chars: [8_000, 8_000, 8_000, 10], windowTokens: 8_000 })

  const charsOf = (request: ModelRequest) => resultsOf(request).reduce((sum, content) => sum + content.length, 0)
  for (const request of requests) expect(charsOf(request)).toBeLessThan(4 * 8_000)
  expect(requests.map((request) => resultsOf(request).filter(isLeftOut).length > 0)).toContain(true)
})
