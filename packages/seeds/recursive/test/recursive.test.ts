import type { ModelRequest, Plan, Tool } from '@harnesswright/core'
import { expect, test } from 'vitest'
import { delegate, offered, type Parts, read, run, TASK, taskOf } from './agents.js'

/** Reads a page and answers with what it says. */
const reader = (page: number): Parts[string] => [
  { call: 'read', with: { page } },
  ({ messages }) => String(messages.findLast(({ role }) => role === 'tool')?.content),
]
const pages: Parts = { 'Read page 1': reader(1), 'Read page 2': reader(2) }
const bothPages = { calls: [delegate('Read page 1.'), delegate('Read page 2.')] }
const textOf = (request: ModelRequest | undefined): string => JSON.stringify(request?.messages)

test('the orchestrator has the tool delegate alone, whose description names the tools of its agents', async () => {
  const { requestsOf } = await run({ parts: { [TASK]: [bothPages, 'done'], ...pages } })

  for (const request of requestsOf(TASK)) expect([request.purpose, offered(request)]).toEqual(['act', ['delegate']])
  expect(requestsOf(TASK)[0]?.tools?.[0]?.description).toContain('- read: Reads a page.')
})

test('a sub-agent has the tools of the environment, may delegate in turn, and can report that it is blocked', async () => {
  const { requestsOf } = await run({ parts: { [TASK]: [bothPages, 'done'], ...pages } })

  for (const request of requestsOf('Read page 1'))
    expect([request.purpose, offered(request)]).toEqual(['act', ['read', 'delegate', 'report_blocked']])
})

test('an agent sees its instruction and its context, and nothing of the task, of others or of who sent it', async () => {
  const given = delegate('Read page 1.', { context: 'Pages count from 1.' })
  const { requestsOf } = await run({
    parts: { [TASK]: [{ calls: [given, delegate('Read page 2.')], say: 'My plan is secret.' }, 'done'], ...pages },
  })

  const [first] = requestsOf('Read page 1')
  expect(taskOf(first as ModelRequest)).toBe('Read page 1.\n\n<context>\nPages count from 1.\n</context>')
  for (const words of [TASK, 'Read page 2', 'My plan', 'You see to it']) expect(textOf(first)).not.toContain(words)
})

test('delegations of one reply are worked on at once, and answer their calls in the order of the calls', async () => {
  let atOnce = 0
  let most = 0
  const slow: Tool = {
    ...read,
    async execute(args, ctx) {
      most = Math.max(most, ++atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      atOnce--
      return await read.execute(args, ctx)
    },
  }
  const { result, requestsOf } = await run({
    parts: { [TASK]: [bothPages, 'done'], ...pages },
    env: { tools: [slow] },
  })

  expect(most).toBe(2)
  expect(result.steps[0]?.action).toMatchObject({ kind: 'spawn', runs: [{ id: '1' }, { id: '2' }], calls: [] })
  const told = requestsOf(TASK)[1]
    ?.messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => content)
  expect(told).toEqual(['page 1 says 7', 'page 2 says 14'])
})

test('results are numbered, and one that a context cites is handed on whole', async () => {
  const { requestsOf } = await run({
    parts: {
      [TASK]: [
        bothPages,
        delegate('Add the numbers.', { context: 'Use [Result 2], and [Result 9] if there is one.' }),
        'done',
      ],
      ...pages,
      'Add the numbers': ['21'],
    },
  })

  expect(textOf(requestsOf(TASK)[1])).toContain('[Result 1] done: Read page 1.\\n[Result 2] done: Read page 2.')
  const task = taskOf(requestsOf('Add the numbers')[0] as ModelRequest)
  expect(task).toContain('Result of "Read page 2.":\npage 2 says 14')
  expect(task).not.toContain('page 1 says')
})

test('an orchestrator that calls a tool of the environment is told that it is not on offer, and the tool is not run', async () => {
  let runs = 0
  const counted: Tool = { ...read, execute: () => `${++runs}` }
  const { result, requestsOf } = await run({
    parts: { [TASK]: [{ call: 'read', with: { page: 1 } }, 'done'] },
    env: { tools: [counted] },
  })

  expect(runs).toBe(0)
  expect(textOf(requestsOf(TASK)[1])).toContain('error: the tool \\"read\\" is not on offer now')
  expect(result.status).toBe('answered')
})

test('the notes of an agent that is blocked reach the one that sent it, and its goal is open again', async () => {
  const { result, requestsOf } = await run({
    parts: {
      [TASK]: [bothPages, 'done'],
      'Read page 1': reader(1),
      'Read page 2': [{ call: 'report_blocked', with: { notes: 'page 2 is torn out' }, say: 'This is the end.' }],
    },
  })

  expect(result.children['1.2']).toMatchObject({ status: 'failed', reason: 'page 2 is torn out', answer: null })
  const [, second] = requestsOf(TASK)
  expect(textOf(second)).toContain('error: the run 2 ended as failed (page 2 is torn out)')
  expect(textOf(second)).toContain('[Result 2] blocked: Read page 2.')
  expect(second?.messages.at(-1)?.content).toMatch(/^Not done yet: Read page 2\.\./)
  expect(result.steps[1]?.directive.plan).toEqual<Plan>({
    goals: [
      { id: '1', text: 'Read page 1.', status: 'done' },
      { id: '2', text: 'Read page 2.', status: 'failed' },
    ],
  })
})

test('a report without notes is sent back, and the agent goes on', async () => {
  const { result } = await run({
    parts: {
      [TASK]: [delegate('Read page 1.'), 'done'],
      'Read page 1': [{ call: 'report_blocked', with: { notes: ' ' } }, 'page 1 is empty'],
    },
  })

  expect(result.children['1.1']).toMatchObject({ status: 'answered', answer: 'page 1 is empty' })
})

test('an agent that runs out of steps is exhausted, with its best answer for the one that sent it', async () => {
  const { requestsOf } = await run({
    parts: {
      [TASK]: [delegate('Read on and on.'), 'done'],
      'Read on and on': [
        ...[1, 2, 3, 4, 5].map((page) => ({ call: 'read', with: { page }, say: `I read page ${page}.` })),
      ],
    },
    limits: { steps: 10 },
  })

  const [, second] = requestsOf(TASK)
  expect(textOf(second)).toContain('[Result 1] exhausted: Read on and on.')
  expect(textOf(second)).toContain('error: the run 1 ended as limit (steps); its best answer: ')
})

test('an instruction is delegated twice at most, in whatever spacing; the third time is refused beside what is not', async () => {
  const { result, requestsOf } = await run({
    parts: {
      [TASK]: [
        { calls: [delegate('Read page 1.'), delegate('read  page 1.')] },
        { calls: [delegate('Read page 1.'), delegate('Read page 2.')] },
        'done',
      ],
      read: reader(1),
      ...pages,
    },
  })

  const [, second] = result.steps
  expect(second?.action).toMatchObject({ kind: 'spawn', runs: [{ id: '3' }], calls: [{ name: 'delegate' }] })
  expect(textOf(requestsOf(TASK)[2])).toContain('No agent was started: this was delegated 2 times')
  expect(Object.keys(result.children)).toEqual(['1.1', '1.2', '2.3'])
})

test('a delegation that cannot be read is told what is wrong, and starts nobody', async () => {
  const { result, requestsOf } = await run({
    parts: {
      [TASK]: [
        { calls: [{ call: 'delegate', with: { context: 'x' } }, delegate('Read.', { model: 'large' })] },
        'done',
      ],
    },
  })

  const told = requestsOf(TASK)[1]
    ?.messages.filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content))
  expect(told?.[0]).toMatch(/^error: the arguments of delegate are wrong: .*instruction/)
  expect(told?.[1]).toMatch(/^error: the arguments of delegate are wrong: .*model/)
  expect(result.children).toEqual({})
})

test('an agent has the tools that it was given, and one for which there is no such tool is not started', async () => {
  const { result, requestsOf } = await run({
    parts: {
      [TASK]: [
        {
          calls: [
            delegate('Read page 1.', { tools: ['read', 'delegate'] }),
            delegate('Write page 2.', { tools: ['rite'] }),
          ],
        },
        'done',
      ],
      ...pages,
    },
    env: { tools: [read, { ...read, name: 'write' }] },
  })

  expect(offered(requestsOf('Read page 1')[0] as ModelRequest)).toEqual(['read', 'delegate', 'report_blocked'])
  expect(textOf(requestsOf(TASK)[1])).toContain(
    'the run 2 was not started: there is no tool \\"rite\\" for it; nearest: write',
  )
  expect(Object.keys(result.children)).toEqual(['1.1'])
})

test('an agent has the model that it was given, one of those that the options name', async () => {
  const parts = { [TASK]: [delegate('Read page 1.', { model: 'large' }), 'done'], ...pages }
  const { result, requestsOf } = await run({ parts, options: { models: ['large'] } })

  const parameters = requestsOf(TASK)[0]?.tools?.[0]?.parameters
  expect(parameters?.['properties']).toMatchObject({ model: { enum: ['large'] } })
  expect(result.steps[0]?.modelCalls[0]?.model).toBe('scripted')
  expect(result.children['1.1']?.steps[0]?.modelCalls[0]?.model).toBe('large')
})

test('where no depth is left an agent works with the tools of the environment, and cannot delegate', async () => {
  const { requestsOf } = await run({
    parts: { [TASK]: [{ call: 'read', with: { page: 1 } }, 'done'] },
    limits: { depth: 0 },
  })

  for (const request of requestsOf(TASK)) expect(offered(request)).toEqual(['read'])
})

test('at the limit of steps the orchestrator answers from the results that there are', async () => {
  const unread = { call: 'delegate', with: {} }
  const { result, requestsOf } = await run({
    parts: { [TASK]: [delegate('Read page 1.'), unread, unread, 'all that is known is 7'], ...pages },
    limits: { steps: 5 },
  })

  expect(result).toMatchObject({ status: 'limit', reason: 'steps', answer: 'all that is known is 7' })
  expect(requestsOf(TASK).at(-1)?.purpose).toBe('finish')
  expect(textOf(requestsOf(TASK).at(-1))).toContain('page 1 says 7')
})

test('where too few steps are left for another agent the delegation is refused, and says so', async () => {
  const { result, requestsOf } = await run({
    parts: { [TASK]: [bothPages, delegate('Read page 3.'), 'done'], ...pages },
    limits: { steps: 8 },
  })

  expect(Object.keys(result.children)).toEqual(['1.1', '1.2'])
  expect(textOf(requestsOf(TASK)[2])).toContain('No agent was started: too few steps are left')
  expect(result.status).toBe('answered')
})

test('what a whole short run asks the model', async () => {
  const { model } = await run({ parts: { [TASK]: [bothPages, 'It is 21.'], ...pages }, options: { concurrency: 1 } })

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
