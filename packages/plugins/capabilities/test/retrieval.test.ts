import type { Tool } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import {
  acts,
  aTool,
  observations,
  offered,
  type Ran,
  runScript,
  type Setup,
  seedWith,
  use,
} from './support/harness.js'

const NAMED: readonly Tool[] = [
  aTool('convert_currency', 'Converts an amount of money from one currency to another.'),
  aTool('mail.sendMessage', 'Sends a letter to a person by electronic mail.'),
  aTool('weatherForecast', 'Gives the forecast for a place and a day.'),
  aTool('book_table', 'Reserves a table in a restaurant.'),
]
/** Tools that fit nothing that is asked for here. */
const OTHERS: readonly Tool[] = Array.from({ length: 40 }, (_, index) =>
  aTool(`gadget_${index}`, `Turns knob ${index}.`),
)
const TOOLS = [...OTHERS.slice(0, 20), ...NAMED, ...OTHERS.slice(20)]

function retrieve(
  setup: Omit<Setup, 'manifest' | 'tools'> & { options?: object; tools?: readonly Tool[] },
): Promise<Ran> {
  const { options = {}, tools = TOOLS, ...rest } = setup
  return runScript({
    manifest: seedWith('react', use('retrieval', { top: 2, messages: 0, ...options })),
    tools,
    ...rest,
  })
}

describe('what is on offer', () => {
  test('are the tools that fit the task, however their names are written, and a search for more', async () => {
    const tasks = ['Convert dollars to another currency.', 'Send her a message.', 'Which weather is forecast?']
    const runs = await Promise.all(tasks.map((task) => retrieve({ task, script: ['done'] })))

    expect(runs.map((run) => offered(run.requests[0]))).toEqual([
      ['convert_currency', 'find_tools'],
      ['mail.sendMessage', 'find_tools'],
      ['weatherForecast', 'find_tools'],
    ])
  })

  test('are tools that are named as always there, before those that fit', async () => {
    const task = 'Reserve a table.'
    const { requests } = await retrieve({ task, script: ['done'], options: { always: ['gadget_7'] } })

    expect(offered(requests[0])).toEqual(['gadget_7', 'book_table', 'find_tools'])
  })

  test('are all tools where there are no more than fit, and nothing is said of a search', async () => {
    const { requests } = await retrieve({ script: ['done'], tools: NAMED.slice(0, 2) })

    expect(offered(requests[0])).toEqual(['convert_currency', 'mail.sendMessage'])
    expect(requests[0]?.messages[0]?.content).not.toContain('find_tools')
  })

  test('never shrinks, and grows by what the last messages speak of, up to the most', async () => {
    const script = [
      { call: 'convert_currency', with: { text: '0' }, say: 'Then the weather forecast is needed.' },
      { call: 'convert_currency', with: { text: '1' }, say: 'Then a table in a restaurant must be reserved.' },
      { call: 'convert_currency', with: { text: '2' }, say: 'Then a letter must be sent by mail.' },
      'done',
    ]
    const task = 'Convert the currency.'
    const free = await retrieve({ task, script, options: { messages: 2 } })
    const held = await retrieve({ task, script, options: { messages: 2, most: 2 } })

    expect(acts(free).map(offered)).toEqual([
      ['convert_currency', 'find_tools'],
      ['convert_currency', 'find_tools', 'weatherForecast'],
      ['convert_currency', 'find_tools', 'weatherForecast', 'book_table'],
      ['convert_currency', 'find_tools', 'weatherForecast', 'book_table', 'mail.sendMessage'],
    ])
    expect(offered(held.requests.at(-1))).toEqual(['convert_currency', 'find_tools', 'weatherForecast'])
  })

  test('follows the current goal of a plan', async () => {
    const goals = [
      { id: '1', text: 'Reserve the table' },
      { id: '2', text: 'Send a letter by mail' },
    ]
    const { requests } = await runScript({
      manifest: {
        ...seedWith('plan-and-execute', use('retrieval', { top: 1, messages: 0 })),
        planning: { use: '@harnesswright/seed-plan-and-execute#planning', with: { reviewEvery: 2 } },
      },
      tools: TOOLS,
      task: 'Prepare the evening.',
      script: {
        plan: [JSON.stringify({ goals })],
        review: [
          JSON.stringify({ goals: goals.map((goal) => ({ ...goal, status: goal.id === '1' ? 'done' : 'active' })) }),
        ],
        act: [{ call: 'book_table' }, 'done'],
      },
    })

    expect(requests.filter(({ purpose }) => purpose === 'act').map(offered)).toEqual([
      ['book_table', 'find_tools'],
      ['book_table', 'find_tools', 'mail.sendMessage'],
    ])
  })
})

describe('a search for tools', () => {
  const search = (query: string) => ({ call: 'find_tools', with: { query } })

  test('puts what it finds on offer from the next step on', async () => {
    const run = await retrieve({
      task: 'Reserve a table.',
      script: [search('foreign currencies'), { call: 'convert_currency' }, 'done'],
    })

    expect(observations(run, 1)).toEqual([
      'These can be called from the next step on:\n- convert_currency: Converts an amount of money from one currency to another.',
    ])
    expect(offered(run.requests[1])).toEqual(['book_table', 'find_tools', 'convert_currency'])
    expect(observations(run, 2)).toEqual(['convert_currency was used'])
  })

  test('says what is on offer already, and asks for other words where nothing fits', async () => {
    const run = await retrieve({ task: 'Reserve a table.', script: [search('tables'), search('zebra'), 'done'] })

    expect(observations(run, 1)[0]).toContain('- book_table: Reserves a table in a restaurant. (on offer already)')
    expect(observations(run, 2)).toEqual(['No tool fits "zebra". Say in other words what it is to do.'])
  })

  test('finds no more than so many, and nothing that a module before it took away', async () => {
    const few = await retrieve({ script: [search('knob'), 'done'], options: { hits: 3 } })
    const gate = use('gated', {
      gates: [{ goal: 'Turn', tools: ['gadget_1', 'gadget_2', 'gadget_3'] }],
      always: ['book_table'],
    })
    const gates = await runScript({
      manifest: seedWith('plan-and-execute', [gate, use('retrieval', { top: 1, messages: 0 })]),
      tools: TOOLS,
      task: 'Reserve a table.',
      script: {
        plan: [JSON.stringify({ goals: [{ id: '1', text: 'Turn something' }] })],
        act: [search('currency'), search('knob'), 'done'],
      },
    })

    expect(few.result.steps[1]?.capabilities).toHaveLength(4)
    expect(observations(gates, 1)[0]).toContain('No tool fits "currency"')
    expect(observations(gates, 2)[0]?.match(/gadget_\d+/g)).toEqual(['gadget_1', 'gadget_2', 'gadget_3'])
  })
})

test('a tool that is always on offer and not there ends the run at once, with the nearest name', async () => {
  const { result } = await retrieve({ script: ['done'], options: { always: ['book_tabel'] } })

  expect(result.status).toBe('failed')
  expect(result.error).toMatchObject({ code: 'E_CAPABILITY_TOOL', slot: 'capability' })
  expect(result.error?.message).toContain(
    'The option "always" names the tool "book_tabel", which the environment does not have; nearest: book_table',
  )
})
