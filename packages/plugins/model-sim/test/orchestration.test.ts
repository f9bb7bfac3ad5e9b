import type { ModelResponse, Tool } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import {
  aChainTask,
  aHead,
  aHeightTask,
  aList,
  aLogTask,
  anExchange,
  anIdealModel,
  aQuoteTask,
  aReading,
  ask,
  ORDER,
  TOOLS,
} from './conversation.js'

const TEXT = { type: 'string' } as const

function aDelegation(properties: object = { context: TEXT }, required: readonly string[] = ['instruction']): Tool {
  return {
    name: 'delegate',
    description: 'Gives a piece of the work to an agent of its own.',
    parameters: { type: 'object', properties: { instruction: TEXT, ...properties }, required },
    execute: () => '',
  }
}

function argumentsOf(reply: ModelResponse): readonly Record<string, unknown>[] {
  return (reply.toolCalls ?? []).map((call) => JSON.parse(call.arguments) as Record<string, unknown>)
}

const TOWERS = ['Alba', 'Borm', 'Cersk', 'Dunmore', 'Eskil', 'Farrow', 'Gildern', 'Hovde', 'Ilmen', 'Jarrow']
const together = { tools: [aDelegation()], parallelToolCalls: true } as const

describe('work that is given to others', () => {
  test('goes out in as many groups as calls are allowed at once, each in words that stand alone', async () => {
    const reply = await ask(anIdealModel(), aHead(aHeightTask(TOWERS)), together)

    expect(argumentsOf(reply)).toEqual([
      { instruction: 'find the height of Alba and Borm', context: '' },
      { instruction: 'find the height of Cersk and Dunmore', context: '' },
      { instruction: 'find the height of Eskil and Farrow', context: '' },
      { instruction: 'find the height of Gildern and Hovde', context: '' },
      { instruction: 'find the height of Ilmen and Jarrow', context: '' },
    ])
    expect(reply.content).toBe(`Next: find the height of ${TOWERS.slice(0, -1).join(', ')} and Jarrow.`)
  })

  test('goes out one by one where one call is allowed', async () => {
    const reply = await ask(anIdealModel(), aHead(aHeightTask(TOWERS)), { tools: [aDelegation()] })

    expect(argumentsOf(reply).map(({ instruction }) => instruction)).toEqual(['find the height of Alba and Borm'])
  })

  test('is no more than one run can do: few goals, whose observations leave room in its window', async () => {
    const model = anIdealModel({ windowTokens: 32_000 })
    const reply = await ask(model, aHead(aLogTask(64)), together)

    expect(argumentsOf(reply).map(({ instruction }) => instruction)).toEqual([
      'read log parts 1 to 6 (log/part-01.txt to log/part-06.txt)',
      'read log parts 7 to 12 (log/part-07.txt to log/part-12.txt)',
      'read log parts 13 to 18 (log/part-13.txt to log/part-18.txt)',
      'read log parts 19 to 24 (log/part-19.txt to log/part-24.txt)',
      'read log parts 25 to 30 (log/part-25.txt to log/part-30.txt)',
    ])
  })

  test('comes with the facts without which it cannot be begun: in the context where the tool takes one, else behind the words', async () => {
    const head = aHead(aChainTask(4))
    const fact = 'visit 1 is Ada Moreno (people/ada-moreno.txt)'
    const [apart] = argumentsOf(await ask(anIdealModel(), head, together))
    const [inside] = argumentsOf(await ask(anIdealModel(), head, { tools: [aDelegation({})] }))

    expect(apart).toEqual({ instruction: 'make visit 1', context: fact })
    expect(inside).toEqual({ instruction: `make visit 1 (${fact})` })
  })

  test('is only what can be begun: of a chain the first stretch', async () => {
    const first = await ask(anIdealModel(), aHead(aChainTask(10)), together)
    const then = await ask(
      anIdealModel(),
      [
        ...aHead(aChainTask(10)),
        ...anExchange(
          'delegate',
          { instruction: 'make visits 1 to 2' },
          'visit 3 is Jonas Pell (people/jonas-pell.txt)',
        ),
      ],
      together,
    )

    expect(argumentsOf(first).map(({ instruction }) => instruction)).toEqual(['make visits 1 to 2'])
    expect(argumentsOf(then)).toEqual([
      { instruction: 'make visits 3 to 4', context: 'visit 3 is Jonas Pell (people/jonas-pell.txt)' },
    ])
  })

  test('is done when its results say so, and the deliverable comes last, with what it needs', async () => {
    const told = [
      ...aHead(aQuoteTask(['Halden', 'Borm'])),
      ...anExchange(
        'delegate',
        { instruction: 'read all' },
        'the order has 1 lines; line 1 of the order is 10 pieces of brass tee; the order approves Halden and Borm as suppliers; Halden sells brass tee at 3.40 EUR; Borm sells brass tee at 3.10 EUR',
      ),
    ]
    const [last] = argumentsOf(await ask(anIdealModel(), told, together))
    const written = [
      ...told,
      ...anExchange(
        'delegate',
        { instruction: 'write' },
        'The sum of the quote is 31.00 EUR for 1 lines. The file answer.json holds the quote.',
      ),
    ]
    const answer = await ask(anIdealModel(), written, together)

    expect(last?.['instruction']).toBe('write the quote to answer.json')
    expect(last?.['context']).toContain('Borm sells brass tee at 3.10 EUR')
    expect(answer.toolCalls).toEqual([])
    expect(answer.content).toContain('31.00 EUR')
  })

  test('is given twice at most', async () => {
    const given = (times: number) => [
      ...aHead(aHeightTask(['Alba', 'Borm'])),
      ...Array.from({ length: times }, () =>
        anExchange('delegate', { instruction: 'find the height of Alba' }, 'error: the agent found nothing'),
      ).flat(),
    ]

    expect(argumentsOf(await ask(anIdealModel(), given(1), together)).map(({ instruction }) => instruction)).toEqual([
      'find the height of Alba',
      'find the height of Borm',
    ])
    expect(argumentsOf(await ask(anIdealModel(), given(2), together)).map(({ instruction }) => instruction)).toEqual([
      'find the height of Borm',
    ])
  })

  test('is done without others where it is small and the tools for it are at hand', async () => {
    const tools = [...TOOLS, aDelegation()]
    const [few, many] = [aHead(aHeightTask(['Alba', 'Borm'])), aHead(aHeightTask(TOWERS))]

    expect((await ask(anIdealModel(), few, { tools })).toolCalls?.[0]?.name).toBe('search_files')
    expect((await ask(anIdealModel(), many, { tools })).toolCalls?.[0]?.name).toBe('delegate')
  })

  test('leaves tools, model and limits to whoever takes it, unless the tool wants them named', async () => {
    const lists = {
      tools: { type: 'array', items: { enum: ['read_file', 'search_files'] } },
      model: TEXT,
      limits: { type: 'object' },
    }
    const [free] = argumentsOf(await ask(anIdealModel(), aHead(aHeightTask(['Alba'])), { tools: [aDelegation(lists)] }))
    const [bound] = argumentsOf(
      await ask(anIdealModel(), aHead(aHeightTask(['Alba'])), {
        tools: [aDelegation(lists, ['instruction', 'model'])],
      }),
    )

    expect(free).toEqual({ instruction: 'find the height of Alba', tools: ['read_file', 'search_files'] })
    expect(bound).toMatchObject({ model: '' })
  })

  test('is written as JSON where the schema lists it, and the answer where all is done', async () => {
    const item = { type: 'object', properties: { instruction: TEXT, context: TEXT }, required: ['instruction'] }
    const schema = {
      type: 'object',
      properties: {
        think: TEXT,
        delegate: { type: 'array', items: item },
        finish: { type: 'object', properties: { answer: TEXT }, required: ['answer'] },
      },
      required: ['think'],
    }
    const head = aHead(aHeightTask(['Alba', 'Borm']))
    const open = await ask(anIdealModel(), head, { ...together, schema })
    const done = [...head, { role: 'user', content: 'the height of Alba is 9 m; the height of Borm is 8 m' } as const]
    const answer = await ask(anIdealModel(), done, { ...together, schema })

    expect(JSON.parse(open.content)).toEqual({
      think: '0 of 2 goals are done.',
      delegate: [
        { instruction: 'find the height of Alba', context: '' },
        { instruction: 'find the height of Borm', context: '' },
      ],
    })
    expect(JSON.parse(answer.content)).toMatchObject({ finish: { answer: '{"heights":{"Alba":9,"Borm":8}}' } })
  })
})

describe('whether a task is atomic', () => {
  const schema = { title: 'atomise', type: 'object', properties: { is_atomic: { type: 'boolean' }, reason: TEXT } }
  const isAtomic = async (
    task: string,
    change: Parameters<typeof anIdealModel>[0] = {},
    seed = 1,
  ): Promise<boolean> => {
    const { content } = await ask(anIdealModel(change), aHead(task), { schema, seed })
    return (JSON.parse(content) as { is_atomic: boolean }).is_atomic
  }
  const sure = { windowTokens: 32_000 }

  test('it is with six goals, and not with seven, nor with more than the horizon holds', async () => {
    const small = { windowTokens: 32_000, horizon: 4 }

    expect(await isAtomic(aHeightTask(TOWERS.slice(0, 6)), sure)).toBe(true)
    expect(await isAtomic(aHeightTask(TOWERS.slice(0, 7)), sure)).toBe(false)
    expect(await isAtomic(aHeightTask(TOWERS.slice(0, 4)), small)).toBe(true)
    expect(await isAtomic(aHeightTask(TOWERS.slice(0, 5)), small)).toBe(false)
  })

  test('it is not where the observations would fill more than 0.6 of the window', async () => {
    expect(await isAtomic(aLogTask(4), { windowTokens: 20_000 })).toBe(true)
    expect(await isAtomic(aLogTask(5), { windowTokens: 20_000 })).toBe(false)
  })

  test('it is what is open that counts', async () => {
    const told = TOWERS.slice(0, 7)
      .map((name) => `the height of ${name} is 9 m`)
      .join('; ')
    const { content } = await ask(anIdealModel(), [...aHead(aHeightTask(TOWERS)), { role: 'user', content: told }], {
      schema,
    })

    expect(JSON.parse(content)).toMatchObject({ is_atomic: true })
  })

  test('three in a hundred verdicts are wrong', async () => {
    let wrong = 0
    for (let seed = 1; seed <= 600; seed++) if (await isAtomic(aHeightTask(TOWERS), sure, seed)) wrong++

    expect(wrong).toBeGreaterThan(6)
    expect(wrong).toBeLessThan(34)
  })

  test('without a schema it is told as JSON', async () => {
    const { content } = await ask(anIdealModel(), aHead(aHeightTask(['Alba'])), { purpose: 'atomise' })

    expect(JSON.parse(content)).toEqual({ is_atomic: true })
  })
})

describe('subtasks', () => {
  const item = { type: 'object', properties: { goal: TEXT, index: { type: 'integer' } }, required: ['goal', 'index'] }
  const schema = {
    title: 'plan',
    type: 'object',
    properties: {
      subtasks: { type: 'array', maxItems: 4, items: item },
      dependencies: { type: 'object', additionalProperties: { type: 'array', items: TEXT } },
    },
    required: ['subtasks', 'dependencies'],
  }

  test('are self-contained, at most as many as the schema takes, with what they wait for beside them', async () => {
    const chain = JSON.parse((await ask(anIdealModel(), aHead(aChainTask(10)), { schema })).content) as object
    const wide = JSON.parse((await ask(anIdealModel(), aHead(aHeightTask(TOWERS)), { schema })).content) as object

    expect(chain).toEqual({
      subtasks: [
        { goal: 'make visits 1 to 3 (visit 1 is Ada Moreno (people/ada-moreno.txt))', index: 1 },
        { goal: 'make visits 4 to 6', index: 2 },
        { goal: 'make visits 7 to 9', index: 3 },
        { goal: 'make visit 10', index: 4 },
      ],
      dependencies: { '1': [], '2': ['1'], '3': ['2'], '4': ['3'] },
    })
    expect(wide).toMatchObject({
      subtasks: [
        { goal: 'find the height of Alba, Borm and Cersk' },
        { goal: 'find the height of Dunmore, Eskil and Farrow' },
        { goal: 'find the height of Gildern, Hovde and Ilmen' },
        { goal: 'find the height of Jarrow' },
      ],
      dependencies: { '4': [] },
    })
  })

  test('of a row of numbers are stretches: none in the middle of one is left out', async () => {
    for (let seed = 1; seed <= 30; seed++) {
      const { content } = await ask(anIdealModel({ planOmit: 0.3 }), aHead(aChainTask(12)), { schema, seed })
      const { subtasks } = JSON.parse(content) as { subtasks: { goal: string }[] }
      for (const { goal } of subtasks) expect(goal).toMatch(/^make visits \d+ to \d+(?: \(|$)/)
    }
  })

  test('are done by what their words and their context say, and answered so that others can go on', async () => {
    const subtask = [
      'make visits 4 to 5',
      '',
      '<context>',
      'visit 4 is Jonas Pell (people/jonas-pell.txt); make visit 9',
      '</context>',
    ].join('\n')
    const cards = [
      ...aReading(
        'people/jonas-pell.txt',
        'The badge of Jonas Pell is B-10001.\nAfter Jonas Pell comes Fay Lund (people/fay-lund.txt).',
      ),
      ...aReading(
        'people/fay-lund.txt',
        'After Fay Lund comes Tom Reck (people/tom-reck.txt).\nThe badge of Fay Lund is B-10002.',
      ),
    ]
    const first = await ask(anIdealModel(), aHead(subtask))
    const last = await ask(anIdealModel(), [...aHead(subtask), ...cards])

    expect(first.toolCalls?.[0]?.arguments).toBe('{"path":"people/jonas-pell.txt"}')
    expect(last.toolCalls).toEqual([])
    expect(last.content.split('; ').sort()).toEqual([
      'the badge of Fay Lund is B-10002',
      'visit 5 is Fay Lund (people/fay-lund.txt)',
      'visit 6 is Tom Reck (people/tom-reck.txt)',
    ])
  })

  test('of a log say which parts are read', async () => {
    const part = aReading(
      'log/part-07.txt',
      '10:00 incident I-107: pump 7 stood still for 17 minutes\nEnd of part 7 of 64 of the plant log',
    )
    const { content } = await ask(anIdealModel(), [...aHead('read log part 7 (log/part-07.txt)'), ...part])

    expect(content).toBe('log part 7 is read; incident I-107: pump 7 stood still for 17 minutes')
  })

  test('of which too much would have to be told are told as far as it fits a reply, sentence by sentence', async () => {
    const items = Array.from(
      { length: 500 },
      (_, index) =>
        `brass t${'abcdefghij'[index % 10]}${'klmnopqrst'[Math.floor(index / 10) % 10]}${'uvwxy'[Math.floor(index / 100)]}`,
    )
    const list = `supplier,item,eur per piece\n${items.map((item) => `Halden,${item},3.40`).join('\n')}\n`
    const { content, finish } = await ask(anIdealModel(), [
      ...aHead('read the price list of Halden (lists/halden.csv)'),
      ...aReading('lists/halden.csv', list),
    ])

    expect(finish).toBe('stop')
    expect(content.length).toBeGreaterThan(14_000)
    expect(content).toMatch(/^the price list of Halden is read; .*Halden sells brass t[a-z]+ at 3\.40 EUR$/)
  })
})

describe('an aggregate', () => {
  const schema = { title: 'aggregate', type: 'object', properties: { answer: TEXT }, required: ['answer'] }
  const results = {
    role: 'user',
    content:
      'Result of 1: the height of Alba is 9 m\nResult of 2: the height of Borm is 8 m; the height of Zirl is 1 m',
  } as const

  test('is the answer from what the parts say', async () => {
    const { content } = await ask(anIdealModel(), [...aHead(aHeightTask(['Alba', 'Borm'])), results], { schema })

    expect(JSON.parse(content)).toEqual({ answer: '{"heights":{"Alba":9,"Borm":8}}' })
  })

  test('of a subtask says what was found, for whoever is above', async () => {
    const { content } = await ask(anIdealModel(), [...aHead('find the height of Alba and Borm'), results], {
      purpose: 'aggregate',
      tools: [],
    })

    expect(content).toBe('the height of Alba is 9 m; the height of Borm is 8 m')
  })

  test('of a quote that was written is the sum, from the prices that the parts told', async () => {
    const told = {
      role: 'user',
      content: `Result of 1: line 1 of the order is 10 pieces of brass tee; the order approves Halden as suppliers\nResult of 2: Halden sells brass tee at 3.40 EUR\nResult of 3: The file answer.json holds the quote.`,
    } as const
    const { content } = await ask(anIdealModel(), [...aHead(aQuoteTask(['Halden'])), told], { purpose: 'aggregate' })

    expect(content).toBe('The sum of the quote is 34.00 EUR for 1 lines.')
  })
})

test('a subtask that writes says where, so that nobody writes it again', async () => {
  const subtask = [
    'write the quote to answer.json',
    '<context>',
    'the order has 1 lines; line 1 of the order is 10 pieces of brass tee; the order approves Halden as suppliers; Halden sells brass tee at 3.40 EUR',
    '</context>',
  ].join('\n')
  const written = anExchange('write_file', { path: 'answer.json', content: '{}' }, 'wrote it')
  const { content } = await ask(anIdealModel(), [...aHead(subtask), ...written])

  expect(content).toBe('The sum of the quote is 34.00 EUR for 1 lines. The file answer.json holds the quote.')
})

test('whoever takes over a price list is told what is ordered, and of whom', async () => {
  const head = [
    ...aHead(aQuoteTask(['Halden', 'Borm'])),
    ...aReading('order.txt', ORDER),
    ...aReading('lists/borm.csv', aList('Borm', '3.10')),
  ]
  const [first] = argumentsOf(await ask(anIdealModel(), head, together))

  expect(first?.['instruction']).toBe('read the price list of Halden (lists/halden.csv)')
  expect(String(first?.['context']).split('; ').sort()).toEqual([
    'line 1 of the order is 10 pieces of brass tee',
    'the order approves Halden and Borm as suppliers',
    'the order has 1 lines',
  ])
})
