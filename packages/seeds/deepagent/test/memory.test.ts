import { defineModule, type Message, type ModelRequest, type Module } from '@harnesswright/core'
import { memory } from '@harnesswright/seed-deepagent'
import { planning } from '@harnesswright/seed-flash-searcher'
import { memory as guard, window } from '@harnesswright/seed-react'
import { memory as resum } from '@harnesswright/seed-resum'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contents, fold, observed, page, pages, run, thinking } from './stream.js'

const shown = (request: ModelRequest | undefined) => request?.messages.find(({ note }) => note === 'fold')
const steps = (request: ModelRequest | undefined) => [...new Set(request?.messages.flatMap(({ step }) => step ?? []))]
const folding = ({ model }: { readonly model: { readonly requests: readonly ModelRequest[] } }) =>
  model.requests.filter(({ purpose }) => purpose === 'fold')

describe('a fold', () => {
  test('puts what is written of events, goals and tools in place of all steps so far', async () => {
    const { acts } = await run({ script: [...pages(3), fold, page(4)] })

    expect(steps(acts[3])).toEqual([1, 2, 3])
    expect(steps(acts[4])).toEqual([4])
    expect(shown(acts[4])).toMatchObject({
      role: 'user',
      covers: [1, 3],
      content: [
        '[Compressed Step 1 to 3]',
        'Task: Read.',
        'Events:\n- event one',
        'Progress: one',
        'Goal: goal one',
        'Tools:\n- tool one: x',
      ].join('\n'),
    })
    expect(steps(acts.at(-1))).toEqual([4, 5])
  })

  test('is written in three calls at once, of what is in view, with results cut', async () => {
    const options = { observationChars: 300, responseChars: 200 }
    const ran = await run({ script: [...pages(2), fold], memory: options })
    const asked = folding(ran)

    expect(asked.map(({ schema }) => Object.keys(schema?.['properties'] as object)[0])).toEqual([
      'task_description',
      'immediate_goal',
      'tools_used',
    ])
    const longest = asked.map(({ messages }) =>
      Math.max(...messages.filter(({ role }) => role === 'tool').map(({ content }) => content.length)),
    )
    expect(longest).toEqual([301, 301, 201])
    expect(contents(asked[0])[1]).toBe('Read the pages.')
    expect(ran.result.steps[2]?.modelCalls.map(({ purpose }) => purpose)).toEqual(['act', 'fold', 'fold', 'fold'])
  })

  test.each([
    [false, 3],
    [true, 1],
  ])('that is faithful: %s has %d of them under way at once', async (faithful, width) => {
    let under = 0
    let most = 0
    const slow = async (request: ModelRequest) => {
      most = Math.max(most, ++under)
      await new Promise((resolve) => setImmediate(resolve))
      under--
      return thinking('one')(request)
    }
    await run({ script: [page(1), fold], folds: [slow, slow, slow], memory: { faithful } })

    expect(most).toBe(width)
  })

  test('keeps the memories of the fold before (D15.6), which the model sees when it writes the next', async () => {
    const one = Array(3).fill(thinking('one'))
    const ran = await run({
      script: [page(1), fold, page(2), fold, page(3)],
      folds: [...one, ...Array(3).fill(thinking('two'))],
    })

    const content = String(shown(ran.acts.at(-1))?.content)
    for (const words of ['event one', 'event two', 'tool one', 'tool two', 'Progress: two', 'goal two'])
      expect(content).toContain(words)
    expect(content).not.toContain('goal one')
    expect(contents(folding(ran)[3]).some((text) => text.includes('event one'))).toBe(true)
  })

  test('is refused the fourth time (D15.6), and the view stays as it was', async () => {
    const ran = await run({ script: [1, 2, 3, 4].flatMap((number) => [page(number), fold]) })

    expect(observed(ran, 6)[0]?.content).toBe('steps 1 to 5 are folded; 0 more folds can be made')
    expect(observed(ran, 8)[0]?.content).toBe('error: fold_thought failed: all 3 folds are made')
    expect(folding(ran)).toHaveLength(9)
    expect(shown(ran.acts.at(-1))?.covers).toEqual([1, 5])
  })

  test('without a step since the last one is refused', async () => {
    const ran = await run({ script: [fold] })

    expect(observed(ran, 1)[0]?.content).toBe('error: fold_thought failed: nothing was done since the last fold')
  })

  test.each<[string, Parameters<typeof run>[0]['folds'], RegExp]>([
    ['says nothing', ['{"key_events":[]}', thinking('one'), thinking('one')], /nothing was said for episodic/],
    ['is no JSON', [thinking('one'), 'Go on.', 'Well.'], /nothing was said for working, tool: your steps stay/],
    ['fails', [thinking('one'), new Error('down'), thinking('one')], /fold_thought failed/],
  ])('of which a part %s changes nothing, and is not counted', async (_what, folds, message) => {
    const ran = await run({
      script: [page(1), fold, fold],
      folds: [...(folds ?? []), ...Array(9).fill(thinking('two'))],
      memory: { folds: 1 },
    })

    expect(observed(ran, 2)[0]).toMatchObject({ ok: false, content: expect.stringMatching(message) })
    expect(steps(ran.acts[2])).toEqual([1, 2])
    expect(observed(ran, 3)[0]?.ok).toBe(true)
  })

  test.each([
    [false, ['fold', 'plan']],
    [true, ['fold']],
  ])('that is faithful: %s leaves of plan and fold in view %j', async (faithful, notes) => {
    const { acts } = await run({ planning, script: [...pages(2), fold], memory: { faithful } })

    expect(acts.at(-1)?.messages.flatMap(({ note }) => note ?? [])).toEqual(notes)
  })

  test('loses nothing of the record of the run', async () => {
    const { result } = await run({ script: [...pages(3), fold, page(4)] })

    expect(result.messages.filter(({ content }) => String(content).startsWith('Case C-'))).toHaveLength(4)
  })
})

test('without folds there is no tool for them, and no word of them', async () => {
  const { acts } = await run({ script: [page(1)], memory: { folds: 0 } })

  expect(JSON.stringify([acts[0]?.tools, acts[0]?.messages])).not.toMatch(/fold/)
})

test('requests begin as the one before, but for the one after a fold', async () => {
  const { acts } = await run({ script: [...pages(3), fold, ...pages(3).map((_, at) => page(at + 4))] })

  for (const [index, { messages }] of acts.entries()) {
    const before = acts[index - 1]?.messages ?? []
    if (index !== 4) expect(messages.slice(0, before.length)).toEqual(before)
  }
})

test('a model that folds nothing is kept within the window by the guard that the seed lists after this memory', async () => {
  const { result, acts } = await run({ script: pages(14), windowTokens: 2_000, memories: [memory, guard] })

  expect(result.status).toBe('answered')
  expect(contents(acts.at(-1)).some((content) => content.includes('left out to save space'))).toBe(true)
})

const covering: Module = defineModule({
  slot: 'memory',
  summary: 'Stands for the first two steps.',
  view: ({ view, head, history }) => {
    if (history.length < 2) return view
    const rest = view.messages.slice(head.length).filter(({ step = 3 }) => step > 2)
    return { messages: [...head, { role: 'user', content: 'Two steps.', covers: [1, 2] }, ...rest] }
  },
})

/** Steps that stand in a view more than once, as themselves or behind a message of this memory. */
function shownTwice(messages: readonly Message[]): readonly number[] {
  const covers = messages.flatMap(({ covers: range, note }) => (range === undefined || note !== 'fold' ? [] : [range]))
  return messages.flatMap(({ step = 0 }) =>
    covers.some(([first, last]) => first <= step && step <= last) ? [step] : [],
  )
}

describe('beside another memory', () => {
  test.each<[string, readonly Module[]]>([
    ['a summary before it', [resum, memory]],
    ['a summary after it', [memory, resum]],
    ['a window after it', [memory, window]],
    ['one that stands for steps', [covering, memory]],
  ])('%s, no step is shown that a fold stands for', async (_what, memories) => {
    const script = [...pages(4), fold, ...pages(12).map((_, at) => page(at + 20)), fold, page(40)]
    const { result, acts } = await run({
      script,
      memories,
      windowTokens: 3_000,
      summaries: ['<summary>Much.</summary>'],
    })

    expect(result.status).toBe('answered')
    for (const { messages } of acts) expect(shownTwice(messages)).toEqual([])
  })
})

test('whatever is folded when, each step stands in the view once, as itself or in the fold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }), fc.boolean(), async (turns, faithful) => {
      const script = turns.map((isFold, at) => (isFold ? fold : page(at + 1)))
      const { result, acts } = await run({ script, memory: { faithful } })

      // Strict: a view with a half step would have failed. Folds that are refused one after another end as a loop.
      expect(result.status).toBe(result.reason === 'loop' ? 'limit' : 'answered')
      for (const [index, request] of acts.entries()) {
        const through = shown(request)?.covers?.[1] ?? 0
        expect(steps(request)).toEqual(Array.from({ length: index - through }, (_, at) => through + at + 1))
      }
    }),
    { numRuns: 15, examples: [[[false, ...Array<boolean>(7).fill(true)], false]] },
  )
}, 30_000)
