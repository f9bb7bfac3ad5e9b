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
import { memory } from '@harnesswright/seed-hiagent'
import { planning } from '@harnesswright/seed-plan-and-execute'
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

type Call = { readonly call: string; readonly with?: { readonly [name: string]: Json } }
const page = (number: number): Call => ({ call: 'read', with: { page: number } })
const subgoal = (goal: string): Call => ({ call: 'subgoal', with: { goal } })
const recall = (number: number): Call => ({ call: 'recall_subgoal', with: { number } })
const pages = (first: number, last: number): Script[] =>
  Array.from({ length: last - first + 1 }, (_, at): Script => ({ ...page(first + at), say: `Page ${first + at}.` }))
const begins = (goal: string, number: number): Script => ({ calls: [subgoal(goal), page(number)], say: `${goal}.` })

interface Setup {
  /** What the model says, step by step; then it answers. */
  readonly script: readonly Script[]
  readonly summarise?: readonly Script[]
  readonly options?: { readonly [name: string]: Json }
  readonly memories?: readonly Module[]
  readonly planning?: Module
  readonly windowTokens?: number
}

interface Ran {
  readonly result: RunResult
  readonly model: ScriptedModel
  readonly acts: readonly ModelRequest[]
  readonly summaries: readonly ModelRequest[]
}

async function run({
  script,
  summarise,
  options = {},
  memories = [memory],
  windowTokens,
  ...more
}: Setup): Promise<Ran> {
  let made = 0
  const model = createScriptedModel(
    {
      plan: [JSON.stringify({ goals: [{ id: '1', text: 'read all pages' }] })],
      act: [...script, 'done'],
      summarise: summarise ?? [() => `Result ${++made}.`],
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
  return { result, model, acts: of('act'), summaries: of('summarise') }
}

const contents = (request: ModelRequest | undefined) => (request?.messages ?? []).map(({ content }) => String(content))
/** Each message of the steps in view, in short: pages that were read, and what stands for steps. */
const shown = (request: ModelRequest | undefined) =>
  contents(request).flatMap((content) => /^(?:Case C-\d+|\[[^\]]+\])/.exec(content)?.[0] ?? [])
const observed = ({ result }: Ran, step: number) => result.steps[step - 1]?.observations ?? []

describe('the steps of a sub-goal', () => {
  test('are in view as they are while it is the current one, and a summary when it is over', async () => {
    const { acts } = await run({ script: [begins('read A', 1), ...pages(2, 3), begins('read B', 4), ...pages(5, 5)] })

    expect(acts.map(shown)).toEqual([
      [],
      ['Case C-1'],
      ['Case C-1', 'Case C-2'],
      ['Case C-1', 'Case C-2', 'Case C-3'],
      ['[Subgoal 1]', 'Case C-4'],
      ['[Subgoal 1]', 'Case C-4', 'Case C-5'],
    ])
    expect(acts.at(-1)?.messages.find(({ note }) => note === 'subgoal')).toEqual({
      role: 'user',
      content: '[Subgoal 1] read A\nResult 1.',
      note: 'subgoal',
      covers: [1, 3],
    })
  })

  test('are summarised once, without tools, from the task and themselves alone', async () => {
    const { summaries, acts } = await run({
      script: [begins('read A', 1), ...pages(2, 3), begins('read B', 4), begins('read C', 5)],
    })

    expect(summaries).toHaveLength(2)
    const [, second] = summaries
    expect(second?.tools).toBeUndefined()
    expect(second?.messages.slice(0, 2)).toEqual(acts[0]?.messages.slice(0, 2))
    expect(shown(second)).toEqual(['Case C-4'])
    expect(contents(second).at(-1)).toContain('the work on this sub-goal: read B.')
  })

  test('stay when they are few tokens', async () => {
    const { acts, summaries } = await run({
      script: [begins('read A', 1), begins('read B', 2), ...pages(3, 4)],
      options: { leastTokens: 2_000 },
    })

    expect(summaries).toEqual([])
    expect(shown(acts.at(-1))).toEqual(['Case C-1', 'Case C-2', 'Case C-3', 'Case C-4'])
  })

  test('that were taken before any was named are a sub-goal too', async () => {
    const { acts, summaries } = await run({ script: [...pages(1, 2), begins('read B', 3)] })

    expect(shown(acts.at(-1))).toEqual(['[Subgoal 1]', 'Case C-3'])
    expect(contents(summaries[0]).at(-1)).toContain('no sub-goal was named')
  })

  test('can be shown again, until the next sub-goal begins', async () => {
    const script: Script[] = [
      begins('read A', 1),
      ...pages(2, 2),
      begins('read B', 3),
      recall(1),
      page(4),
      begins('read C', 5),
    ]
    const ran = await run({ script })

    expect(observed(ran, 4)[0]).toMatchObject({ ok: true, content: 'steps 1 to 2 of sub-goal 1 are in view again' })
    expect(shown(ran.acts[4])).toEqual(['Case C-1', 'Case C-2', 'Case C-3'])
    const before = ran.acts[1]?.messages.slice(0, -1) ?? [] // the directive stands last
    expect(ran.acts[4]?.messages.slice(0, before.length)).toEqual(before)
    expect(shown(ran.acts.at(-1))).toEqual(['[Subgoal 1]', '[Subgoal 2]', 'Case C-5'])
  })

  test('that grow too many are summarised as a part of it, but for the newest two', async () => {
    const { acts, result } = await run({
      script: [begins('read A', 1), ...pages(2, 9)],
      options: { budgetTokens: 5_000 },
    })

    expect(result.status).toBe('answered')
    expect(shown(acts[5])).toEqual(['[Subgoal 1]', 'Case C-4', 'Case C-5'])
    expect(contents(acts[5]).at(-1)).toMatch(/^Sub-goal 2: read A\./)
    expect(shown(acts.at(-1))).toEqual(['[Subgoal 1]', '[Subgoal 2]', 'Case C-7', 'Case C-8', 'Case C-9'])
  })

  test('are as many as fit 0.6 of the context window where that is less than the budget', async () => {
    const { summaries } = await run({ script: [begins('read A', 1), ...pages(2, 9)], windowTokens: 8_000 })

    expect(summaries.length).toBeGreaterThan(1)
  })

  test('of every sub-goal that is over go where room is short, and none is shown again', async () => {
    const script: Script[] = [begins('read A', 1), begins('read B', 2), recall(1), ...pages(3, 6)]
    const { acts } = await run({ script, options: { budgetTokens: 4_000, leastTokens: 0 } })

    expect(shown(acts.at(-1))).toEqual(['[Subgoal 1]', '[Subgoal 2]', 'Case C-4', 'Case C-5', 'Case C-6'])
  })
})

describe('the current sub-goal', () => {
  test('is named in the directive, beside what the planning says, and not recorded there', async () => {
    const { acts, result } = await run({ script: [begins('read A', 1), ...pages(2, 2)], planning })

    expect(contents(acts[0]).at(-1)).toContain('read all pages')
    expect(contents(acts[0]).at(-1)).toContain('Begin your first sub-goal')
    expect(contents(acts[1]).at(-1)).toMatch(/read all pages[\s\S]*\n\nSub-goal 1: read A\. When/)
    expect(result.messages.some(({ content }) => String(content).startsWith('Sub-goal 1'))).toBe(false)
  })

  test('keeps plan and review in view when the steps they were made in go', async () => {
    const { acts } = await run({ script: [begins('read A', 1), begins('read B', 2)], planning })

    expect(acts.at(-1)?.messages.flatMap(({ note }) => note ?? [])).toEqual(['subgoal', 'plan'])
  })
})

describe('a call is refused, and the model is told why', () => {
  test.each<[string, Call, RegExp]>([
    ['of a sub-goal without words', subgoal('  '), /the sub-goal is empty/],
    ['to see one that is none', recall(7), /sub-goal 7 is none .*; those are 1 \(steps 1 to 2\)/],
    ['to see the current one', recall(2), /sub-goal 2 is none .*; those are 1/],
  ])('%s', async (_what, call, message) => {
    const ran = await run({ script: [begins('read A', 1), ...pages(2, 2), begins('read B', 3), call] })

    expect(observed(ran, 4)[0]).toMatchObject({ ok: false, content: expect.stringMatching(message) })
    expect(contents(ran.acts.at(-1)).at(-1)).toMatch(/^Sub-goal 2: read B\./)
  })

  test('to see one where nothing was summarised', async () => {
    const ran = await run({ script: [begins('read A', 1), recall(1)] })

    expect(observed(ran, 2)[0]?.content).toMatch(/there is none yet, and every step is in view/)
  })
})

describe('a summary that cannot be had', () => {
  const REFUSED = new HarnessError('E_MODEL_BAD_REQUEST', { message: 'no' })

  test.each<[string, Script]>([
    ['because it is empty', ' \n'],
    ['because the endpoint refuses it', REFUSED],
  ])('%s leaves the steps in view, and is asked for ever more seldom', async (_why, reply) => {
    const { acts, result, summaries } = await run({
      script: [begins('read A', 1), ...pages(2, 2), begins('read B', 3), ...pages(4, 24)],
      summarise: [reply],
    })

    expect(result.status).toBe('answered')
    expect(shown(acts.at(-1))).toHaveLength(24)
    expect(summaries.length).toBeGreaterThan(3)
    expect(summaries.length).toBeLessThan(16) // an empty reply is asked for twice
  })

  test('leaves it to the guard of the window to keep the run going', async () => {
    const { acts, result } = await run({
      script: pages(1, 14),
      summarise: [''],
      windowTokens: 8_000,
      memories: [memory, guard],
    })

    expect(result.status).toBe('answered')
    expect(contents(acts.at(-1)).some((content) => content.includes('left out to save space'))).toBe(true)
  })
})

test('a request that was larger than the window is made again from a summary, whatever the budget', async () => {
  const script: Script[] = [...pages(1, 4), new HarnessError('E_MODEL_CONTEXT_OVERFLOW'), ...pages(5, 5)]
  const { acts, result } = await run({ script })

  expect(result.status).toBe('answered')
  expect(shown(acts[5])).toEqual(['[Subgoal 1]', 'Case C-3', 'Case C-4'])
})

describe('the faithful memory', () => {
  const options = { faithful: true }

  test('shows 15 of 30 steps, the first and the last, and a line for each other; the middle goes first (D15.4)', async () => {
    const { acts, summaries } = await run({ script: pages(1, 30), options })

    const lines = contents(acts.at(-1)).filter((content) => /^\[Step \d+\] Left out/.test(content))
    expect(lines).toHaveLength(15)
    expect(lines[0]).toBe('[Step 8] Left out to save space; it called read.')
    expect(shown(acts.at(-1)).filter((one) => one.startsWith('Case'))).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 23, 24, 25, 26, 27, 28, 29, 30].map((one) => `Case C-${one}`),
    )
    expect(summaries).toEqual([])
  })

  test('shows fewer where they are over the budget, and the newest always', async () => {
    const { acts } = await run({ script: pages(1, 12), options: { ...options, budgetTokens: 3_500 } })
    const none = await run({ script: pages(1, 3), options: { ...options, budgetTokens: 1_000 } })

    expect(shown(acts.at(-1)).filter((one) => one.startsWith('Case'))).toEqual(['Case C-1', 'Case C-11', 'Case C-12'])
    expect(shown(none.acts.at(-1))).toEqual(['[Step 1]', '[Step 2]', 'Case C-3'])
  })

  test('brings no tools, says nothing of sub-goals, and keeps the plan', async () => {
    const { acts } = await run({ script: pages(1, 5), options: { ...options, maxSteps: 2 }, planning })

    expect(acts[0]?.tools?.map(({ name }) => name)).toEqual(['read'])
    expect(contents(acts.at(-1)).join('\n')).not.toMatch(/sub-goal/i)
    expect(acts.at(-1)?.messages.some(({ note }) => note === 'plan')).toBe(true)
    expect(shown(acts.at(-1))).toEqual(['Case C-1', '[Step 2]', '[Step 3]', '[Step 4]', 'Case C-5'])
  })

  test('shows less when a request was larger than the window', async () => {
    const script: Script[] = [...pages(1, 6), new HarnessError('E_MODEL_CONTEXT_OVERFLOW')]
    const { acts, result } = await run({ script, options })

    expect(result.status).toBe('answered')
    expect(shown(acts.at(-1)).filter((one) => one.startsWith('Case'))).toHaveLength(3)
  })
})

describe('beside another memory', () => {
  test.each<[string, readonly Module[]]>([
    ['a summary before it', [resum, memory]],
    ['a summary after it', [memory, resum]],
    ['a window before it', [window, memory]],
    ['a window after it', [memory, window]],
  ])('%s, no step is shown that a message stands for', async (_what, memories) => {
    const script = [1, 6, 11, 16].flatMap((first) => [begins(`from ${first}`, first), ...pages(first + 1, first + 4)])
    const { result, acts } = await run({ script, memories, windowTokens: 10_000 })

    expect(result.status).toBe('answered')
    for (const { messages } of acts) {
      const covers = messages.flatMap((message) => (message.covers === undefined ? [] : [message.covers]))
      for (const { step } of messages)
        expect(covers.filter(([first, last]) => step !== undefined && first <= step && step <= last)).toEqual([])
    }
  })
})

/** The steps that messages are of, or stand for, in order. */
function stepsIn(messages: readonly Message[]): readonly number[] {
  return messages.flatMap(({ role, step, covers }) => {
    if (covers !== undefined) return Array.from({ length: covers[1] - covers[0] + 1 }, (_, at) => covers[0] + at)
    return role === 'assistant' && step !== undefined ? [step] : []
  })
}

test('whatever sub-goals the model names and looks at again, every step stands in the view once', async () => {
  const extra = fc.oneof(
    fc.string({ minLength: 1, maxLength: 8 }).map(subgoal),
    fc.integer({ min: 1, max: 6 }).map(recall),
  )
  const turn = fc.array(extra, { maxLength: 2 })
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 2, maxLength: 9 }), fc.boolean(), async (turns, isTight) => {
      const script = turns.map((extras, at): Script => ({ calls: [...extras, page(at + 1)], say: `Page ${at + 1}.` }))
      const { result, acts } = await run({ script, options: isTight ? { budgetTokens: 3_000 } : {} })

      expect(result.status).toBe('answered') // strict: a view with a half step would have been refused
      for (const [index, { messages }] of acts.entries())
        expect(stepsIn(messages)).toEqual(Array.from({ length: index }, (_, at) => at + 1))
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
        after: ({ purpose, messages }) => {
          if (purpose === 'summarise') return `${messages.length} messages were seen.`
          const steps = stepsIn(messages).length
          if (steps >= 9) return 'done'
          if (steps === 6) return { calls: [recall(1), page(7)] }
          return steps % 3 === 0 ? begins(`from ${steps + 1}`, steps + 1) : { ...page(steps + 1), say: 'On.' }
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
      const options = new Map([[memory, { budgetTokens: 4_000 }]])
      return { harness: await assembleModules({ memory, action, options }, env), requests: model.requests }
    },
  })

  expect(report.faults).toEqual([])
  expect(report.points).toBeGreaterThan(20)
})

test('what a whole short run asks the model', async () => {
  const { model } = await run({ script: [begins('read A', 1), ...pages(2, 3), begins('read B', 4)], planning })

  expect(
    model.requests.map(({ purpose, messages, tools }) => ({
      purpose,
      tools: tools?.map(({ name }) => name),
      messages: messages.map(({ role, content, note }) => [role, String(content).slice(0, 60), note]),
    })),
  ).toMatchSnapshot()
})
