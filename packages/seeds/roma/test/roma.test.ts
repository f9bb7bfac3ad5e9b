import type { Json, ModelRequest, RunResult, Tool } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { divided, type Part, read, run, subtasks, TASK, taskOf } from './tree.js'

const textOf = (request: ModelRequest | undefined): string => JSON.stringify(request?.messages)
const purposesOf = (requests: readonly ModelRequest[]): readonly string[] => requests.map(({ purpose }) => purpose)
const pages = divided(subtasks(['Read page 1.', 'Read page 2.', 'Add the numbers.'], { 3: ['1', '2'] }))
const reader = (page: number): Part => ({ act: [{ call: 'read', with: { page } }, `it says ${page * 7}`] })
const reading = { 'Read page 1': reader(1), 'Read page 2': reader(2), 'Add the numbers': { act: ['21'] } }

describe('a task', () => {
  test('that is atomic is done as ReAct does it, after one question', async () => {
    const { result, model } = await run({ parts: { [TASK]: { act: [{ call: 'read', with: { page: 1 } }, '7'] } } })

    expect(purposesOf(model.requests)).toEqual(['atomise', 'act', 'act'])
    expect(model.requests.map(({ tools }) => tools?.map(({ name }) => name))).toEqual([undefined, ['read'], ['read']])
    expect(result).toMatchObject({ status: 'answered', answer: '7', children: {} })
  })

  test('that is not is planned, done by a run for each part, one layer after another, and put together', async () => {
    const { result, requestsOf } = await run({ parts: { [TASK]: pages, ...reading } })

    expect(purposesOf(requestsOf(TASK))).toEqual(['atomise', 'plan', 'aggregate'])
    expect(result.steps.map(({ action }) => action.kind)).toEqual(['spawn', 'spawn', 'answer'])
    expect(Object.keys(result.children)).toEqual(['1.1', '1.2', '2.3'])
    expect(result).toMatchObject({ status: 'answered', answer: 'all of it' })
  })

  test.each([
    ['"false" is not atomic (D15.8)', '{"is_atomic":"false"}', 'plan'],
    ['false in a sentence is not either', 'Well: is_atomic: false, I think.', 'plan'],
    ['what cannot be read is atomic', 'Hard to say.', 'act'],
    ['"true" is', '{"is_atomic":"true"}', 'act'],
  ])('%s', async (_what, atomise, then) => {
    const { requestsOf } = await run({ parts: { [TASK]: { ...pages, atomise }, ...reading } })

    expect(requestsOf(TASK)[1]?.purpose).toBe(then)
  })

  test('whose plan has one part, or none that can be read, is done in one go', async () => {
    for (const plan of [subtasks(['Read all pages.']), 'First I would read page 1.']) {
      const { result, requestsOf } = await run({ parts: { [TASK]: divided(plan) } })

      expect(purposesOf(requestsOf(TASK))).toEqual(['atomise', 'plan', 'act'])
      expect(result.children).toEqual({})
    }
  })
})

describe('a part', () => {
  test('sees its own words and the results of those on which it depends, and nothing else', async () => {
    const { requestsOf } = await run({ parts: { [TASK]: pages, ...reading } })

    const [first] = requestsOf('Read page 1')
    const [sum] = requestsOf('Add the numbers')
    for (const words of [TASK, 'Read page 2', 'The task is divided']) expect(textOf(first)).not.toContain(words)
    expect(taskOf(sum as ModelRequest)).toBe(
      'Add the numbers.\n\n<context>\nResult of "Read page 1.":\nit says 7\n\nResult of "Read page 2.":\nit says 14\n</context>',
    )
  })

  test('has what was handed to the whole task: its context and its inputs', async () => {
    const plan = divided(subtasks(['Write chapter 1.', 'Write chapter 2.']))
    const { requestsOf } = await run({
      parts: {
        [TASK]: divided(subtasks(['Find a title.', 'Write the book.'], { 2: [1] })),
        'Find a title': { act: ['Seven'] },
        'Write the book': plan,
      },
      task: { instruction: TASK, inputs: { language: 'en' } },
    })

    const task = taskOf(requestsOf('Write chapter 2')[0] as ModelRequest)
    expect(task).toContain('"language": "en"')
    expect(task).toContain('Result of "Find a title.":\nSeven')
  })

  test('is asked whether it is atomic while depth is left, and not at the last level', async () => {
    const { result } = await run({
      parts: { Split: divided(subtasks(['Split a.', 'Split b.'])) },
      task: { instruction: 'Split.' },
      options: { maxDepth: 2, leastSteps: 1 },
      limits: { steps: 60 },
    })

    const purposes = ({ steps }: RunResult): readonly string[] =>
      steps.flatMap(({ modelCalls }) => modelCalls.map(({ purpose }) => purpose))
    const below = ({ children }: RunResult): readonly RunResult[] => Object.values(children)
    for (const one of [result, ...below(result)]) expect(purposes(one)).toEqual(['atomise', 'plan', 'aggregate'])
    expect(below(result).flatMap(below).map(purposes)).toEqual([['act'], ['act'], ['act'], ['act']])
  })

  test('has no planning, so that one that goes with the seed is asked for the whole task alone', async () => {
    const { result } = await run({ parts: { [TASK]: pages, ...reading } })

    expect(result.steps[0]?.action).toMatchObject({ runs: [{ harness: { extends: 'self', planning: null } }, {}] })
  })

  test('that fails is told to those that depend on it, and to the aggregate', async () => {
    const { result, requestsOf } = await run({
      parts: {
        [TASK]: pages,
        ...reading,
        'Read page 2': { act: [{ call: 'read', with: { page: 2 }, say: 'I read.' }] },
      },
      limits: { steps: 20 },
    })

    const failure = 'error: the run 2 ended as limit (loop); its best answer: I read.'
    expect(taskOf(requestsOf('Add the numbers')[0] as ModelRequest)).toContain(failure)
    expect(textOf(requestsOf(TASK).at(-1))).toContain(failure)
    expect(textOf(requestsOf(TASK).at(-1))).toContain('2. Read page 2. (failed)')
    expect(result.status).toBe('answered')
  })
})

test('parts of one layer are worked on at once, as many as the option says, and two when faithful', async () => {
  const most = async (options: { readonly [name: string]: Json }): Promise<number> => {
    let atOnce = 0
    let seen = 0
    const slow: Tool = {
      ...read,
      async execute() {
        seen = Math.max(seen, ++atOnce)
        await new Promise((resolve) => setImmediate(resolve))
        atOnce--
        return 'read'
      },
    }
    const parts = { [TASK]: divided(subtasks(['Read 1.', 'Read 2.', 'Read 3.', 'Read 4.'])), Read: reader(1) }
    await run({ parts, options, env: { tools: [slow] } })
    return seen
  }

  expect([await most({}), await most({ concurrency: 1 }), await most({ faithful: true })]).toEqual([4, 1, 2])
})

describe('parts that wait for each other', () => {
  const circle = subtasks(['Read page 1.', 'Read page 2.'], { 1: ['2'], 2: [1] })

  test('are asked for once more, with the circle in view', async () => {
    const parts = { [TASK]: { ...pages, plan: [circle, subtasks(['Read page 1.', 'Read page 2.'])] }, ...reading }
    const { result, requestsOf } = await run({ parts })

    expect(purposesOf(requestsOf(TASK))).toEqual(['atomise', 'plan', 'plan', 'aggregate'])
    expect(textOf(requestsOf(TASK)[2])).toContain('1. Read page 1. (open, after 2)')
    expect(Object.keys(result.children)).toEqual(['1.1', '1.2'])
  })

  test('are done one after another where they still do (D15.8)', async () => {
    const { result } = await run({ parts: { [TASK]: { ...pages, plan: [circle] }, ...reading } })

    expect(Object.keys(result.children)).toEqual(['1.1', '2.2'])
    expect(result.status).toBe('answered')
  })
})

describe('the aggregate', () => {
  test.each([
    ['an object with an answer', '{"answer":"21"}', '21'],
    ['a plain text', 'It is 21.', 'It is 21.'],
  ])('of %s is the answer', async (_what, aggregate, answer) => {
    const { result } = await run({ parts: { [TASK]: { ...pages, aggregate }, ...reading } })

    expect(result.answer).toBe(answer)
    expect(result.messages.at(-1)?.content).toBe(answer)
  })

  test('that is empty is the results, one after another', async () => {
    const { result } = await run({ parts: { [TASK]: { ...pages, aggregate: '{"answer":""}' }, ...reading } })

    expect(result.answer).toBe(
      'Result of "Read page 1.":\nit says 7\n\nResult of "Read page 2.":\nit says 14\n\nResult of "Add the numbers.":\n21',
    )
  })

  test('has the shape that the task asks for', async () => {
    const output = { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] }
    const { result, requestsOf } = await run({
      parts: { [TASK]: { ...pages, aggregate: '{"sum":21}' }, ...reading },
      task: { instruction: TASK, output },
    })

    expect(requestsOf(TASK).at(-1)?.schema).toEqual(output)
    expect(result.answer).toEqual({ sum: 21 })
  })

  test('is asked for at a limit too, from the results that there are', async () => {
    const parts = { [TASK]: { ...pages, aggregate: '{"answer":"as far as it goes"}' }, ...reading }
    const { result, requestsOf } = await run({ parts, limits: { toolCalls: 1, steps: 21 } })

    expect(requestsOf(TASK).at(-1)?.purpose).toBe('aggregate')
    expect(result.answer).toBe('as far as it goes')
  })
})

test('a limit of steps that has no room for two parts leaves the task whole, without asking', async () => {
  const { model } = await run({ parts: { [TASK]: pages }, limits: { steps: 12 } })

  expect(purposesOf(model.requests)).toEqual(['act'])
})

test('the parts are a note in the history: the plan stands before its results, which are told by part', async () => {
  const { requestsOf } = await run({ parts: { [TASK]: pages, ...reading } })

  const notes = requestsOf(TASK)
    .at(-1)
    ?.messages.map(({ note }) => note)
  expect(notes).toEqual([undefined, undefined, 'plan', 'result', 'result', 'result', 'result', 'result', undefined])
  expect(textOf(requestsOf(TASK).at(-1))).toContain('1. Read page 1. (done)\\n2. Read page 2. (done)')
})

test('what a whole short run asks the model', async () => {
  const { model } = await run({ parts: { [TASK]: pages, ...reading }, options: { concurrency: 1 } })

  expect(
    model.requests.map(({ purpose, messages, tools }) => ({
      purpose,
      tools: tools?.map((tool) => tool.name),
      messages: messages.map(({ role, content, note }) => [role, String(content).slice(0, 60), note]),
    })),
  ).toMatchSnapshot()
})
