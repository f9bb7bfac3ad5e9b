import {
  createEnvironment,
  defineModule,
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
import { memory } from '@harnesswright/seed-agentfold'
import { planning } from '@harnesswright/seed-flash-searcher'
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
  execute: ({ page }: { page: number }) => {
    if (page === 13) throw new Error('there is no such page')
    return `Case C-${page} on page ${page}. `.padEnd(400, 'words ')
  },
}

type Call = { readonly call: string; readonly with?: { readonly [name: string]: Json } }
const page = (number: number): Call => ({ call: 'read', with: { page: number } })
const compress = (from: number, to: number, text = `Pages ${from} to ${to} hold cases.`): Call => ({
  call: 'compress',
  with: { from, to, text },
})
const pages = (count: number): Script[] =>
  Array.from({ length: count }, (_, at): Script => ({ ...page(at + 1), say: `I read page ${at + 1}.` }))

interface Setup {
  /** What the model says, step by step; then it answers. */
  readonly script: readonly Script[]
  readonly options?: { readonly [name: string]: Json }
  readonly memories?: readonly Module[]
  readonly planning?: Module
  readonly windowTokens?: number
}

interface Ran {
  readonly result: RunResult
  readonly model: ScriptedModel
  /** Requests to act. */
  readonly acts: readonly ModelRequest[]
}

async function run({ script, options = {}, memories = [memory], windowTokens, ...modules }: Setup): Promise<Ran> {
  const plan = JSON.stringify({ goals: [{ id: '1', text: 'read all pages', dependsOn: [], paths: [] }] })
  const model = createScriptedModel(
    { plan: [plan], review: [plan], summarise: ['<summary>Much was read.</summary>'], act: [...script, 'done'] },
    windowTokens === undefined ? {} : { contextWindow: windowTokens },
  )
  const env = createEnvironment({ model, tools: [read], clock: createVirtualClock(), strict: true })
  const own = new Map([[memory, options]])
  const harness = await assembleModules({ memory: memories, action, options: own, ...modules }, env)
  const result = await harness.run('Read the pages.').result
  return { result, model, acts: model.requests.filter(({ purpose }) => purpose === 'act') }
}

const contents = (request: ModelRequest | undefined) => (request?.messages ?? []).map(({ content }) => String(content))
/** Headings in view, in order. */
const headings = (request: ModelRequest | undefined) =>
  contents(request).flatMap((content) => /^\[(?:Compressed )?Step [^\]]*\]/.exec(content)?.[0] ?? [])
const observed = ({ result }: Ran, step: number) => result.steps[step - 1]?.observations ?? []

describe('a fold', () => {
  test('of steps 2 to 4 takes the place of three entries, before the step that makes it is there (D15.2)', async () => {
    const { acts } = await run({ script: [...pages(5), { calls: [compress(2, 4), page(6)], say: 'Folding.' }] })

    expect(headings(acts[5])).toEqual(['[Step 1]', '[Step 2]', '[Step 3]', '[Step 4]', '[Step 5]'])
    expect(headings(acts[6])).toEqual(['[Step 1]', '[Compressed Step 2 to 4]', '[Step 5]', '[Step 6]'])
    const folded = acts[6]?.messages.find(({ note }) => note === 'fold')
    expect(folded).toMatchObject({
      role: 'user',
      content: '[Compressed Step 2 to 4] Pages 2 to 4 hold cases.',
      covers: [2, 4],
    })
    expect(acts[6]?.messages.some(({ step = 0 }) => step >= 2 && step <= 4)).toBe(false)
  })

  test('is made before the other calls of its reply, and its own call is not shown beside it', async () => {
    const ran = await run({ script: [...pages(3), { calls: [page(4), compress(1, 2)], say: 'Both.' }] })

    expect(observed(ran, 4).map(({ tool, content }) => [tool, content.slice(0, 24)])).toEqual([
      ['read', 'Case C-4 on page 4. word'],
      ['compress', 'steps 1 to 2 are folded'],
    ])
    const shown = ran.acts.at(-1)?.messages.slice(-2) ?? []
    expect(shown.map(({ role, toolCalls }) => [role, toolCalls?.map(({ name }) => name)])).toEqual([
      ['assistant', ['read']],
      ['tool', undefined],
    ])
    expect(
      contents(ran.acts.at(-1))
        .join('\n')
        .match(/Pages 1 to 2 hold cases/g),
    ).toHaveLength(1)
  })

  test('alone in a reply leaves of its step what the model said', async () => {
    const { acts } = await run({ script: [...pages(2), { calls: [compress(1, 2)], say: 'That was that.' }] })

    expect(contents(acts.at(-1)).slice(2)).toEqual([
      '[Compressed Step 1 to 2] Pages 1 to 2 hold cases.',
      '[Step 3] That was that.',
    ])
  })

  test('may hold an earlier fold, at a larger scale', async () => {
    const { acts } = await run({
      script: [...pages(3), { calls: [compress(1, 2), page(4)] }, { calls: [compress(1, 4), page(5)] }],
    })

    expect(headings(acts.at(-1))).toEqual(['[Compressed Step 1 to 4]', '[Step 5]'])
  })

  test('of one step is one, and of a fold alone gives it another text', async () => {
    const { acts } = await run({
      script: [...pages(2), { calls: [compress(1, 1), page(3)] }, { calls: [compress(1, 1, 'Better.'), page(4)] }],
    })

    expect(contents(acts.at(-1))[2]).toBe('[Compressed Step 1] Better.')
  })

  test('keeps the plan in view, whatever is folded', async () => {
    const { acts } = await run({ planning, script: [...pages(3), { calls: [compress(1, 3), page(4)] }] })

    expect(acts.at(-1)?.messages.flatMap(({ note }) => note ?? [])).toEqual(['fold', 'plan'])
  })

  test('that is taken back brings its steps back as they were', async () => {
    const { acts } = await run({
      script: [
        ...pages(4),
        { calls: [compress(2, 3), page(5)] },
        { calls: [{ call: 'unfold', with: { from: 2 } }, page(6)] },
      ],
    })

    expect(headings(acts.at(-1))).toEqual(['[Step 1]', '[Step 2]', '[Step 3]', '[Step 4]', '[Step 5]', '[Step 6]'])
    const messages = acts.at(-1)?.messages ?? []
    const before = acts[4]?.messages ?? []
    expect(messages.slice(0, before.length)).toEqual(before)
  })

  test('loses nothing of the record of the run', async () => {
    const { result } = await run({ script: [...pages(3), { calls: [compress(1, 3), page(4)] }] })

    expect(result.messages.filter(({ content }) => String(content).startsWith('Case C-'))).toHaveLength(4)
  })
})

describe('a fold is refused, and the model is told why', () => {
  test.each<[string, Call, RegExp]>([
    ['that cuts an earlier one (D15.2)', compress(3, 5), /cuts through the fold of steps 2 to 4; .*: 1, 2 to 4, 5$/],
    ['of the step that makes it', compress(5, 6), /steps 5 to 6 are not all there/],
    ['whose ends are turned round', compress(5, 1), /the first step, 5, comes after the last one, 1/],
    ['without a text', compress(1, 1, '  '), /the text is empty/],
    [
      'with a step that is no number',
      { call: 'compress', with: { from: 'one', to: 1, text: 'x' } },
      /arguments of compress are wrong/,
    ],
  ])('%s', async (_what, call, message) => {
    const script: Script[] = [...pages(4), { calls: [compress(2, 4), page(5)] }, { calls: [call, page(6)] }]
    const ran = await run({ script })

    const [refused, made] = observed(ran, 6)
    expect(refused).toMatchObject({ ok: false, content: expect.stringMatching(message) })
    expect(made?.ok).toBe(true)
    expect(headings(ran.acts.at(-1))).toEqual(['[Step 1]', '[Compressed Step 2 to 4]', '[Step 5]', '[Step 6]'])
    expect(contents(ran.acts.at(-1)).some((content) => content === refused?.content)).toBe(true)
  })

  test('and so is the taking back of one that is not there', async () => {
    const ran = await run({
      script: [
        ...pages(2),
        { call: 'unfold', with: { from: 1 } },
        { calls: [compress(1, 2)] },
        { call: 'unfold', with: { from: 2 } },
      ],
    })

    expect(observed(ran, 3)[0]?.content).toMatch(/no fold begins with step 1; nothing is folded/)
    expect(observed(ran, 5)[0]?.content).toMatch(/no fold begins with step 2; folded are 1 to 2/)
  })
})

describe('steps that are not folded', () => {
  test('stand under headings, as the model knows them: its calls are calls, and failures are there', async () => {
    const { acts } = await run({ script: [page(1), page(13), page(3)] })

    expect(
      acts
        .at(-1)
        ?.messages.slice(2)
        .map(({ role, toolCalls }) => [role, toolCalls?.length]),
    ).toEqual([
      ['assistant', 1],
      ['tool', undefined],
      ['assistant', 1],
      ['tool', undefined],
      ['assistant', 1],
      ['tool', undefined],
    ])
    expect(contents(acts.at(-1))[5]).toBe('error: read failed: there is no such page')
  })

  test('have the same heading from step to step, so that requests begin as the one before', async () => {
    const { acts } = await run({ script: pages(6) })

    for (const [index, { messages }] of acts.entries()) {
      const before = acts[index - 1]?.messages ?? []
      expect(messages.slice(0, before.length)).toEqual(before)
    }
  })
})

describe('the faithful memory', () => {
  test('shows steps as text, only the newest called a step, and plans cut at 1,000 characters', async () => {
    const long: Module = defineModule({
      slot: 'planning',
      summary: 'A long plan.',
      direct(ctx) {
        if (ctx.step === 1) ctx.note('plan', 'p'.repeat(3_000))
        return { text: '' }
      },
    })
    const { acts } = await run({ planning: long, script: pages(3), options: { faithful: true } })

    expect(headings(acts.at(-1))).toEqual(['[Compressed Step 1]', '[Compressed Step 2]', '[Step 3]'])
    expect(acts.at(-1)?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'user', 'user', 'user', 'user'])
    expect(contents(acts.at(-1))[2]).toBe('p'.repeat(1_000))
    expect(contents(acts.at(-1))[3]).toMatch(
      /^\[Compressed Step 1\]\nI read page 1\.\nCall of read with \{"page":1\}\nResult of read: Case C-1 on page 1\./,
    )
  })

  test('folds as the other does, and says nothing of how full the view is', async () => {
    const { acts } = await run({
      script: [...pages(4), { calls: [compress(2, 3), page(5)] }],
      options: { faithful: true, budgetTokens: 1_000, pressure: 0.1 },
    })

    expect(headings(acts.at(-1))).toEqual([
      '[Compressed Step 1]',
      '[Compressed Step 2 to 3]',
      '[Compressed Step 4]',
      '[Step 5]',
    ])
    expect(contents(acts.at(-1)).some((content) => content.includes('% full'))).toBe(false)
  })
})

describe('pressure', () => {
  const options = { budgetTokens: 1_000, pressure: 0.5 }

  test('is told in the directive from a share of the budget on, with what is not folded, and is not recorded', async () => {
    const { result, acts } = await run({ script: [...pages(6), { calls: [compress(1, 2), page(7)] }], options })

    expect(contents(acts[1]).at(-1)).not.toContain('% full')
    expect(contents(acts[5]).at(-1)).toMatch(/^Your view is \d+ % full\. Not folded yet: 1, 2, 3, 4, 5\. Fold what/)
    expect(contents(acts[7]).at(-1)).toMatch(/Not folded yet: 3, 4, 5, 6, 7\. Fold/)
    expect(result.messages.some(({ content }) => String(content).includes('% full'))).toBe(false)
  })

  test('is a share of 0.6 of the context window where that is less than the budget', async () => {
    const { acts } = await run({ script: pages(5), windowTokens: 1_700 })

    expect(contents(acts.at(-1)).at(-1)).toMatch(/\d+ % full/)
  })

  test('stands below what the planning says', async () => {
    const { acts } = await run({ script: pages(5), options, planning })

    expect(contents(acts.at(-1)).at(-1)).toMatch(/1\. read all pages\n\nYour view is \d+ % full/)
  })
})

test('a model that folds nothing is kept within the window by the guard that the seed lists after this memory', async () => {
  const { result, acts } = await run({ script: pages(14), windowTokens: 2_000, memories: [memory, guard] })

  expect(result.status).toBe('answered')
  expect(contents(acts.at(-1)).some((content) => content.includes('left out to save space'))).toBe(true)
  expect(headings(acts.at(-1))).toHaveLength(14)
})

describe('beside another memory', () => {
  test.each<[string, readonly Module[]]>([
    ['a summary before it', [resum, memory]],
    ['a summary after it', [memory, resum]],
    ['a window before it', [window, memory]],
    ['a window after it', [memory, window]],
  ])('%s, no step is shown that a message stands for', async (_what, memories) => {
    const script = [...pages(4), { calls: [compress(2, 3), page(5)] }, ...pages(12).map((_, at) => page(at + 20))]
    const { result, acts } = await run({ script, memories, windowTokens: 3_000 })

    expect(result.status).toBe('answered')
    for (const { messages } of acts) {
      const covers = messages.flatMap((message) => (message.covers === undefined ? [] : [message.covers]))
      for (const { step } of messages)
        expect(covers.filter(([first, last]) => step !== undefined && first <= step && step <= last)).toEqual([])
    }
  })

  test('a fold of steps that a summary stands for is gone from the view, and cannot be folded again', async () => {
    const script: Script[] = [
      ...pages(4),
      { calls: [compress(2, 3), page(5)] },
      ...Array.from({ length: 9 }, (_, at) => page(at + 20)),
      { calls: [compress(2, 3), page(40)] },
    ]
    const ran = await run({ script, memories: [resum, memory], windowTokens: 2_000 })

    expect(ran.acts[14]?.messages.some(({ note }) => note === 'summary')).toBe(true)
    expect(ran.acts.at(-1)?.messages.flatMap(({ note }) => note ?? [])).toEqual(['summary'])
    expect(observed(ran, 15)[0]?.content).toMatch(/steps 2 to 3 are not all there/)
  })
})

/** The steps that messages are of, or stand for, in order. */
function stepsIn(messages: readonly Message[]): readonly number[] {
  return messages.flatMap(({ role, step, covers }) => {
    if (covers !== undefined) return Array.from({ length: covers[1] - covers[0] + 1 }, (_, at) => covers[0] + at)
    return role === 'assistant' && step !== undefined ? [step] : []
  })
}

test('whatever the model folds and takes back, every step stands in the view once, as itself or in a fold', async () => {
  const fold = fc.oneof(
    fc.tuple(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 10 })).map(([from, to]) => compress(from, to)),
    fc.integer({ min: 1, max: 10 }).map((from): Call => ({ call: 'unfold', with: { from } })),
  )
  const turn = fc.array(fold, { maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 2, maxLength: 10 }), fc.boolean(), async (turns, faithful) => {
      const script = turns.map((folds, at): Script => ({ calls: [...folds, page(at + 1)], say: `Page ${at + 1}.` }))
      const { result, acts } = await run({ script, options: { faithful } })

      expect(result.status).toBe('answered') // strict: a view with a half step would have been refused
      for (const [index, { messages }] of acts.entries())
        expect(stepsIn(messages)).toEqual(Array.from({ length: index }, (_, at) => at + 1))
    }),
    { numRuns: 40 },
  )
}, 30_000)

test('a run goes on from every point as if it had not been interrupted', async () => {
  const report = await resumeLaw({
    task: 'Read the pages.',
    async fresh(journal) {
      // A function of its request, so that it says the same wherever a run goes on.
      const model = createScriptedModel([], {
        after: ({ messages }) => {
          const [folded] = messages.filter(({ note }) => note === 'fold').slice(-1)
          const made = (folded?.covers?.[1] ?? 0) + messages.filter(({ role }) => role === 'assistant').length
          if (made >= 9) return 'done'
          const calls = [page(made + 1)]
          if (made === 3) calls.unshift(compress(1, 3))
          if (made === 6) calls.unshift(compress(2, 5), compress(1, 5))
          return { calls, say: `Page ${made + 1}.` }
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
      return { harness: await assembleModules({ memory, action }, env), requests: model.requests }
    },
  })

  expect(report.faults).toEqual([])
  expect(report.points).toBeGreaterThan(20)
})

test('what a whole short run asks the model', async () => {
  const { model } = await run({
    planning,
    script: [...pages(3), { calls: [compress(1, 2), page(4)], say: 'Folding.' }],
    options: { budgetTokens: 1_000 },
  })

  expect(
    model.requests.map(({ purpose, messages, tools }) => ({
      purpose,
      tools: tools?.map(({ name }) => name),
      messages: messages.map(({ role, content, note }) => [role, String(content).slice(0, 60), note]),
    })),
  ).toMatchSnapshot()
})
