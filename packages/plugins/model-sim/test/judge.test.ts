import type { JsonSchema, Message, ModelResponse, Tool } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { aChainTask, aHead, aHeightTask, aLogTask, anExchange, anIdealModel, ask } from './conversation.js'

const TEXT = { type: 'string' } as const
const NUMBER = { type: 'integer' } as const
const head = aHead(aHeightTask(['Alba', 'Borm', 'Cersk']))
const sure = { judge: 0 }

function candidates(...answers: readonly (object | string)[]): Message {
  const lines = answers.map(
    (answer, index) => `Candidate ${index + 1}: ${typeof answer === 'string' ? answer : JSON.stringify(answer)}`,
  )
  return { role: 'user', content: `Judge these.\n${lines.join('\nIt read some pages.\n')}` }
}

function schemaOf(properties: object): JsonSchema {
  return { title: 'judge', type: 'object', properties, required: Object.keys(properties) }
}

async function judge(
  messages: readonly Message[],
  properties: object,
  change: object = sure,
  seed = 1,
): Promise<Record<string, unknown>> {
  const { content, metadata } = await ask(anIdealModel(change), messages, {
    schema: schemaOf(properties),
    tools: [],
    seed,
  })
  expect(metadata).not.toHaveProperty('unfilled')
  return JSON.parse(content) as Record<string, unknown>
}

describe('a judgement', () => {
  const view = [
    ...head,
    candidates(
      { heights: { Alba: 146, Borm: 9 } },
      { heights: { Alba: 146, Borm: 8, Cersk: 5 } },
      { heights: { Alba: 140, Borm: 8 } },
    ),
  ]

  test('chooses the candidate whose claims most others make, and merges the best of all claim by claim', async () => {
    expect(await judge(view, { selected_expert: NUMBER, answer: TEXT })).toEqual({
      selected_expert: 2,
      answer: '{"heights":{"Alba":146,"Borm":8,"Cersk":5}}',
    })
  })

  test('lets a fact in view count one and a half votes', async () => {
    const evidence = { role: 'user', content: 'Evidence: the height of Alba is 140 m' } as const
    const merged = await judge([...view.slice(0, 2), evidence, ...view.slice(2)], { answer: TEXT })

    expect(merged).toEqual({ answer: '{"heights":{"Alba":140,"Borm":8,"Cersk":5}}' })
  })

  test('is told as a number, a name or a text, as the schema wants it, with a score for each', async () => {
    const scored = {
      type: 'object',
      properties: { candidate: NUMBER, score: { type: 'number' } },
      required: ['candidate', 'score'],
    }
    const told = await judge(view, {
      best: { enum: ['expert_1', 'expert_2', 'expert_3'] },
      choice: TEXT,
      scores: { type: 'array', items: { type: 'number' } },
      ratings: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 10 } },
      candidate_scores: { type: 'array', items: scored },
      reason: TEXT,
    })

    expect(told).toMatchObject({ best: 'expert_2', choice: '2', scores: [0.6, 1, 0.6], ratings: [6, 10, 6] })
    expect(told['candidate_scores']).toEqual([
      { candidate: 1, score: 0.6 },
      { candidate: 2, score: 1 },
      { candidate: 3, score: 0.6 },
    ])
    expect(told['reason']).toMatch(/3 candidates were weighed; number 2 is the best/)
  })

  test('gives every number that is asked of a candidate', async () => {
    const item = {
      type: 'object',
      properties: { id: NUMBER, evidence: { type: 'number', maximum: 5 }, logic: { type: 'number', maximum: 5 } },
      required: ['id', 'evidence', 'logic'],
    }
    const { scores } = (await judge(view, { scores: { type: 'array', items: item } })) as { scores: object[] }

    expect(scores[1]).toEqual({ id: 2, evidence: 5, logic: 5 })
  })

  test('of answers that are one whole takes the one that most give, or that is supported', async () => {
    const chain = aHead(aChainTask(3))
    const three = candidates(
      'The badge of visit 3 is B-10003.',
      'The badge of visit 3 is B-10009.',
      'The badge of visit 3 is B-10003.',
    )
    const two = candidates('The badge of visit 3 is B-10003.', 'The badge of visit 3 is B-10009.')
    const evidence = {
      role: 'user',
      content: 'visit 3 is Fay Lund (people/fay-lund.txt); the badge of Fay Lund is B-10009',
    } as const

    expect(await judge([...chain, three], { winner: NUMBER, answer: TEXT })).toEqual({
      winner: 1,
      answer: 'The badge of visit 3 is B-10003.',
    })
    expect(await judge([...chain, two, evidence], { winner: NUMBER, answer: TEXT })).toEqual({
      winner: 2,
      answer: 'The badge of visit 3 is B-10009.',
    })
  })

  test('of lists takes every entry that a candidate has, each in its best version', async () => {
    const incident = (id: string, minutes: number) => ({ id, machine: 'pump 1', minutes })
    const lists = candidates(
      { incidents: [incident('I-1', 5), incident('I-2', 6)] },
      { incidents: [incident('I-1', 5)] },
      { incidents: [incident('I-1', 7), incident('I-3', 8)] },
    )
    const { answer } = await judge([...aHead(aLogTask(3)), lists], { answer: TEXT })

    expect(JSON.parse(String(answer))).toEqual({
      incidents: [incident('I-1', 5), incident('I-2', 6), incident('I-3', 8)],
    })
  })

  test('of subtasks weighs their fact sentences', async () => {
    const told = candidates(
      'the height of Alba is 146 m; the height of Borm is 9 m',
      'the height of Alba is 146 m',
      'the height of Borm is 8 m',
    )
    const { answer } = await judge([...aHead('find the height of Alba and Borm'), told], { answer: TEXT })

    expect(answer).toBe('the height of Alba is 146 m; the height of Borm is 9 m')
  })

  test('wavers with the noise of the profile, between candidates that are near one another', async () => {
    const close = [...head, candidates({ heights: { Alba: 146, Borm: 9 } }, { heights: { Alba: 146, Borm: 8 } })]
    const clear = [...head, candidates({ heights: { Alba: 146, Borm: 9, Cersk: 5 } }, { heights: { Alba: 140 } })]
    const choices = async (messages: readonly Message[], noise: number): Promise<number> => {
      const chosen = new Set<unknown>()
      for (let seed = 1; seed <= 40; seed++)
        chosen.add((await judge(messages, { choice: NUMBER }, { judge: noise }, seed))['choice'])
      return chosen.size
    }

    expect([await choices(close, 0), await choices(close, 0.2), await choices(clear, 0.2)]).toEqual([1, 2, 1])
  })

  test('is read under any of the headings of candidates, and told as a text where there is no schema', async () => {
    const told = {
      role: 'user',
      content:
        '- **Expert 2**: {"heights":{"Alba":1}}\nRollout 7: {"heights":{"Alba":2}}\nSolution 9: {"heights":{"Alba":2}}',
    } as const
    const { content } = await ask(anIdealModel(sure), [...head, told], { purpose: 'judge', tools: [] })

    expect(content).toBe('Candidate 7 is the best. {"heights":{"Alba":2}}')
  })

  test('without candidates is the answer from what is known', async () => {
    const { content } = await ask(
      anIdealModel(sure),
      [...head, { role: 'user', content: 'the height of Alba is 9 m' }],
      { purpose: 'judge', tools: [] },
    )

    expect(content).toBe('{"heights":{"Alba":9}}')
  })
})

describe('a judge with tools', () => {
  const tool = (name: string, properties: object, required: readonly string[]): Tool => ({
    name,
    description: `Does ${name}.`,
    parameters: { type: 'object', properties, required },
    execute: () => '',
  })
  const all = tool('get_solution', {}, [])
  const one = tool('get_solution', { rollout: NUMBER }, ['rollout'])
  const search = tool('search_trajectory', { query: TEXT, limit: NUMBER, role: { enum: ['tool', 'assistant'] } }, [
    'query',
  ])
  const segment = tool('get_segment', { rollout: NUMBER, from: NUMBER }, ['rollout', 'from'])
  const finish = tool('finish', { explanation: TEXT, answer: TEXT, rollout: NUMBER }, ['explanation', 'answer'])
  const tools = [all, search, segment, finish]
  const rule = (
    messages: readonly Message[],
    offered: readonly Tool[] = tools,
    change: object = sure,
  ): Promise<ModelResponse> => ask(anIdealModel(change), messages, { purpose: 'judge', tools: offered })
  const callsOf = ({ toolCalls = [] }: ModelResponse) =>
    toolCalls.map((call) => [call.name, JSON.parse(call.arguments)])
  const SOLUTIONS = 'Candidate 1: {"heights":{"Alba":146,"Borm":9}}\nCandidate 2: {"heights":{"Alba":146,"Borm":8}}'
  const got = [...head, ...anExchange('get_solution', {}, SOLUTIONS)]

  test('gets the candidates first', async () => {
    expect(callsOf(await rule(head))).toEqual([['get_solution', {}]])
  })

  test('gets them one after another where it must say which, until there is no further one', async () => {
    const offered = [one, search, finish]
    const first = [...head, ...anExchange('get_solution', { rollout: 1 }, 'Candidate 1: {"heights":{"Alba":146}}')]
    const both = [...first, ...anExchange('get_solution', { rollout: 2 }, 'Candidate 2: {"heights":{"Alba":146}}')]
    const end = [...both, ...anExchange('get_solution', { rollout: 3 }, 'error: there is no rollout 3')]

    expect(callsOf(await rule(head, offered))).toEqual([['get_solution', { rollout: 1 }]])
    expect(callsOf(await rule(both, offered))).toEqual([['get_solution', { rollout: 3 }]])
    expect(callsOf(await rule(end, offered))[0]?.[0]).toBe('finish')
  })

  test('looks up each version of what they do not agree on, then finishes with the best', async () => {
    const once = [...got, ...anExchange('search_trajectory', { query: 'the height of Borm is 9 m' }, 'nothing')]
    const twice = [
      ...once,
      ...anExchange(
        'search_trajectory',
        { query: 'the height of Borm is 8 m' },
        'rollout 2: The height of Borm is 8 m.',
      ),
    ]

    expect(callsOf(await rule(got))).toEqual([['search_trajectory', { query: 'the height of Borm is 9 m' }]])
    expect(callsOf(await rule(once))).toEqual([['search_trajectory', { query: 'the height of Borm is 8 m' }]])
    expect(callsOf(await rule(twice))).toEqual([
      [
        'finish',
        {
          explanation: expect.stringContaining('number 2 is the best'),
          answer: '{"heights":{"Alba":146,"Borm":8}}',
          rollout: 2,
        },
      ],
    ])
  })

  test('looks eight times at most', async () => {
    const names = ['Alba', 'Borm', 'Cersk', 'Dunmore', 'Eskil', 'Farrow']
    const answers = [1, 2].map(
      (metres) =>
        `Candidate ${metres}: ${JSON.stringify({ heights: Object.fromEntries(names.map((name) => [name, metres])) })}`,
    )
    const view: Message[] = [...aHead(aHeightTask(names)), ...anExchange('get_solution', {}, answers.join('\n'))]
    let looks = 0
    for (;;) {
      const [[name, args] = []] = callsOf(await rule(view))
      if (name !== 'search_trajectory') break
      looks++
      view.push(...anExchange(name, args as object, `nothing ${looks}`))
    }

    expect(looks).toBe(8)
  })

  test('finishes at once where they agree', async () => {
    const agreed = [
      ...head,
      ...anExchange('get_solution', {}, 'Candidate 1: {"heights":{"Alba":1}}\nCandidate 2: {"heights":{"Alba":1}}'),
    ]

    expect(callsOf(await rule(agreed))[0]?.[0]).toBe('finish')
  })

  test('does not ask without end for candidates that are not given', async () => {
    const nothing = [...head, ...anExchange('get_solution', {}, 'none'), ...anExchange('get_solution', {}, 'none.')]

    expect((await rule(nothing)).toolCalls).toEqual([])
  })

  test('makes the faults of any reply with calls', async () => {
    const [call] = (await rule(head, tools, { ...sure, halluc: 1 })).toolCalls ?? []

    expect(tools.map(({ name }) => name)).not.toContain(call?.name)
  })
})
