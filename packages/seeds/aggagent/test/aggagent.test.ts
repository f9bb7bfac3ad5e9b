import type { ModelRequest, RunResult, SubRun, Tool } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { finish, read, rolloutOf, run, TASK, TWO } from './team.js'

const textOf = (request: ModelRequest | undefined): string => JSON.stringify(request?.messages)
const offered = ({ tools = [] }: ModelRequest): readonly string[] => tools.map(({ name }) => name)
const runsOf = ({ steps: [first] }: RunResult): readonly SubRun[] =>
  first?.action.kind === 'spawn' ? first.action.runs : []
const META = ['get_solution', 'search_trajectory', 'get_segment', 'finish']

describe('rollouts', () => {
  test('are runs of the task, each in a copy of the workspace of which nothing is merged', async () => {
    const { result } = await run({ options: { rollouts: 4 }, rollouts: [...TWO, ...TWO] })

    expect(result.steps[0]?.action).toMatchObject({ kind: 'spawn', merge: false, concurrency: 4 })
    expect(Object.keys(result.children)).toEqual(['1.rollout-1', '1.rollout-2', '1.rollout-3', '1.rollout-4'])
    for (const one of runsOf(result))
      expect(one).toMatchObject({ task: { instruction: TASK }, workspace: 'fork', limits: { steps: 40 } })
  })

  test('act as ReAct does with the tools of the environment, and see neither each other nor the aggregator', async () => {
    const { model } = await run()

    const second = model.requests.filter((request) => rolloutOf(request) === 2)
    expect(second.map((request) => [request.purpose, offered(request)])).toEqual([
      ['act', ['read']],
      ['act', ['read']],
    ])
    for (const words of ['I read page 1.', 'Candidate', 'You judge', 'rollout'])
      expect(textOf(second[1])).not.toContain(words)
  })

  test('have luck of their own: each its seed and its session', async () => {
    const { model } = await run()

    const first = model.requests.filter(({ messages }) => messages.length === 2)
    expect(new Set(first.map(({ seed }) => seed)).size).toBe(2)
    expect(new Set(first.map(({ session }) => session)).size).toBe(2)
  })

  test.each([
    [{}, 2, 40],
    [{ rolloutSteps: 'share' }, 2, 20],
    [{ faithful: true }, 1, 20],
    [{ rolloutSteps: 'share', rollouts: 16 }, 4, 5],
  ])('with %o run %d at once, with at most %d steps each', async (options, width, steps) => {
    let atOnce = 0
    let most = 0
    const slow: Tool = {
      ...read,
      async execute() {
        most = Math.max(most, ++atOnce)
        await new Promise((resolve) => setImmediate(resolve))
        atOnce--
        return 'read'
      },
    }
    const { result } = await run({ options, rollouts: Array(16).fill(TWO[0]), env: { tools: [slow] } })

    expect(most).toBe(width)
    for (const one of runsOf(result)) expect(one.limits).toEqual({ steps })
  })

  test('of which one fails are told with the reason, and the others count', async () => {
    const { told, result } = await run({
      rollouts: [[{ call: 'read', with: { page: 1 }, say: 'Hm.' }], TWO[1] ?? []],
      judge: ['I do not know.'],
    })

    expect(told[0]).toContain('[Rollout 1] limit (loop) after 4 steps')
    expect(result).toMatchObject({ status: 'answered', answer: 'The sum is 8.' })
  })
})

describe('the aggregator', () => {
  test('has tools of its own and none of the environment, and is shown the answers before it says anything', async () => {
    const { judged, result } = await run()

    expect(judged.map((request) => [request.purpose, offered(request), request.parallelToolCalls])).toEqual([
      ['judge', META, false],
    ])
    expect(textOf(judged[0])).toContain('You judge their work')
    expect(String(judged[0]?.messages.at(-1)?.content).split('\n')).toEqual([
      'Candidate 1: The sum is 7.',
      '[Rollout 1] answered after 2 steps',
      'Candidate 2: The sum is 8.',
      '[Rollout 2] answered after 2 steps',
    ])
    expect(result.steps[1]?.modelCalls).toEqual([])
  })

  test('answers with finish, in its own words', async () => {
    const { result } = await run({ judge: [finish('The sum is 7, as page 1 says.', 2)] })

    expect(result).toMatchObject({ status: 'answered', answer: 'The sum is 7, as page 1 says.' })
    expect(result.steps.map(({ action }) => action.kind)).toEqual(['spawn', 'call', 'call', 'answer'])
    expect(result.steps.at(-1)?.modelCalls).toEqual([])
  })

  test('finds what rollouts saw and said, by words in their order, and reads steps of one', async () => {
    const { told } = await run({
      judge: [
        { call: 'search_trajectory', with: { query: 'number of page 1', role: 'tool', limit: 1 } },
        { call: 'search_trajectory', with: { query: 'look at page' } },
        { call: 'search_trajectory', with: { query: 'zebra' } },
        { call: 'get_segment', with: { rollout: 2, from: 1, to: 9 } },
        finish('7'),
      ],
    })

    expect(told.slice(1, 5)).toEqual([
      '[Rollout 1, step 1, a tool]\nThe number of page 1 is 7.',
      expect.stringMatching(/^\[Rollout 2, step 1, the agent\]\nI look at page 1\.\nread \{"page":1\}\n\n/),
      'No rollout saw or said anything of it.',
      '[Rollout 2, step 1, the agent]\nI look at page 1.\nread {"page":1}\n\n[Rollout 2, step 1, a tool]\nThe number of page 1 is 7.\n\n[Rollout 2, step 2, the agent]\nThe sum is 8.',
    ])
  })

  test('is told what is wrong with its calls, and goes on', async () => {
    const { told, result } = await run({
      judge: [
        { call: 'get_segment', with: { rollout: 3, from: 1 } },
        { call: 'get_segment', with: { rollout: 1, from: 8 } },
        { call: 'finish', with: { answer: '7', rollout: 1 } },
        finish('7', 5),
        finish(' '),
        { call: 'read', with: { page: 1 } },
        finish('7'),
      ],
    })

    expect(told.slice(1, -1)).toEqual([
      expect.stringContaining('there is no rollout 3: there are 1 to 2'),
      expect.stringContaining('rollout 1 has 2 steps, and no step 8'),
      expect.stringContaining('explanation'),
      expect.stringContaining('there is no rollout 5'),
      expect.stringContaining('the answer is empty'),
      expect.stringContaining('"read" is not on offer now'),
    ])
    expect(result.answer).toBe('7')
  })

  test('gives an answer in the shape that the task asks for, and is told when it is none', async () => {
    const output = { type: 'object', properties: { sum: { type: 'integer' } } }
    const { told, result } = await run({
      task: { instruction: TASK, output },
      rollouts: [['{"sum":7}'], ['{"sum":8}']],
      judge: [finish('seven'), finish('{"sum":7}')],
    })

    expect(told[1]).toContain('must be JSON of the form that the task asks for')
    expect(result.answer).toEqual({ sum: 7 })
  })

  test('that says something without a call is told to make one', async () => {
    const { judged, result } = await run({ judge: ['I think it is 7.', finish('7')] })

    expect(judged[1]?.messages.at(-1)).toMatchObject({ role: 'user', note: 'feedback' })
    expect(textOf(judged[1])).toContain('Nothing was called.')
    expect(result.answer).toBe('7')
  })

  test('must finish in its last turn, and if it does not the first rollout that answered stands (D15.9)', async () => {
    const { judged, result } = await run({ judge: ['Hm.'], options: { turns: 3 } })

    expect(judged.map(offered)).toEqual([META, META, ['finish']])
    expect(judged.at(-1)).toMatchObject({ choice: { tool: 'finish' } })
    expect(judged.at(-1)?.messages.at(-1)?.content).toContain('Call finish now.')
    expect(result).toMatchObject({ status: 'answered', answer: 'The sum is 7.' })
  })

  test('must finish when its view is larger than its budget', async () => {
    const { judged } = await run({ judge: [finish('7')], options: { budgetTokens: 1_000 }, contextWindow: 300 })

    expect(judged.map(offered)).toEqual([['finish']])
  })

  test('has 12 turns, and 100 when faithful', async () => {
    const turns = async (options: { readonly faithful: boolean }): Promise<number> => {
      const { judged } = await run({ judge: ['Hm.'], options, limits: { steps: 200 } })
      return judged.length
    }

    expect([await turns({ faithful: false }), await turns({ faithful: true })]).toEqual([12, 100])
  })

  test('of rollouts that all say nothing fails with that reason', async () => {
    const silent = [{ call: 'read', with: { page: 1 } }]
    const { result } = await run({
      rollouts: [silent, silent],
      judge: ['Hm.'],
      options: { turns: 1 },
      limits: { toolCalls: 4 },
    })

    expect(result).toMatchObject({ status: 'failed', reason: 'no rollout gave an answer, and none was adjudicated' })
  })
})

test('at a limit the answer is that of the first rollout that answered, else of the first that says something', async () => {
  const { result } = await run({ judge: ['Hm.'], limits: { steps: 3 } })
  const late = await run({
    rollouts: [[{ call: 'read', with: { page: 1 }, say: 'Hm.' }], TWO[1] ?? []],
    judge: ['Hm.'],
    limits: { steps: 3 },
  })

  expect(result).toMatchObject({ status: 'limit', reason: 'steps', answer: 'The sum is 7.' })
  expect(late.result).toMatchObject({ status: 'limit', reason: 'steps', answer: 'The sum is 8.' })
})

test('a verdict that was given in the last step is the answer', async () => {
  const { result } = await run({ judge: [finish('The sum is 7, I say.')], limits: { steps: 3 } })

  expect(result).toMatchObject({ status: 'limit', reason: 'steps', answer: 'The sum is 7, I say.' })
})

test.each([
  ['without rollouts', { options: { rollouts: 0 } }],
  ['where no depth is left for them', { limits: { depth: 0 } }],
])('%s the task is done once, with the tools of the environment', async (_what, setup) => {
  const { result, model } = await run({ ...setup, judge: TWO[0] ?? [] })

  expect(model.requests.map((request) => [request.purpose, offered(request)])).toEqual([
    ['act', ['read']],
    ['act', ['read']],
  ])
  expect(result).toMatchObject({ answer: 'The sum is 7.', children: {} })
})

test('what a whole short run asks the model', async () => {
  const { model } = await run({
    judge: [{ call: 'search_trajectory', with: { query: 'page 1' }, say: 'They do not agree.' }, finish('7')],
    options: { faithful: true },
  })

  expect(
    model.requests.map(({ purpose, messages, tools }) => ({
      purpose,
      tools: tools?.map((tool) => tool.name),
      messages: messages.map(({ role, content, toolCalls, note }) => [
        role,
        String(content).slice(0, 60),
        toolCalls?.map((call) => call.name) ?? note,
      ]),
    })),
  ).toMatchSnapshot()
})
