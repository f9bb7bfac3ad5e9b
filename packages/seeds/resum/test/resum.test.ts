import {
  createEnvironment,
  HarnessError,
  type Json,
  type Message,
  type ModelRequest,
  type Module,
  type RunResult,
  type Tool,
} from '@harnesswright/core'
import {
  assembleModules,
  createScriptedModel,
  createVirtualClock,
  resumeLaw,
  type Script,
  type ScriptedModel,
} from '@harnesswright/core/testkit'
import { planning } from '@harnesswright/seed-plan-and-execute'
import { action, memory as guard, window } from '@harnesswright/seed-react'
import { memory } from '@harnesswright/seed-resum'
import { describe, expect, test } from 'vitest'

const read: Tool = {
  name: 'read',
  description: 'Reads a page.',
  parameters: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] },
  readOnly: true,
  idempotent: true,
  execute: ({ page }: { page: number }) => `Case C-${page + 100} on page ${page}. `.padEnd(4_000, 'words '),
}

const PLAN = JSON.stringify({
  goals: ['read all pages', 'say what is on them'].map((text, at) => ({ id: `${at + 1}`, text })),
})

interface Setup {
  readonly pages: number
  readonly options?: { readonly [name: string]: Json }
  readonly summarise?: readonly Script[]
  readonly windowTokens?: number
  readonly withPlan?: boolean
  /** Memories beside this one, in order; `memory` stands for it. */
  readonly memories?: readonly Module[]
  /** What the model says when it acts after so many steps, instead of reading the next page. */
  readonly instead?: (step: number, request: ModelRequest) => Script | undefined
}

interface Ran {
  readonly result: RunResult
  readonly model: ScriptedModel
  readonly acts: readonly ModelRequest[]
  readonly summaries: readonly ModelRequest[]
}

/** A run that reads pages, one a step, and then answers. A character is a token, so that sizes are exact. */
async function run({
  pages,
  options = {},
  summarise,
  windowTokens,
  memories = [memory],
  ...rest
}: Setup): Promise<Ran> {
  let step = 0
  const act = (request: ModelRequest): Script => {
    step++
    const other = rest.instead?.(step, request)
    if (other !== undefined) return other
    return step > pages ? 'done' : { call: 'read', with: { page: step }, say: `On page ${step} is C-${step + 100}.` }
  }
  let made = 0
  const model = createScriptedModel(
    {
      plan: [PLAN],
      review: ['fine'],
      act: [act],
      finish: ['the end'],
      summarise: summarise ?? [() => `<summary>Summary ${++made}.</summary>`],
    },
    windowTokens === undefined ? {} : { contextWindow: windowTokens },
  )
  const env = createEnvironment({
    model,
    tools: [read],
    clock: createVirtualClock(),
    strict: true,
    countTokens: (text) => text.length,
    limits: { steps: 100, tokens: 1e9 },
  })
  const parts = { memory: memories, action, options: new Map([[memory, options]]) }
  const harness = await assembleModules(rest.withPlan === true ? { ...parts, planning } : parts, env)
  const result = await harness.run('Read the pages.').result
  const of = (purpose: string) => model.requests.filter((request) => request.purpose === purpose)
  return { result, model, acts: of('act'), summaries: of('summarise') }
}

const sizeOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, { content, callId = '', toolCalls }) => {
    return (
      sum +
      4 +
      String(content).length +
      callId.length +
      (toolCalls === undefined ? 0 : JSON.stringify(toolCalls).length)
    )
  }, 0)
const contents = ({ messages }: ModelRequest) => messages.map(({ content }) => String(content))
const summaryIn = (request: ModelRequest | undefined) => request?.messages.find(({ note }) => note === 'summary')

describe('a summary is made', () => {
  test('when the view crosses 28,591 tokens, and not before (D15.3)', async () => {
    const { summaries, acts } = await run({ pages: 9 })

    const [first] = summaries
    const view = first?.messages.slice(0, -1) ?? [] // the last message asks for the summary
    const after = acts.findIndex((request) => summaryIn(request) !== undefined)
    const kept = acts[after]?.messages.filter(({ step }) => step !== undefined) ?? []
    expect(sizeOf([...view, ...kept])).toBeGreaterThan(28_591)
    for (const request of acts) expect(sizeOf(request.messages)).toBeLessThanOrEqual(28_591)
    expect(sizeOf(acts[after - 1]?.messages ?? [])).toBeGreaterThan(28_591 - 4_200)
    expect(summaries).toHaveLength(1)
  })

  test('at a share of 0.6 of the context window where that is less than the budget', async () => {
    const { acts, summaries } = await run({ pages: 9, windowTokens: 20_000 })

    expect(summaries.length).toBeGreaterThan(1)
    for (const request of acts) expect(sizeOf(request.messages)).toBeLessThanOrEqual(0.9 * 0.6 * 20_000)
  })

  test('never for a run that fits, but for the faithful memory, which makes one every fourth round', async () => {
    const usual = await run({ pages: 6 })
    const faithful = await run({ pages: 9, options: { faithful: true } })

    expect(usual.summaries).toEqual([])
    expect(faithful.summaries).toHaveLength(2)
    expect(faithful.acts.findIndex((request) => summaryIn(request) !== undefined)).toBe(4)
  })

  test('with the purpose summarise, without tools, from the view as the model knows it and one more message', async () => {
    const { acts, summaries } = await run({ pages: 9 })

    const [request] = summaries
    expect(request?.tools).toBeUndefined()
    expect(request?.messages.at(-1)?.content).toContain('between <summary> and </summary>')
    const before = acts.find((act) => act.messages.length >= (request?.messages.length ?? 0) - 1)?.messages
    expect(request?.messages.slice(0, -1)).toEqual(before?.slice(0, (request?.messages.length ?? 0) - 1))
  })

  test('of the one before and the steps since, when there is one', async () => {
    const { summaries } = await run({ pages: 20 })

    const [first, second] = summaries.map(contents)
    expect(first?.at(-1)).toContain('The steps so far')
    expect(second?.at(-1)).toContain('Bring your summary up to date')
    expect(second?.some((content) => content.includes('Summary 1.'))).toBe(true)
    expect(second?.some((content) => content.startsWith('Case C-101'))).toBe(false)
  })
})

describe('after it the view', () => {
  test('is the head, the summary between its tags, and the newest steps as they were', async () => {
    const { acts } = await run({ pages: 9 })

    const anew = acts.find((request) => summaryIn(request) !== undefined)
    expect(anew?.messages.map(({ role, step }) => [role, step])).toEqual([
      ['system', undefined],
      ['user', undefined],
      ['user', undefined],
      ['assistant', 6],
      ['tool', 6],
      ['assistant', 7],
      ['tool', 7],
    ])
    expect(summaryIn(anew)).toMatchObject({ covers: [1, 5] })
    expect(summaryIn(anew)?.content).toContain('<summary>\nSummary 1.\n</summary>')
  })

  test('is the head and one message with the faithful memory (D15.3)', async () => {
    const { acts } = await run({ pages: 9, options: { faithful: true } })

    const anew = acts.find((request) => summaryIn(request) !== undefined)
    expect(anew?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'user'])
    expect(summaryIn(anew)?.content).toBe('<summary>\nSummary 1.\n</summary>')
  })

  test('still has the plan and its last review, which the faithful memory loses', async () => {
    const [usual, faithful] = await Promise.all([
      run({ pages: 20, withPlan: true }),
      run({ pages: 20, withPlan: true, options: { faithful: true } }),
    ])

    const notes = (ran: Ran) => ran.acts.at(-1)?.messages.flatMap(({ note }) => (note === undefined ? [] : [note]))
    expect(notes(usual)).toEqual(['plan', 'summary'])
    expect(notes(faithful)).toEqual(['summary'])
  })

  test('carries over what the model had said of identifiers that the summary lost', async () => {
    const summarise: Script[] = ['<summary>On page 2 is C-102.</summary>']
    const { acts } = await run({ pages: 9, summarise })

    const summary = String(summaryIn(acts.at(-1))?.content)
    expect(summary).toContain('Said before, and not in the summary:\nOn page 1 is C-101.\nOn page 3 is C-103.\n')
    expect(summary.match(/C-102/g)).toHaveLength(1)
  })

  test('warns of identifiers that the summary made up', async () => {
    const { acts } = await run({ pages: 9, summarise: ['<summary>C-101 to C-105, and C-555.</summary>'] })

    expect(summaryIn(acts.at(-1))?.content).toContain(
      'Not found in the steps that the summary is of, so check before you rely on it: C-555',
    )
  })

  test('keeps across many summaries what the first of them lost', async () => {
    const { acts } = await run({ pages: 40, summarise: ['<summary>Pages were read.</summary>'] })

    expect(summaryIn(acts.at(-1))?.content).toContain('On page 1 is C-101.')
    expect(sizeOf(acts.at(-1)?.messages ?? [])).toBeLessThanOrEqual(28_591)
  })

  test('names where the steps can be reread, and they can', async () => {
    const instead = (step: number): Script | undefined =>
      step === 9 ? { call: 'reread', with: { id: 'a1' } } : undefined
    const { result, acts } = await run({ pages: 10, instead })

    expect(summaryIn(acts.at(-1))?.content).toContain('The steps themselves are kept, for reread: a1 (steps 1 to 5)')
    const [observation] = result.steps[8]?.observations ?? []
    expect(observation).toMatchObject({ ok: true, tool: 'reread' })
    expect(observation?.content).toMatch(
      /^\[Step 1\]\nOn page 1 is C-101\.\nCall of read with \{"page":1\}\nResult of read: Case C-101 on page 1\./,
    )
    expect(result.artifacts).toEqual(['a1'])
  })
})

describe('a summary that cannot be had', () => {
  const EMPTY: Script = '<summary></summary>'

  test('K47: because it is empty, changes nothing, and is asked for again (D15.3)', async () => {
    const { result, acts, summaries } = await run({ pages: 9, summarise: [EMPTY] })

    expect(result.status).toBe('answered')
    expect(acts.some((request) => summaryIn(request) !== undefined)).toBe(false)
    expect(contents(acts.at(-1) as ModelRequest).filter((content) => content.startsWith('Case'))).toHaveLength(9)
    expect(summaries.length).toBeGreaterThan(1)
  })

  test('K47: is asked for ever more seldom', async () => {
    const { summaries } = await run({ pages: 60, summarise: [EMPTY] })

    expect(summaries.length).toBeGreaterThan(4)
    expect(summaries.length).toBeLessThan(14)
  })

  test('because the endpoint refuses it, changes nothing', async () => {
    const refused = new HarnessError('E_MODEL_BAD_REQUEST', { message: 'no' })
    const { result, acts } = await run({ pages: 9, summarise: [refused] })

    expect(result.status).toBe('answered')
    expect(acts.some((request) => summaryIn(request) !== undefined)).toBe(false)
  })

  test('leaves it to the guard of the window to keep the run going', async () => {
    const { result, acts } = await run({
      pages: 12,
      summarise: [EMPTY],
      windowTokens: 30_000,
      memories: [memory, guard],
    })

    expect(result.status).toBe('answered')
    expect(contents(acts.at(-1) as ModelRequest).some((content) => content.includes('left out to save space'))).toBe(
      true,
    )
    expect(sizeOf(acts.at(-1)?.messages ?? [])).toBeLessThan(30_000)
  })
})

describe('a request that was larger than the window', () => {
  test('is made again from a summary, whatever the budget', async () => {
    let refused = 0
    const instead = (step: number): Script | undefined => {
      if (step !== 5) return undefined
      refused++
      return new HarnessError('E_MODEL_CONTEXT_OVERFLOW')
    }
    const { result, acts } = await run({ pages: 8, instead })

    expect(refused).toBe(1)
    expect(result.status).toBe('answered')
    expect(summaryIn(acts[5])).toMatchObject({ covers: [1, 2] })
  })
})

test('K50, K51: the system message is the first and the same after ten summaries', async () => {
  const { model, summaries } = await run({ pages: 60 })

  expect(summaries.length).toBeGreaterThan(10)
  const [system] = model.requests[0]?.messages ?? []
  for (const { messages } of model.requests) {
    expect(messages[0]).toEqual(system)
    expect(messages.filter(({ role }) => role === 'system')).toHaveLength(1)
    expect(messages[1]?.content).toBe('Read the pages.')
  }
})

test('K52: the result of the step before is in every request, whole, and a run of ten short steps has no summary', async () => {
  const { acts } = await run({ pages: 30 })
  const ten = await run({ pages: 10, options: { budgetTokens: 60_000 } })

  for (const [index, request] of acts.entries())
    if (index > 0) expect(contents(request).at(-1)).toMatch(new RegExp(`^Case C-${index + 100} `))
  expect(ten.summaries).toEqual([])
})

describe('beside another memory', () => {
  test.each([
    ['after it', [memory, window]],
    ['before it', [window, memory]],
  ] as const)('the window %s, summaries are made all the same and nothing comes back', async (_place, memories) => {
    const { result, acts, summaries } = await run({ pages: 30, memories, windowTokens: 40_000 })

    expect(result.status).toBe('answered')
    expect(summaries.length).toBeGreaterThan(0)
    for (const request of acts) {
      const through = summaryIn(request)?.covers?.[1] ?? 0
      expect(request.messages.filter(({ step }) => step !== undefined && step <= through)).toEqual([])
      expect(sizeOf(request.messages)).toBeLessThan(24_000)
    }
  })
})

test('the limits of a run hold for summaries too: one that is too dear is left out', async () => {
  const env = createEnvironment({
    model: createScriptedModel(
      {
        act: [...Array.from({ length: 30 }, (_, at): Script => ({ call: 'read', with: { page: at } })), 'done'],
        summarise: ['s'],
        finish: ['the end'],
      },
      { maxOutputTokens: 100 },
    ),
    tools: [read],
    clock: createVirtualClock(),
    strict: true,
    countTokens: (text) => text.length,
    limits: { tokens: 150_000 },
  })
  const harness = await assembleModules({ memory, action }, env)
  const result = await harness.run('Read the pages.').result

  expect(result).toMatchObject({ status: 'limit', reason: 'tokens' })
  expect(result.spent.tokens).toBeLessThanOrEqual(150_000)
})

test('a run goes on from every point as if it had not been interrupted', async () => {
  const report = await resumeLaw({
    task: 'Read the pages.',
    async fresh(journal) {
      // A function of its request, so that it says the same wherever a run goes on.
      const model = createScriptedModel([], {
        after: ({ purpose, messages }) => {
          if (purpose === 'summarise') return `<summary>${messages.length} messages were seen.</summary>`
          const through = messages.find(({ note }) => note === 'summary')?.covers?.[1] ?? 0
          const page = through + messages.filter(({ role }) => role === 'tool').length + 1
          if (page > 9) return 'done'
          return page === 7
            ? { call: 'reread', with: { id: 'a1' } }
            : { call: 'read', with: { page }, say: `C-${page + 100}.` }
        },
      })
      const env = createEnvironment({
        model,
        tools: [read],
        clock: createVirtualClock(),
        strict: true,
        newId: () => 'run',
        countTokens: (text) => text.length,
        journal,
      })
      const options = new Map([[memory, { budgetTokens: 16_000 }]])
      return { harness: await assembleModules({ memory, action, options }, env), requests: model.requests }
    },
  })

  expect(report.faults).toEqual([])
  expect(report.points).toBeGreaterThan(20)
})

test('what a whole short run asks the model', async () => {
  const { model } = await run({ pages: 5, withPlan: true, options: { budgetTokens: 12_000 } })

  expect(
    model.requests.map(({ purpose, messages, tools }) => ({
      purpose,
      tools: tools?.map(({ name }) => name),
      messages: messages.map(({ role, content, note }) => [role, String(content).slice(0, 60), note]),
    })),
  ).toMatchSnapshot()
})
