import type { ModelRequest, RunResult, SubRun, Tool } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { expertOf, look, read, run, selects, TASK, THREE } from './panel.js'

const textOf = (request: ModelRequest | undefined): string => JSON.stringify(request?.messages)
const runsOf = ({ steps: [first] }: RunResult): readonly SubRun[] =>
  first?.action.kind === 'spawn' ? first.action.runs : []
const purposes = (requests: readonly ModelRequest[]) => requests.map(({ purpose }) => purpose)

describe('experts', () => {
  test('are three runs of the task, each in a copy of the workspace of which nothing is merged', async () => {
    const { result } = await run()

    expect(result.steps[0]?.action).toMatchObject({ kind: 'spawn', merge: false, concurrency: 3 })
    expect(Object.keys(result.children)).toEqual(['1.expert-1', '1.expert-2', '1.expert-3'])
    for (const one of runsOf(result))
      expect(one).toMatchObject({ task: { instruction: TASK }, workspace: 'fork', limits: { steps: 40 } })
  })

  test('work along a plan, the first one, or reason and act, the others, and see nothing of each other', async () => {
    const { requestsOf } = await run()

    expect([1, 2, 3].map((number) => purposes(requestsOf(number)))).toEqual([
      ['plan', 'act', 'act'],
      ['act', 'act'],
      ['act', 'act'],
    ])
    expect(textOf(requestsOf(1).at(-1))).toContain('Next on the roadmap: look at page 1')
    for (const number of [1, 2, 3])
      for (const words of ['critic', 'xpert', 'You judge'])
        expect(textOf(requestsOf(number).at(-1))).not.toContain(words)
    expect(requestsOf(2)[0]?.tools?.map(({ name }) => name)).toEqual(['read'])
  })

  test.each([
    [0, ['act', 'act', 'act', 'act']],
    [2, ['plan', 'act', 'act', 'plan', 'act', 'act']],
  ])('of which %d plan ask for %j, the first two of them', async (planners, expected) => {
    const { requestsOf } = await run({ options: { planners, experts: 2 } })

    expect(purposes([...requestsOf(1), ...requestsOf(2)])).toEqual(expected)
  })

  test('plan with the planning of the manifest, where it has one', async () => {
    const use = { use: '@harnesswright/seed-plan-and-execute#planning', with: { maxGoals: 2 } }
    const { model } = await run({ change: { planning: use } })
    const plans = model.requests.filter(({ purpose }) => purpose === 'plan')

    expect(plans.map(expertOf)).toEqual([undefined, 1])
  })

  test('have luck of their own', async () => {
    const { requestsOf } = await run()

    expect(new Set([1, 2, 3].map((number) => requestsOf(number)[0]?.seed)).size).toBe(3)
  })

  test.each([
    [{}, 3, 40],
    [{ expertSteps: 'share' }, 3, 13],
    [{ faithful: true }, 1, 13],
    [{ expertSteps: 'share', experts: 10 }, 4, 5],
  ])('with %o run %d at once, with at most %d steps each', async (options, width, steps) => {
    let atOnce = 0
    let most = 0
    const slow: Tool = {
      ...read,
      async execute() {
        most = Math.max(most, ++atOnce)
        await new Promise((resolve) => setImmediate(resolve))
        await new Promise((resolve) => setImmediate(resolve))
        atOnce--
        return 'read'
      },
    }
    const { result } = await run({
      options: { planners: 0, ...options },
      experts: Array(10).fill(THREE[0]),
      env: { tools: [slow] },
    })

    expect(most).toBe(width)
    for (const one of runsOf(result)) expect(one.limits).toEqual({ steps })
  })
})

describe('the critic', () => {
  test('is asked once, without tools, with every answer on a line of its own and what was seen for it', async () => {
    const { judged, result } = await run()

    expect(judged).toHaveLength(1)
    expect(judged[0]).toMatchObject({ purpose: 'judge', schema: { title: 'judge' } })
    expect(judged[0]?.tools).toBeUndefined()
    const content = String(judged[0]?.messages.at(-1)?.content)
    expect(content.match(/^Expert \d: .*$/gm)).toEqual([
      'Expert 1: The sum is 7.',
      'Expert 2: The sum is 8.',
      'Expert 3: The sum is 9.',
    ])
    expect(content).toContain('- seen by expert 2 in step 1: The number of page 1 is 7.')
    expect(result.steps.map(({ action }) => action.kind)).toEqual(['spawn', 'think', 'answer'])
  })

  test('selects an expert, whose answer stands', async () => {
    const { result } = await run({ critic: selects(3) })

    expect(result).toMatchObject({ status: 'answered', answer: 'The sum is 9.' })
    expect(result.steps.at(-1)?.action).toMatchObject({ kind: 'answer', commit: '1.expert-3' })
  })

  test('may put the answer together from several, where nothing but answers was left', async () => {
    const { result, judged } = await run({ critic: selects(3, 'The sum is 7, as page 1 says.') })

    expect(result.answer).toBe('The sum is 7, as page 1 says.')
    expect(textOf(judged[0])).toContain('it may take from each of them')
  })

  test('may not where an expert changed something: answer and files are of one expert', async () => {
    const put: Tool = { ...read, name: 'put', readOnly: false }
    const experts = [THREE[0] ?? [], [{ call: 'put', with: { page: 1 } }, 'Put it.'], THREE[2] ?? []]
    const { result, judged } = await run({ critic: selects(2, 'All of it.'), experts, env: { tools: [read, put] } })

    expect(result.answer).toBe('Put it.')
    expect(textOf(judged[0])).toContain('Its files are kept and its answer stands as it is')
  })

  test('has its scores kept beside the answer', async () => {
    const kept = new Map<string, unknown>()
    const artifacts = {
      put: (id: string, value: unknown) => void kept.set(id, value),
      get: (id: string) => kept.get(id),
    }
    const { result } = await run({ critic: selects(2), env: { artifacts } as never })

    expect(result.artifacts).toHaveLength(1)
    expect(kept.get(String(result.artifacts[0]))).toEqual({
      selected_expert: 2,
      scores: [{ expert: 1, compliance: 3 }],
    })
  })

  test.each([
    ['that is no JSON', 'Expert 2 is best.'],
    ['that selects nobody', selects(9)],
    ['that fails', new Error('down')],
  ])('%s leaves the first expert standing (D15.10)', async (_what, critic) => {
    const { result } = await run({ critic })

    expect(result).toMatchObject({ status: 'answered', answer: 'The sum is 7.', artifacts: [] })
    expect(result.steps.at(-1)?.action).toMatchObject({ commit: '1.expert-1' })
  })

  test('gives an answer in the form that the task asks for, and where it does not that of its expert stands', async () => {
    const output = { type: 'object', properties: { sum: { type: 'integer' } }, required: ['sum'] }
    const experts = [7, 8, 9].map((sum) => [look, JSON.stringify({ sum })])
    const answerTo = async (answer: string) =>
      (await run({ task: { instruction: TASK, output }, experts, critic: selects(2, answer) })).result.answer

    expect(await answerTo('{"sum":5}')).toEqual({ sum: 5 })
    expect(await answerTo('five')).toEqual({ sum: 8 })
  })

  const silent = [look]
  test('is told of experts without an answer, and is not asked where only one has one', async () => {
    const limits = { toolCalls: 6 }
    const one = await run({ experts: [silent, THREE[1] ?? [], THREE[2] ?? []], options: { planners: 0 }, limits })
    expect(textOf(one.judged[0])).toContain('xpert 1')

    const only = await run({ options: { experts: 1 } })
    expect(only.judged).toEqual([])
    expect(only.result).toMatchObject({ status: 'answered', answer: 'The sum is 7.' })
  })
})

test.each([
  [1, 'The sum is 7.'],
  [2, 'The sum is 8.'],
])('at a limit of %d steps the answer is that of the expert that stands then', async (steps, answer) => {
  const { result } = await run({
    limits: { steps },
    options: { planners: 0 },
    experts: [7, 8, 9].map((sum) => [`The sum is ${sum}.`]),
  })

  expect(result).toMatchObject({ status: 'limit', reason: 'steps', answer })
})

test.each([
  ['without experts', { options: { experts: 0 } }],
  ['where no depth is left for them', { limits: { depth: 0 } }],
])('%s the task is done once, with the tools of the environment', async (_what, setup) => {
  const { result, model } = await run({ ...setup, critic: 'The sum is 7.' })

  expect(purposes(model.requests)).toEqual(['act'])
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(['read'])
  expect(result).toMatchObject({ answer: 'The sum is 7.', children: {} })
})

test('what a whole short run asks the model', async () => {
  const { model } = await run({ options: { faithful: true } })

  expect(
    model.requests.map(({ purpose, messages, tools }) => ({
      purpose,
      tools: tools?.map((tool) => tool.name),
      messages: messages.map(({ role, content, note }) => [role, String(content).slice(0, 60), note]),
    })),
  ).toMatchSnapshot()
})
