import {
  createEnvironment,
  defineModule,
  type JsonObject,
  type ModelRequest,
  type Module,
  type Tool,
} from '@harnesswright/core'
import { assembleModules, createScriptedModel, createVirtualClock, type Script } from '@harnesswright/core/testkit'
import { action, window } from '@harnesswright/seed-react'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

/** Characters of a page. */
const PAGE_CHARS = 2_400

const read: Tool = {
  name: 'read',
  description: 'Reads a page.',
  parameters: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] },
  readOnly: true,
  execute: ({ page }: { page: number }) =>
    `Case C-${page * 7} of 09:30 in files/c${page}.txt. `.padEnd(PAGE_CHARS, 'words '),
}

interface Setup {
  readonly pages: number
  readonly windowTokens?: number
  readonly options?: JsonObject
  /** Memories around the window. */
  readonly before?: Module
  readonly after?: Module
}

async function run({ pages, windowTokens, options = {}, before, after }: Setup) {
  const acts = Array.from({ length: pages }, (_, index): Script => {
    return { call: 'read', with: { page: index + 1 }, say: `Reading page ${index + 1}.` }
  })
  const model = createScriptedModel(
    [...acts, 'done'],
    windowTokens === undefined ? {} : { contextWindow: windowTokens },
  )
  const env = createEnvironment({ model, tools: [read], clock: createVirtualClock(), strict: true })
  const memory = [before, window, after].filter((module) => module !== undefined)
  const harness = await assembleModules({ memory, action, options: new Map([[window, { ...options }]]) }, env)
  const result = await harness.run('Read the pages.').result
  return { result, requests: model.requests }
}

const resultsOf = (request: ModelRequest | undefined): readonly string[] =>
  (request?.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => String(content))
const leftOut = (request: ModelRequest | undefined): readonly string[] =>
  resultsOf(request).filter((content) => content.includes('left out to save space'))

describe('the window', () => {
  test('leaves the oldest results out first, keeps their identifiers, and says how they can be had again', async () => {
    const { result, requests } = await run({ pages: 12, windowTokens: 8_000 })

    expect(result.status).toBe('answered')
    const [first, ...others] = resultsOf(requests.at(-1))
    expect(first).toBe(
      '[The result of read was left out to save space. It named C-7, files/c1.txt. Call it again if it is needed.]',
    )
    expect(others.at(-1)).toContain('Case C-84')
    const places = resultsOf(requests.at(-1)).map((content) => content.includes('left out'))
    expect(places).toEqual(places.toSorted((a, b) => Number(b) - Number(a)))
  })

  test('keeps calls with their arguments, and what the model said', async () => {
    const { requests } = await run({ pages: 12, windowTokens: 8_000 })

    const said = requests.at(-1)?.messages.filter(({ role }) => role === 'assistant') ?? []
    expect(said.map(({ content }) => content)).toEqual(
      Array.from({ length: 12 }, (_, index) => `Reading page ${index + 1}.`),
    )
    expect(said.map(({ toolCalls }) => toolCalls?.[0]?.arguments)).toContain('{"page":1}')
  })

  test('is the smaller one of its option and 0.6 of the context window', async () => {
    const [small, large, unknown] = await Promise.all([
      run({ pages: 12, windowTokens: 8_000, options: { budgetTokens: 1_000_000 } }),
      run({ pages: 12, windowTokens: 1_000_000, options: { budgetTokens: 4_800 } }),
      run({ pages: 12, options: { budgetTokens: 4_800 } }),
    ])

    expect(leftOut(small.requests.at(-1)).length).toBeGreaterThan(0)
    expect(large.requests.map(resultsOf)).toEqual(small.requests.map(resultsOf))
    expect(unknown.requests.map(resultsOf)).toEqual(small.requests.map(resultsOf))
  })

  test('leaves nothing out of what fits', async () => {
    const { requests } = await run({ pages: 5, windowTokens: 100_000 })

    expect(leftOut(requests.at(-1))).toEqual([])
  })

  test('keeps as many identifiers as its option says, and none without a word of them', async () => {
    const [one, none] = await Promise.all([
      run({ pages: 12, windowTokens: 8_000, options: { identifiers: 1 } }),
      run({ pages: 12, windowTokens: 8_000, options: { identifiers: 0 } }),
    ])

    expect(resultsOf(one.requests.at(-1))[0]).toContain('It named C-7. Call')
    expect(resultsOf(none.requests.at(-1))[0]).toBe(
      '[The result of read was left out to save space. Call it again if it is needed.]',
    )
  })

  test('what was left out stays out, and the cut does not move at every step', async () => {
    const { requests } = await run({ pages: 20, windowTokens: 12_000 })

    const counts = requests.map((request) => leftOut(request).length)
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(new Set(counts).size).toBeLessThan(counts.length / 2)
  })
})

/** Another memory: it puts the first two steps into one message. */
const covering: Module = defineModule({
  slot: 'memory',
  summary: 'Covers steps 1 and 2.',
  view(ctx) {
    const { messages } = ctx.view
    if (ctx.history.length < 2) return { messages }
    const rest = messages.slice(ctx.head.length).filter(({ step = 9 }) => step > 2)
    return {
      messages: [
        ...messages.slice(0, ctx.head.length),
        { role: 'user', content: 'Two pages.', covers: [1, 2] },
        ...rest,
      ],
    }
  },
})

describe('beside another memory', () => {
  test.each([['before'], ['after']] as const)(
    'that stands %s it the window does its part and brings nothing back',
    async (place) => {
      const { result, requests } = await run({ pages: 12, windowTokens: 8_000, [place]: covering })

      expect(result.status).toBe('answered')
      const last = requests.at(-1)
      expect(last?.messages.map(({ content }) => content)).toContain('Two pages.')
      expect(last?.messages.some(({ step }) => step === 1 || step === 2)).toBe(false)
      expect(leftOut(last).length).toBeGreaterThan(0)
    },
  )
})

test('K49: whatever the budget is, calls keep their results and the view is no larger than it was', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1_000, max: 20_000 }),
      fc.integer({ min: 1, max: 14 }),
      async (tokens, pages) => {
        const { result, requests } = await run({ pages, options: { budgetTokens: tokens } })

        expect(result.status).toBe('answered') // strict: a view with a half step would have been refused
        for (const request of requests) expect(resultsOf(request).every((text) => text.length <= PAGE_CHARS)).toBe(true)
      },
    ),
    { numRuns: 20 },
  )
})
