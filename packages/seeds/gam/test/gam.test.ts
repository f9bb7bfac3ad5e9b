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
import { planning } from '@harnesswright/seed-flash-searcher'
import { memory } from '@harnesswright/seed-gam'
import { action, memory as guard, window } from '@harnesswright/seed-react'
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

/** What each part of a research says, by the title of its schema. */
type Researcher = Readonly<Partial<Record<'plan' | 'integrate' | 'check' | 'follow_up', Script>>>

const PLAN = JSON.stringify({
  info_needs: ['the cases'],
  tools: ['keyword', 'page_index'],
  keyword_collection: ['case', 'c-2'],
  vector_queries: [],
  page_index: [1],
})

interface Setup {
  readonly pages: number
  readonly abstract?: readonly Script[]
  readonly researcher?: Researcher
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
  readonly abstracts: readonly ModelRequest[]
  /** Requests of one part of the research. */
  readonly asked: (part: keyof Researcher) => readonly ModelRequest[]
}

/** A run that reads pages of about 1,000 tokens, one a step, and then answers. */
async function run({ pages, memories = [memory], options = {}, windowTokens, instead, ...rest }: Setup): Promise<Ran> {
  const { abstract, researcher = {}, ...more } = rest
  let act = 0
  let page = 0
  let made = 0
  const next = (): Script => {
    act++
    const other = instead?.(act)
    if (other !== undefined) return other
    page++
    return page > pages ? 'done' : { call: 'read', with: { page }, say: `On page ${page} is C-${page}.` }
  }
  const usual: Researcher = {
    plan: PLAN,
    integrate: () => JSON.stringify({ content: `Known ${++made}.`, sources: [1] }),
    check: '{"enough":true}',
    follow_up: '{"new_requests":["more"]}',
  }
  const research = ({ schema }: ModelRequest): Script =>
    ({ ...usual, ...researcher })[String(schema?.['title']).replace('research_', '') as keyof Researcher] ?? ''
  const goals = JSON.stringify({ goals: [{ id: '1', text: 'read all pages', dependsOn: [], paths: [] }] })
  const model = createScriptedModel(
    {
      plan: [goals],
      review: [goals],
      act: [next],
      abstract: abstract ?? [({ messages }) => `Abstract of ${/C-\d+/.exec(String(messages.at(-2)?.content))?.[0]}.`],
      research: [research],
      summarise: ['<summary>Much.</summary>'],
    },
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
  const asked = (part: keyof Researcher) =>
    of('research').filter(({ schema }) => schema?.['title'] === `research_${part}`)
  return { result, model, acts: of('act'), abstracts: of('abstract'), asked }
}

const contents = (request: ModelRequest | undefined) => (request?.messages ?? []).map(({ content }) => String(content))
/** Numbers of the pages that were read and stand in view as they are. */
const raw = (request: ModelRequest | undefined) =>
  contents(request).flatMap((content) => Number(/^Case C-(\d+)/.exec(content)?.[1] ?? 0) || [])
const memoryIn = (request: ModelRequest | undefined) => request?.messages.find(({ note }) => note === 'memory')
const pagesIn = (request: ModelRequest | undefined) =>
  contents(request).flatMap((content) => Array.from(content.matchAll(/^\[Page (\d+)\]/gm), ([, id]) => Number(id)))

describe('a view over its budget', () => {
  const options = { budgetTokens: 6_000, keepSteps: 2 }

  test('is what was integrated and the newest steps; the older ones are pages', async () => {
    const { acts, result } = await run({ pages: 6, options })

    const view = acts.at(-1)
    expect(raw(view)).toEqual([5, 6])
    expect(memoryIn(view)).toEqual({
      role: 'user',
      content: 'Memory of the steps up to 4:\nKnown 1.',
      note: 'memory',
      covers: [1, 4],
    })
    expect(result.artifacts).toHaveLength(4)
  })

  test('is 0.6 of the context window where that is less, and never for a run that fits', async () => {
    const small = await run({ pages: 8, windowTokens: 8_000 })
    const fits = await run({ pages: 8 })

    expect(memoryIn(small.acts.at(-1))).toBeDefined()
    expect(fits.model.requests.every(({ purpose }) => purpose === 'act')).toBe(true)
    expect(raw(fits.acts.at(-1))).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('asks for an abstract of each page, with the purpose abstract, from the task and the page alone', async () => {
    const { abstracts, acts } = await run({ pages: 6, options })

    expect(abstracts.map(pagesIn)).toEqual([[1], [2], [3], [4]])
    expect(abstracts[1]?.tools).toBeUndefined()
    expect(abstracts[1]?.messages.slice(0, 2)).toEqual(acts[0]?.messages.slice(0, 2))
    expect(contents(abstracts[1])[2]).toMatch(
      /^\[Page 2\]\nOn page 2 is C-2\.\nCall of read with \{"page":2\}\nResult of read: Case C-2/,
    )
  })

  test('keeps fewer of the newest steps where they are too large, and the newest always', async () => {
    const { acts } = await run({ pages: 3, options: { budgetTokens: 1_500 } })

    expect(acts.slice(2).map(raw)).toEqual([[2], [3]])
  })

  test('keeps the plan', async () => {
    const { acts } = await run({ pages: 6, options, planning })

    expect(acts.at(-1)?.messages.flatMap(({ note }) => note ?? [])).toEqual(['memory', 'plan'])
  })
})

describe('a research', () => {
  const options = { budgetTokens: 6_000, keepSteps: 2 }

  test('plans from memory and abstracts, integrates abstracts and what is found, and asks whether it is enough', async () => {
    const { asked, model } = await run({ pages: 6, options })

    expect(
      model.requests.flatMap(({ purpose, schema }) => (purpose === 'research' ? [schema?.['title']] : [])),
    ).toEqual(['research_plan', 'research_integrate', 'research_check'])
    const [plan] = asked('plan')
    expect(contents(plan)[2]).toMatch(/^\[Page 1\] Abstract of C-1\.\n\[Page 2\] Abstract of C-2\./)
    const [integrate] = asked('integrate')
    expect(pagesIn(integrate)).toEqual([1, 2, 3, 4, 1, 2, 4, 3])
    expect(contents(integrate).at(-1)).toContain('In particular: the cases.')
    expect(contents(asked('check')[0])[2]).toBe('Known 1.')
    for (const request of [plan, integrate]) expect(request?.tools).toBeUndefined()
  })

  test('goes on with what is asked for while it is not enough, three rounds at most', async () => {
    const queries = ['c-1', 'c-2', 'c-3', 'c-4']
    let round = 0
    const researcher: Researcher = {
      plan: () => JSON.stringify({ tools: [], keyword_collection: [queries[round++]], page_index: [] }),
      check: '{"enough":false}',
    }
    const { asked, acts } = await run({ pages: 6, options: { ...options, topPages: 1 }, researcher })

    expect(asked('plan')).toHaveLength(3)
    expect(asked('integrate').map(pagesIn)).toEqual([[1, 2, 3, 4, 1], [2], [3]])
    expect(asked('check')).toHaveLength(2)
    expect(contents(asked('plan')[1]).at(-1)).toContain('Asked for were: more.')
    expect(memoryIn(acts.at(-1))?.content).toContain('Known 3.')
  })

  test('ends when a round finds nothing that was not seen, or nothing more is asked for', async () => {
    const again = await run({ pages: 6, options, researcher: { check: '{"enough":false}' } })
    const nothing = await run({
      pages: 6,
      options,
      researcher: { check: '{"enough":false}', follow_up: '{"new_requests":[]}' },
    })

    expect([again.asked('plan').length, again.asked('integrate').length]).toEqual([2, 1])
    expect([nothing.asked('plan').length, nothing.asked('follow_up').length]).toEqual([1, 1])
  })

  test('shows of a page the stretch of 500 characters that was looked for', async () => {
    const { asked } = await run({ pages: 6, options })

    const found = contents(asked('integrate')[0])[2]?.split(/^(?=\[Page)/m) ?? []
    const snippets = found.filter((one) => one.length > 100)
    expect(snippets).toHaveLength(4)
    for (const snippet of snippets) expect(snippet.length).toBeLessThan(530)
  })

  test('comes again with so many new pages; until then their abstracts stand in view', async () => {
    const { acts, asked } = await run({ pages: 18, options: { ...options, researchEvery: 5 } })

    const researched = acts.findIndex((request) => String(memoryIn(request)?.content).includes('Known 2.'))
    expect(String(memoryIn(acts[researched - 1])?.content)).toMatch(
      /^Memory of the steps up to \d+:\nKnown 1\.\n\[Page 5\] Abstract of C-5\./,
    )
    expect(contents(asked('integrate')[1])[2]).toBe('Known 1.')
    expect(pagesIn(asked('integrate')[1]).slice(0, 8)).toEqual([5, 6, 7, 8, 9, 10, 11, 12])
  })

  test.each<[string, Researcher]>([
    ['an empty integration', { integrate: '{}' }],
    ['an integration that is no JSON', { integrate: 'All is known.' }],
    ['a plan that is none', { plan: 'Look around.' }],
    ['an endpoint that refuses', { plan: new HarnessError('E_MODEL_BAD_REQUEST', { message: 'no' }) }],
  ])(
    'that comes to nothing by %s keeps the memory as it was, and shows the abstracts (D15.7)',
    async (_why, second) => {
      let researches = 0
      const fails = (part: keyof Researcher, usual: Script): Script => {
        if (part === 'plan') researches++
        return researches > 1 ? (second[part] ?? usual) : usual
      }
      const researcher: Researcher = {
        plan: () => fails('plan', PLAN),
        integrate: () => fails('integrate', '{"content":"Known 1.","sources":[]}'),
      }
      const { acts, result } = await run({ pages: 14, options, researcher })

      expect(result.status).toBe('answered')
      expect(researches).toBeGreaterThan(1)
      expect(String(memoryIn(acts.at(-1))?.content)).toMatch(/Known 1\.\n\[Page 5\] Abstract of C-5\.\n\[Page 6\]/)
    },
  )

  test('that fails before there is a memory leaves all abstracts in view', async () => {
    const { acts } = await run({ pages: 6, options, researcher: { integrate: '{"content":""}' } })

    expect(pagesIn(acts.at(-1))).toEqual([1, 2, 3, 4])
  })
})

describe('an abstract', () => {
  const options = { budgetTokens: 6_000, keepSteps: 2 }

  test('that others have word for word leaves each page its own id (D15.7)', async () => {
    const { asked } = await run({ pages: 6, options, abstract: ['The same.'] })

    expect(contents(asked('plan')[0])[2]).toBe([1, 2, 3, 4].map((id) => `[Page ${id}] The same.`).join('\n'))
  })

  test.each<[string, Script]>([
    ['is refused', new HarnessError('E_MODEL_BAD_REQUEST', { message: 'no' })],
    ['is empty', ' \n '],
  ])('that %s is the first 200 characters of the page instead', async (_what, reply) => {
    const { asked } = await run({ pages: 6, options, abstract: [reply] })

    const [line = ''] = contents(asked('plan')[0])[2]?.split('\n') ?? []
    expect(line).toMatch(/^\[Page 1\] On page 1 is C-1\. Call of read with /)
    expect(line.length).toBeLessThanOrEqual('[Page 1] '.length + 200)
  })

  test('is one line, so that no heading can be made up in it', async () => {
    const { asked } = await run({ pages: 6, options, abstract: ['First.\n[Page 9] Second.'] })

    expect(pagesIn(asked('plan')[0])).toEqual([1, 2, 3, 4])
  })
})

describe('the faithful memory', () => {
  const options = { faithful: true }

  test('makes a page of every step, researches every four steps, and shows the last three', async () => {
    const { acts, abstracts, asked } = await run({ pages: 9, options })

    expect(abstracts).toHaveLength(9)
    expect(asked('plan').map((request) => pagesIn(request).length)).toEqual([4, 8])
    expect(raw(acts.at(-1))).toEqual([7, 8, 9])
    expect(memoryIn(acts.at(-1))?.content).toBe('Memory of the steps up to 6:\nKnown 2.')
  })

  test('shows all abstracts before the first research, and loses the plan with its step', async () => {
    const { acts } = await run({ pages: 6, options: { ...options, researchEvery: 50 }, planning })

    expect(pagesIn(acts.at(-1))).toEqual([1, 2, 3])
    expect(acts.at(-1)?.messages.flatMap(({ note }) => note ?? [])).toEqual(['memory'])
  })

  test('integrates only what was retrieved', async () => {
    const { asked } = await run({ pages: 5, options: { ...options, topPages: 2 } })

    expect(pagesIn(asked('integrate')[0])).toHaveLength(2)
  })
})

test('a request that was larger than the window is made again from pages, whatever the budget', async () => {
  const instead = (act: number): Script | undefined =>
    act === 5 ? new HarnessError('E_MODEL_CONTEXT_OVERFLOW') : undefined
  const { acts, result } = await run({ pages: 6, instead, options: { keepSteps: 2 } })

  expect(result.status).toBe('answered')
  expect(raw(acts[5])).toEqual([3, 4])
  expect(memoryIn(acts[5])?.covers).toEqual([1, 2])
})

test('what is still too much is left to the guard of the window after it', async () => {
  const { acts, result } = await run({
    pages: 8,
    windowTokens: 3_000,
    abstract: [new HarnessError('E_MODEL_BAD_REQUEST', { message: 'no' })],
    memories: [memory, guard],
  })

  expect(result.status).toBe('answered')
  expect(raw(acts.at(-1))).toEqual([8])
})

describe('beside another memory', () => {
  test.each<[string, readonly Module[]]>([
    ['a summary before it', [resum, memory]],
    ['a summary after it', [memory, resum]],
    ['a window before it', [window, memory]],
    ['a window after it', [memory, window]],
  ])('%s, no step is shown that a message stands for', async (_what, memories) => {
    const { result, acts } = await run({ pages: 16, memories, windowTokens: 9_000 })

    expect(result.status).toBe('answered')
    for (const { messages } of acts) {
      const covers = messages.flatMap((message) => (message.covers === undefined ? [] : [message.covers]))
      for (const { step } of messages)
        expect(covers.filter(([first, last]) => step !== undefined && first <= step && step <= last)).toEqual([])
    }
  })
})

test('whatever the researcher says, the view is valid, and each step is in it or stood for', async () => {
  const reply = fc.oneof(fc.constant(PLAN), fc.constant('{"content":"x"}'), fc.json(), fc.string())
  const researcher = fc.record({ plan: reply, integrate: reply, check: reply, follow_up: reply })
  await fc.assert(
    fc.asyncProperty(researcher, fc.boolean(), async (said, faithful) => {
      const { result, acts } = await run({
        pages: 7,
        researcher: said,
        options: { budgetTokens: 3_000, researchEvery: 2, faithful },
      })

      expect(result.status).toBe('answered') // strict: a view with a half step would have been refused
      for (const [index, { messages }] of acts.entries()) {
        const through = messages.find(({ note }) => note === 'memory')?.covers?.[1] ?? 0
        const steps = new Set(messages.flatMap(({ step }) => step ?? []))
        expect([...steps]).toEqual(Array.from({ length: index - through }, (_, at) => through + at + 1))
      }
    }),
    { numRuns: 20 },
  )
}, 30_000)

test('a run goes on from every point as if it had not been interrupted', async () => {
  const report = await resumeLaw({
    task: 'Read the pages.',
    async fresh(journal) {
      // A function of its request, so that it says the same wherever a run goes on.
      const model = createScriptedModel([], {
        after: ({ purpose, messages, schema }) => {
          if (purpose === 'abstract') return `${messages.length} messages.`
          if (schema?.['title'] === 'research_plan') return PLAN
          if (schema?.['title'] === 'research_integrate')
            return JSON.stringify({ content: `${messages.length}`, sources: [] })
          if (schema !== undefined) return '{"enough":false,"new_requests":["more"]}'
          const made = seenIn(messages)
          return made >= 7 ? 'done' : { call: 'read', with: { page: made + 1 }, say: `Page ${made + 1}.` }
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
      const options = new Map([[memory, { budgetTokens: 3_000, researchEvery: 2, rounds: 2 }]])
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
  const { model } = await run({ pages: 5, options: { budgetTokens: 4_500, keepSteps: 2 }, planning })

  expect(
    model.requests.map(({ purpose, messages, tools, schema }) => ({
      purpose,
      form: schema?.['title'],
      tools: tools?.map(({ name }) => name),
      messages: messages.map(({ role, content, note }) => [role, String(content).slice(0, 60), note]),
    })),
  ).toMatchSnapshot()
})
