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
import { memory } from '@harnesswright/seed-memobrain'
import { planning } from '@harnesswright/seed-plan-and-execute'
import { action, window } from '@harnesswright/seed-react'
import { memory as resum } from '@harnesswright/seed-resum'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const read: Tool = {
  name: 'read',
  description: 'Reads a page.',
  parameters: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] },
  readOnly: true,
  idempotent: true,
  execute: ({ page }: { page: number }) => `Case C-${page} on page ${page}. `.padEnd(4_000, 'words '),
}

/** Steps that a request to memorise shows. */
const stepsAsked = ({ messages }: ModelRequest): readonly number[] =>
  messages.flatMap(({ content }) =>
    Array.from(String(content).matchAll(/^\[Step (\d+)\]/gm), ([, step]) => Number(step)),
  )

/** Ids of the nodes that a request shows. */
const nodesIn = ({ messages }: ModelRequest): readonly number[] =>
  messages.flatMap(({ content }) => Array.from(String(content).matchAll(/^\[Node (\d+)\]/gm), ([, id]) => Number(id)))

/** A thought on each step, which follows from the newest there is. */
const thoughts = (request: ModelRequest): string => {
  const steps = stepsAsked(request)
  const last = nodesIn(request).at(-1)
  return JSON.stringify({
    add_nodes: steps.map((step) => ({
      tmp_id: `n${step}`,
      kind: 'evidence',
      step,
      thought: [{ role: 'assistant', content: `C-${step} was seen.` }],
    })),
    add_edges: last === undefined ? [] : [{ src: String(last), dst: `n${steps[0]}`, rationale: 'next' }],
  })
}

const clearing = (flush: readonly number[], ids: readonly number[], notes = 'All cases are known.'): string =>
  JSON.stringify({
    flush_ops: flush.map((id) => ({ id, rationale: 'x' })),
    fold_ops: ids.length === 0 ? [] : [{ ids, rationale: 'x', notes }],
  })

/** All but the newest two thoughts become a note. */
const foldAll = (request: ModelRequest): string => clearing([], nodesIn(request).slice(0, -2))

interface Setup {
  readonly pages: number
  readonly memorise?: readonly Script[]
  readonly recall?: readonly Script[]
  readonly options?: { readonly [name: string]: Json }
  readonly memories?: readonly Module[]
  readonly planning?: Module
  readonly windowTokens?: number
  /** What the model says when it acts for the so-manieth time, instead of reading the next page. */
  readonly instead?: (act: number) => Script | undefined
}

interface Ran {
  readonly result: RunResult
  readonly model: ScriptedModel
  readonly acts: readonly ModelRequest[]
  readonly memorises: readonly ModelRequest[]
  readonly recalls: readonly ModelRequest[]
}

/** A run that reads pages of about 1,000 tokens, one a step, and then answers. */
async function run({ pages, memories = [memory], options = {}, windowTokens, instead, ...rest }: Setup): Promise<Ran> {
  const { memorise = [thoughts], recall = [foldAll], ...more } = rest
  let act = 0
  let page = 0
  const next = (): Script => {
    act++
    const other = instead?.(act)
    if (other !== undefined) return other
    page++
    return page > pages ? 'done' : { call: 'read', with: { page }, say: `On page ${page} is C-${page}.` }
  }
  const plan = JSON.stringify({ goals: [{ id: '1', text: 'read all pages' }] })
  const model = createScriptedModel(
    { plan: [plan], review: [plan], act: [next], memorise, recall, summarise: ['<summary>Much.</summary>'] },
    windowTokens === undefined ? {} : { contextWindow: windowTokens },
  )
  const env = createEnvironment({
    model,
    tools: [read],
    clock: createVirtualClock(),
    strict: true,
    limits: { steps: 100, tokens: 1e9 },
  })
  const own = new Map([[memory, options]])
  const harness = await assembleModules({ memory: memories, action, options: own, ...more }, env)
  const result = await harness.run('Read the pages.').result
  const of = (purpose: string) => model.requests.filter((request) => request.purpose === purpose)
  return { result, model, acts: of('act'), memorises: of('memorise'), recalls: of('recall') }
}

const contents = (request: ModelRequest | undefined) => (request?.messages ?? []).map(({ content }) => String(content))
/** Each message of the steps in view, in short: pages that were read, and thoughts. */
const shown = (request: ModelRequest | undefined) =>
  contents(request).flatMap((content) => /^(?:Case C-\d+|\[Node \d+\].*)/.exec(content)?.[0] ?? [])
const cases = (...numbers: number[]) => numbers.map((number) => `Case C-${number}`)

describe('thoughts are memorised', () => {
  test('five steps at once, and sooner where these are many tokens', async () => {
    const usual = await run({ pages: 11, options: { memoriseTokens: 100_000 } })
    const large = await run({ pages: 5, options: { memoriseTokens: 1_500 } })

    expect(usual.memorises.map(stepsAsked)).toEqual([
      [1, 2, 3, 4, 5],
      [6, 7, 8, 9, 10],
    ])
    expect(large.memorises.map(stepsAsked)).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  test('after every step by the faithful memory, and never for a run that is over before the first five', async () => {
    const faithful = await run({ pages: 4, options: { faithful: true } })
    const short = await run({ pages: 4 })

    expect(faithful.memorises.map(stepsAsked)).toEqual([[1], [2], [3], [4]])
    expect(short.memorises).toEqual([])
  })

  test('with the purpose memorise, by a schema, without tools, from the task, the thoughts so far and the steps', async () => {
    const { memorises, acts } = await run({ pages: 5, options: { memoriseEvery: 2 } })

    const [first, second] = memorises
    expect(second).toMatchObject({ purpose: 'memorise', schema: { title: 'memorise' } })
    expect(second?.tools).toBeUndefined()
    expect(second?.messages.slice(0, 2)).toEqual(acts[0]?.messages.slice(0, 2))
    expect(contents(first)).toHaveLength(4)
    expect(contents(second)[2]).toBe(
      'Thoughts so far:\n[Node 1] (evidence, steps 1) C-1 was seen.\n[Node 2] (evidence, steps 2) C-2 was seen.',
    )
    expect(contents(second)[3]).toMatch(
      /^\[Step 3\]\nOn page 3 is C-3\.\nCall of read with \{"page":3\}\nResult of read: Case C-3 on page 3\./,
    )
    expect(contents(second)[4]).toMatch(/^You keep the memory of this task/)
  })

  test('and change nothing in view while it is in budget', async () => {
    const { acts, recalls } = await run({ pages: 8 })

    expect(recalls).toEqual([])
    expect(shown(acts.at(-1))).toEqual(cases(1, 2, 3, 4, 5, 6, 7, 8))
  })
})

describe('in a view over its budget', () => {
  test('folded thoughts give way to their note, flushed ones to a line, and the newest two steps stay', async () => {
    const long = (request: ModelRequest) => thoughts(request).replace('C-2 was seen.', 'C-2 '.repeat(200).trim())
    const { acts, recalls } = await run({
      pages: 6,
      options: { budgetTokens: 5_500 },
      memorise: [long],
      recall: [clearing([2], [1, 3])],
    })

    expect(recalls).toHaveLength(1)
    expect(shown(acts.at(-1))).toEqual([
      '[Node 7] All cases are known.',
      `[Node 2] ${'C-2 '.repeat(50)}…`,
      ...cases(4, 5, 6),
    ])
    const covers = acts.at(-1)?.messages.flatMap((message) => (message.covers === undefined ? [] : [message.covers]))
    expect(covers).toEqual([
      [1, 1],
      [2, 2],
    ])
  })

  test('the whole of a flushed thought stays with the faithful memory', async () => {
    const { acts } = await run({
      pages: 6,
      options: { budgetTokens: 5_500, faithful: true },
      memorise: [(request) => thoughts(request).replace('was seen', 'was seen '.repeat(60).trim())],
      recall: [clearing([1, 2, 3], [])],
    })

    expect(
      shown(acts.at(-1))
        .slice(0, 3)
        .every((one) => one.endsWith('was seen.')),
    ).toBe(true)
  })

  test('it is asked with the purpose recall, by a schema, from the task and all thoughts', async () => {
    const { recalls } = await run({ pages: 6, options: { budgetTokens: 5_500 } })

    const [request] = recalls
    expect(request).toMatchObject({ purpose: 'recall', schema: { title: 'recall' } })
    expect(request?.tools).toBeUndefined()
    expect(nodesIn(request as ModelRequest)).toEqual([1, 2, 3, 4, 5, 6])
    expect(contents(request)[2]).toContain('[Node 6] (evidence, steps 6, follows from 5) C-6 was seen.')
    expect(contents(request).at(-1)).toContain('but for the newest 2 steps')
  })

  test('a note can be folded again, so that a long run stays in budget', async () => {
    const { acts, recalls, result } = await run({ pages: 40, options: { budgetTokens: 8_000 } })

    expect(result.status).toBe('answered')
    expect(recalls.length).toBeGreaterThan(3)
    expect(shown(acts.at(-1)).filter((one) => one.startsWith('[Node'))).toHaveLength(1)
    expect(acts.at(-1)?.messages.find(({ note }) => note === 'thought')?.covers?.[0]).toBe(1)
    for (const { messages } of acts) expect(JSON.stringify(messages).length / 4).toBeLessThan(10_000)
  })

  test('0.6 of the context window is the budget where that is less', async () => {
    const { recalls } = await run({ pages: 12, windowTokens: 10_000 })

    expect(recalls.length).toBeGreaterThan(0)
  })

  test('thoughts on the newest steps are not let go, whatever the model says', async () => {
    const { acts } = await run({
      pages: 6,
      options: { budgetTokens: 5_500 },
      recall: [clearing([6, 99], [1, 5], 'Case one.')],
    })

    expect(shown(acts.at(-1))).toEqual(['[Node 7] Case one.', ...cases(2, 3, 4, 5, 6)])
  })

  test('the plan stays when the step it was made in goes', async () => {
    const { acts } = await run({ pages: 6, options: { budgetTokens: 5_500 }, planning })

    expect(acts.at(-1)?.messages.flatMap(({ note }) => note ?? [])).toContain('plan')
  })
})

describe('a memory call that comes to nothing', () => {
  const REFUSED = new HarnessError('E_MODEL_BAD_REQUEST', { message: 'no' })

  test('because three replies cannot be used leaves the context as it was (D15.5)', async () => {
    const { acts, memorises, result } = await run({ pages: 5, memorise: ['Well.'] })

    expect(result.status).toBe('answered')
    expect(memorises).toHaveLength(3)
    expect(contents(memorises[1]).at(-1)).toMatch(/^Your last reply could not be used: it is no JSON object\. You keep/)
    expect(shown(acts.at(-1))).toEqual(cases(1, 2, 3, 4, 5))
  })

  test('because nothing may go of what is named is made again, and then left', async () => {
    const { acts, recalls } = await run({ pages: 6, options: { budgetTokens: 5_500 }, recall: [clearing([99], [])] })

    expect(recalls).toHaveLength(3)
    expect(contents(recalls[2]).at(-1)).toContain('it names no node that may go')
    expect(shown(acts.at(-1))).toEqual(cases(1, 2, 3, 4, 5, 6))
  })

  test('because the endpoint refuses it is not made again at once', async () => {
    const { memorises, result } = await run({ pages: 5, memorise: [REFUSED] })

    expect(result.status).toBe('answered')
    expect(memorises).toHaveLength(1)
  })

  test('is made ever more seldom, and with all steps since the last that came to something', async () => {
    const { memorises } = await run({ pages: 40, memorise: [REFUSED], options: { memoriseEvery: 1 } })
    const later = await run({ pages: 9, memorise: [REFUSED, thoughts], options: { memoriseEvery: 3 } })

    expect(memorises.length).toBeLessThan(12)
    expect(later.memorises.map(stepsAsked)).toEqual([
      [1, 2, 3],
      [1, 2, 3, 4],
      [5, 6, 7],
    ])
  })

  test('leaves it to the window after it to cut the view', async () => {
    const { acts, result } = await run({
      pages: 12,
      memorise: ['Well.'],
      windowTokens: 10_000,
      memories: [memory, window],
    })

    expect(result.status).toBe('answered')
    expect(contents(acts.at(-1)).some((content) => content.includes('left out to save space'))).toBe(true)
  })
})

test('a request that was larger than the window is made again from thoughts, whatever the budget', async () => {
  const instead = (act: number): Script | undefined =>
    act === 5 ? new HarnessError('E_MODEL_CONTEXT_OVERFLOW') : undefined
  const { acts, result } = await run({ pages: 6, instead })

  expect(result.status).toBe('answered')
  expect(shown(acts[5])).toEqual(['[Node 5] All cases are known.', ...cases(3, 4)])
})

describe('beside another memory', () => {
  test.each<[string, readonly Module[]]>([
    ['a summary before it', [resum, memory]],
    ['a summary after it', [memory, resum]],
    ['a window before it', [window, memory]],
    ['a window after it', [memory, window]],
  ])('%s, no step is shown that a message stands for', async (_what, memories) => {
    const { result, acts } = await run({ pages: 20, memories, windowTokens: 9_000, options: { memoriseEvery: 2 } })

    expect(result.status).toBe('answered')
    for (const { messages } of acts) {
      const covers = messages.flatMap((message) => (message.covers === undefined ? [] : [message.covers]))
      for (const { step } of messages)
        expect(covers.filter(([first, last]) => step !== undefined && first <= step && step <= last)).toEqual([])
    }
  })
})

test('whatever the model lets go, the view is valid, the newest two steps stay, and what went has something in its place', async () => {
  const op = fc.record({
    flush: fc.array(fc.integer({ min: 0, max: 14 })),
    fold: fc.array(fc.integer({ min: 0, max: 14 })),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(op, { minLength: 1, maxLength: 8 }), fc.boolean(), async (ops, faithful) => {
      const recall = ops.map(({ flush, fold }): Script => clearing(flush, fold))
      const { result, acts } = await run({ pages: 9, recall, options: { budgetTokens: 3_000, tries: 1, faithful } })

      expect(result.status).toBe('answered') // strict: a view with a half step would have been refused
      for (const [index, request] of acts.entries()) {
        const newest = [index - 1, index].filter((step) => step > 0)
        expect(shown(request).slice(-newest.length || undefined)).toEqual(index === 0 ? [] : cases(...newest))
        const steps = new Set(request.messages.flatMap(({ step }) => step ?? []))
        if (steps.size < index) expect(request.messages.some(({ note }) => note === 'thought')).toBe(true)
      }
    }),
    { numRuns: 25 },
  )
}, 30_000)

test('a run goes on from every point as if it had not been interrupted', async () => {
  const report = await resumeLaw({
    task: 'Read the pages.',
    async fresh(journal) {
      // A function of its request, so that it says the same wherever a run goes on.
      const model = createScriptedModel([], {
        after: (request) => {
          if (request.purpose === 'memorise') return thoughts(request)
          if (request.purpose === 'recall') return foldAll(request)
          const made = seenIn(request.messages)
          return made >= 9 ? 'done' : { call: 'read', with: { page: made + 1 }, say: `Page ${made + 1}.` }
        },
      })
      const env = createEnvironment({
        model,
        tools: [read],
        clock: createVirtualClock(),
        strict: true,
        newId: () => 'run',
        journal,
      })
      const options = new Map([[memory, { budgetTokens: 5_000, memoriseEvery: 2 }]])
      return { harness: await assembleModules({ memory, action, options }, env), requests: model.requests }
    },
  })

  expect(report.faults).toEqual([])
  expect(report.points).toBeGreaterThan(20)
})

/** Steps that a view holds, or that a message of it stands for. */
function seenIn(messages: readonly Message[]): number {
  return Math.max(0, ...messages.flatMap(({ step, covers }) => [step ?? 0, covers?.[1] ?? 0]))
}

test('what a whole short run asks the model', async () => {
  const { model } = await run({ pages: 5, options: { budgetTokens: 4_500, memoriseEvery: 2 }, planning })

  expect(
    model.requests.map(({ purpose, messages, tools }) => ({
      purpose,
      tools: tools?.map(({ name }) => name),
      messages: messages.map(({ role, content, note }) => [role, String(content).slice(0, 60), note]),
    })),
  ).toMatchSnapshot()
})
