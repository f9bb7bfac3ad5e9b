import { describe, expect, test } from 'vitest'
import { aHead, aHeightTask, aLogTask, anIdealModel, aQuoteTask, aReading, ask, ORDER } from './conversation.js'

const SUPPLIERS = ['Cersk', 'Halden', 'Borm', 'Elmau', 'Istra', 'Gorsk', 'Hyvin', 'Kessel']
const head = aHead(aQuoteTask(['Cersk', 'Halden', 'Borm']))
const large = aHead(aQuoteTask(SUPPLIERS))

const ITEMS = {
  type: 'object',
  properties: {
    goals: {
      type: 'array',
      maxItems: 7,
      items: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          text: { type: 'string' },
          dependsOn: { type: 'array', items: { type: 'string' } },
          status: { enum: ['open', 'active', 'done', 'failed'] },
        },
        required: ['id', 'text', 'status'],
      },
    },
  },
  required: ['goals'],
} as const

interface Goals {
  readonly goals: readonly {
    readonly id: string
    readonly text: string
    readonly dependsOn: readonly string[]
    readonly status: string
  }[]
}

describe('a plan', () => {
  test('is one numbered line a goal, in words that stand alone', async () => {
    const { content } = await ask(anIdealModel(), head, { purpose: 'plan' })

    expect(content.split('\n')).toEqual([
      '1. read the order (order.txt)',
      '2. read the price list of Cersk (lists/cersk.csv)',
      '3. read the price list of Halden (lists/halden.csv)',
      '4. read the price list of Borm (lists/borm.csv)',
      '5. write the quote to answer.json',
    ])
  })

  test('groups goals into the items that the schema takes, the deliverable last and after all others', async () => {
    const { goals } = JSON.parse(
      (await ask(anIdealModel(), large, { purpose: 'plan', schema: ITEMS })).content,
    ) as Goals

    expect(goals.length).toBeLessThanOrEqual(7)
    expect(goals.at(-1)).toMatchObject({ text: 'write the quote to answer.json', status: 'open' })
    expect(goals.at(-1)?.dependsOn).toEqual(goals.slice(0, -1).map((goal) => goal.id))
    for (const name of SUPPLIERS) expect(goals.filter((goal) => goal.text.includes(name))).toHaveLength(1)
  })

  test('has a way to each goal where the schema wants ways, and their states in a review', async () => {
    const status = { enum: ['open', 'active', 'done', 'failed'] }
    const way = { type: 'object', properties: { text: { type: 'string' }, status }, required: ['text', 'status'] }
    const goal = {
      type: 'object',
      properties: {
        id: { type: 'string' },
        text: { type: 'string' },
        status,
        paths: { type: 'array', items: way, minItems: 1 },
      },
      required: ['id', 'text', 'paths'],
    }
    const schema = {
      type: 'object',
      properties: { goals: { type: 'array', maxItems: 5, items: goal } },
      required: ['goals'],
    }
    const plan = {
      role: 'user',
      content: '1. find the height of Alba and Borm (open)\n2. find the height of Cersk (open)',
    } as const
    const told = { role: 'user', content: 'the height of Alba is 9 m; the height of Borm is 8 m' } as const
    const towers = aHead(aHeightTask(['Alba', 'Borm', 'Cersk']))
    const made = await ask(anIdealModel(), towers, { purpose: 'plan', schema })
    const reviewed = await ask(anIdealModel(), [...towers, plan, told], { purpose: 'review', schema })

    expect(JSON.parse(made.content)).toMatchObject({
      goals: [
        { id: '1', text: 'find the height of Alba', paths: [{ text: 'find the height of Alba', status: 'open' }] },
        { id: '2' },
        { id: '3' },
      ],
    })
    expect(JSON.parse(reviewed.content)).toMatchObject({
      goals: [
        { id: '1', status: 'done', paths: [{ status: 'done' }] },
        { id: '2', status: 'active', paths: [{ text: 'find the height of Cersk', status: 'active' }] },
      ],
    })
    expect(made.metadata).not.toHaveProperty('unfilled')
  })

  test('groups counted goals into ranges', async () => {
    const { content } = await ask(anIdealModel(), aHead(aLogTask(64)), { purpose: 'plan' })

    expect(content.split('\n')).toHaveLength(7)
    expect(content).toMatch(/^1\. read log parts 1 to 10 \(log\/part-01\.txt to log\/part-10\.txt\)$/m)
    expect(content).toMatch(/61 to 64/)
  })

  test('leaves out goals at the rate of the profile, each by its own draw', async () => {
    const { content } = await ask(anIdealModel({ planOmit: 0.5 }), large, { purpose: 'plan' })
    const named = SUPPLIERS.filter((name) => content.includes(name)).length

    expect(named).toBeGreaterThan(0)
    expect(named).toBeLessThan(SUPPLIERS.length)
  })

  test('of what is open only, when the work has begun', async () => {
    const { content } = await ask(anIdealModel(), [...head, ...aReading('order.txt', ORDER)], { purpose: 'plan' })

    expect(content).not.toContain('order.txt')
    expect(content).not.toContain('Cersk')
  })
})

describe('a review', () => {
  const plan = {
    role: 'user',
    content:
      'Roadmap:\n1. read the order (order.txt) (open)\n2. read the price lists of Cersk (lists/cersk.csv) and Halden (lists/halden.csv) (open, after 1)\n7. write the quote to answer.json (open)',
  } as const
  const worked = [...head, plan, ...aReading('order.txt', ORDER)]

  test('says of every item of the plan in view how far it is, by its own id and words', async () => {
    const { goals } = JSON.parse(
      (await ask(anIdealModel(), worked, { purpose: 'review', schema: ITEMS })).content,
    ) as Goals

    expect(goals.map(({ id, status }) => [id, status])).toEqual([
      ['1', 'done'],
      ['2', 'active'],
      ['7', 'open'],
      ['8', 'open'],
    ])
    expect(goals[1]?.text).toBe('read the price lists of Cersk (lists/cersk.csv) and Halden (lists/halden.csv)')
  })

  test('adds what the plan had left out', async () => {
    const { goals } = JSON.parse(
      (await ask(anIdealModel(), worked, { purpose: 'review', schema: ITEMS })).content,
    ) as Goals

    expect(goals.at(-1)?.text).toBe('read the price list of Borm (lists/borm.csv)')
  })

  test('as text names the done items and words the open goals', async () => {
    const { content } = await ask(anIdealModel(), worked, { purpose: 'review' })

    expect(content).toContain('Done: 1.')
    expect(content).toContain(
      'Still open: read the price lists of Halden (lists/halden.csv) and Borm (lists/borm.csv); write the quote to answer.json.',
    )
  })
})

describe('a summary', () => {
  const parts = [1, 2, 3].flatMap((part) =>
    aReading(
      `log/part-0${part}.txt`,
      `10:00 incident I-10${part}: pump ${part} stood still for 1${part} minutes\nEnd of part ${part} of 5 of the plant log`,
    ),
  )
  const history = [...aHead(aLogTask(5)), ...parts]

  test('tells progress first, then facts, then what is open, and can be gone on from', async () => {
    const model = anIdealModel()
    const { content } = await ask(model, history, { purpose: 'summarise' })
    const next = await ask(model, [...history.slice(0, 2), { role: 'user', content }])
    const answer = await ask(model, [...history.slice(0, 2), { role: 'user', content }], {
      purpose: 'finish',
      tools: [],
    })

    expect(content).toMatch(/^So far: log parts 1 to 3 are read; incident I-101: pump 1 stood still for 11 minutes; /)
    expect(content).toContain('Still open: read log parts 4 to 5 (log/part-04.txt to log/part-05.txt).')
    expect(next.toolCalls?.[0]?.arguments).toBe('{"path":"log/part-04.txt"}')
    expect(JSON.parse(answer.content)).toEqual({
      incidents: [1, 2, 3].map((n) => ({ id: `I-10${n}`, machine: `pump ${n}`, minutes: 10 + n })),
    })
  })

  test('keeps what fits its tokens, progress always', async () => {
    const { content } = await ask(anIdealModel({ summaryTokens: 25 }), history, { purpose: 'summarise' })

    expect(content).toContain('log parts 1 to 3 are read')
    expect(content.match(/incident/g)).toHaveLength(1)
  })

  test('loses facts at one rate and garbles them at another', async () => {
    const lossy = await ask(anIdealModel({ keep: 0 }), history, { purpose: 'summarise' })
    const garbled = await ask(anIdealModel({ garble: 1 }), history, { purpose: 'summarise' })

    expect(lossy.content).not.toContain('incident')
    expect(garbled.content.match(/incident/g)).toHaveLength(3)
    expect(garbled.content).not.toContain('for 11 minutes')
  })

  test('tells each piece of progress once', async () => {
    const list = 'supplier,item,eur per piece\nHalden,brass tee,3.40\n'
    const { content } = await ask(anIdealModel(), [...head, ...aReading('lists/halden.csv', list)], {
      purpose: 'summarise',
    })

    expect(content.match(/the price list of Halden is read/g)).toHaveLength(1)
  })

  test('is what an unknown purpose gets, as text and in any schema', async () => {
    const text = await ask(anIdealModel(), history, { purpose: 'reminisce' })
    const schema = {
      type: 'object',
      properties: { notes: { type: 'string' }, weight: { type: 'number', minimum: 3 } },
      required: ['notes', 'weight'],
    }
    const filled = await ask(anIdealModel(), history, { purpose: 'reminisce', schema })

    expect(text.content).toContain('So far: log parts 1 to 3 are read')
    expect(JSON.parse(filled.content)).toEqual({ notes: text.content, weight: 3 })
    expect(filled.metadata).toMatchObject({ unfilled: ['/weight'] })
  })
})
