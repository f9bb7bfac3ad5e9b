import type { Message } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { aHead, aHeightTask, aLogTask, anExchange, anIdealModel, aReading, ask } from './conversation.js'

const TEXT = { type: 'string' } as const
const TOWERS = ['Alba', 'Borm', 'Cersk', 'Dunmore']
const head = aHead(aHeightTask(TOWERS))

function said(content: string): Message {
  return { role: 'user', content }
}

function part(number: number): string {
  return `10:00 incident I-10${number}: pump ${number} stood still for 1${number} minutes\nEnd of part ${number} of 9 of the plant log`
}

describe('an abstract', () => {
  const page = said(
    'Write an abstract of this page.\n[Page 3] The height of Alba is 146 m. A storm took the flagstaff.',
  )

  test('is a line on what the page at the end says', async () => {
    const { content } = await ask(
      anIdealModel(),
      [...head, said('the height of Borm is 9 m'), { role: 'assistant', content: 'ok' }, page],
      {
        purpose: 'abstract',
        tools: [],
      },
    )

    expect(content).toBe('The height of Alba is 146 m.')
  })

  test('is on the last observation where the request ends with one', async () => {
    const found = anExchange('search_files', { query: 'Borm' }, 'The height of Borm is 9 m.')
    const { content } = await ask(anIdealModel(), [...head, ...found, said('Say in a line what this step brought.')], {
      purpose: 'abstract',
    })

    expect(content).toBe('The height of Borm is 9 m.')
  })

  test('says so where nothing is of use', async () => {
    const { content } = await ask(anIdealModel(), [...head, said('[Page 4] The height of Zirl is 4 m.')], {
      schema: { title: 'abstract', type: 'object', properties: { abstract: TEXT }, required: ['abstract'] },
    })

    expect(JSON.parse(content)).toEqual({ abstract: 'Nothing new for the task.' })
  })

  test('is as short as it is asked to be, and ends with a sentence', async () => {
    const parts = said([1, 2, 3, 4].map(part).join('\n'))
    const { content, finish } = await ask(anIdealModel(), [...aHead(aLogTask(9)), parts], {
      purpose: 'abstract',
      maxTokens: 45,
    })

    expect(finish).toBe('stop')
    expect(content).toMatch(/^Log parts 1 to 4 are read; incident I-101: pump 1 stood still for 11 minutes\.$/)
  })

  test('loses facts as a summary does', async () => {
    const { content } = await ask(anIdealModel({ keep: 0 }), [...head, page], { purpose: 'abstract' })

    expect(content).toBe('Nothing new for the task.')
  })
})

describe('a memory that is a graph', () => {
  const message = { type: 'object', properties: { role: { enum: ['user', 'assistant'] }, content: TEXT } }
  const node = {
    type: 'object',
    properties: { tmp_id: TEXT, kind: { enum: ['subtask', 'evidence'] }, thought: { type: 'array', items: message } },
    required: ['tmp_id', 'kind', 'thought'],
  }
  const edge = {
    type: 'object',
    properties: { src: TEXT, dst: TEXT, rationale: TEXT },
    required: ['src', 'dst', 'rationale'],
  }
  const schema = {
    title: 'memorise',
    type: 'object',
    properties: { add_nodes: { type: 'array', items: node }, add_edges: { type: 'array', items: edge } },
    required: ['add_nodes', 'add_edges'],
  }

  test('gets a node with the newest facts, and an edge to it from the newest node that is in view', async () => {
    const view = [...head, said('[Node 4] the height of Borm is 9 m\n[Node 7] the height of Cersk is 8 m')]
    const step = anExchange('search_files', { query: 'Alba' }, 'The height of Alba is 146 m.')
    const { content, metadata } = await ask(anIdealModel(), [...view, ...step, said('Memorise it.')], { schema })

    expect(JSON.parse(content)).toEqual({
      add_nodes: [
        {
          tmp_id: '1',
          kind: 'evidence',
          thought: [{ role: 'assistant', content: 'the height of Alba is 146 m.' }],
        },
      ],
      add_edges: [{ src: '7', dst: '1', rationale: '0 of 4 goals are done.' }].map((one) => ({
        ...one,
        rationale: expect.stringMatching(/goals are done/),
      })),
    })
    expect(metadata).toMatchObject({ purpose: 'memorise' })
    expect(metadata).not.toHaveProperty('unfilled')
  })

  test('gets a node for each of several steps, in a row', async () => {
    const steps = said(
      'Memorise these.\n[Step 3] searched.\nThe height of Alba is 146 m.\n[Step 4] a page of nothing\n[Step 5] The height of Dunmore is 7 m.',
    )
    const { content } = await ask(
      anIdealModel(),
      [...head, said('[Node 9] the height of Borm is 9 m'), { role: 'assistant', content: '' }, steps],
      { schema },
    )

    expect(JSON.parse(content)).toMatchObject({
      add_nodes: [
        { tmp_id: '1', thought: [{ content: 'the height of Alba is 146 m.' }] },
        { tmp_id: '2', thought: [{ content: 'the height of Dunmore is 7 m.' }] },
      ],
      add_edges: [
        { src: '9', dst: '1' },
        { src: '1', dst: '2' },
      ],
    })
  })

  test('is told of each node which step it is on, where the schema asks for it', async () => {
    const steps = (text: string) => [...head, said(`[Step 3] ${text}\n[Step 4] a page of nothing`)]
    const withStep = { ...node, properties: { ...node.properties, step: { type: 'integer' } } }
    const asked = { ...schema, properties: { ...schema.properties, add_nodes: { type: 'array', items: withStep } } }
    const stepsOf = async (text: string) => {
      const { content } = await ask(anIdealModel(), steps(text), { schema: asked })
      return (JSON.parse(content) as { add_nodes: { step: number }[] }).add_nodes.map(({ step }) => step)
    }

    expect(await stepsOf('The height of Alba is 146 m.')).toEqual([3])
    expect(await stepsOf('nothing either')).toEqual([4])
  })

  test('gets the open goals where a step brought nothing, and no edge where there is no node', async () => {
    const step = anExchange('search_files', { query: 'Alba' }, 'No line matches.')
    const { content } = await ask(anIdealModel(), [...head, ...step, said('Memorise it.')], { schema })

    expect(JSON.parse(content)).toMatchObject({
      add_nodes: [
        { kind: 'subtask', thought: [{ content: 'Still open: find the height of Alba, Borm, Cersk and Dunmore.' }] },
      ],
      add_edges: [],
    })
  })

  const op = (ids: object) => ({ type: 'array', items: { type: 'object', properties: { ...ids, rationale: TEXT } } })
  const recall = {
    title: 'recall',
    type: 'object',
    properties: {
      flush_ops: op({ id: { type: 'integer' } }),
      fold_ops: op({ ids: { type: 'array', items: { type: 'integer' } }, notes: TEXT }),
    },
    required: ['flush_ops', 'fold_ops'],
  }
  const nodes = said(
    [
      '[Node 1] the height of Alba is 146 m',
      '[Node 2] a page about something else',
      '[Node 3] the height of Borm is 9 m',
      '[Node 4] the height of Cersk is 8 m',
      '[Node 5] looked for Dunmore',
    ].join('\n'),
  )

  test('is made smaller: what is of no use is flushed, the rest becomes a note, the newest two stay', async () => {
    const { content } = await ask(anIdealModel(), [...head, nodes], { schema: recall })

    expect(JSON.parse(content)).toEqual({
      flush_ops: [{ id: 2, rationale: expect.any(String) }],
      fold_ops: [
        { ids: [1, 3], rationale: expect.any(String), notes: 'the height of Alba is 146 m; the height of Borm is 9 m' },
      ],
    })
  })

  test('is left alone where there are two entries or none', async () => {
    for (const view of [[], [said('[Node 1] the height of Alba is 146 m\n[Node 2] nothing')]]) {
      const { content } = await ask(anIdealModel(), [...head, ...view], { schema: recall })
      expect(JSON.parse(content)).toEqual({ flush_ops: [], fold_ops: [] })
    }
  })
})

describe('research over a memory', () => {
  const list = (most: number) => ({ type: 'array', items: TEXT, maxItems: most })
  const ids = { type: 'array', items: { type: 'integer' }, maxItems: 5 }
  const pages = said([1, 2, 3, 4, 5, 6, 7].map((page) => `[Page ${page}] an abstract`).join('\n'))

  test('asks for the names in open goals, by the tools there are, and opens the newest pages', async () => {
    const schema = {
      type: 'object',
      properties: {
        info_needs: list(5),
        tools: { type: 'array', items: { enum: ['keyword', 'page_index'] } },
        keyword_collection: list(2),
        vector_queries: list(5),
        page_index: ids,
      },
      required: ['info_needs', 'tools', 'keyword_collection', 'vector_queries', 'page_index'],
    }
    const view = [...head, said('the height of Alba is 9 m'), pages]
    const { content, metadata } = await ask(anIdealModel(), view, { purpose: 'research', schema })

    expect(JSON.parse(content)).toEqual({
      info_needs: ['Borm', 'Cersk', 'Dunmore'],
      tools: ['keyword', 'page_index'],
      keyword_collection: ['Borm', 'Cersk'],
      vector_queries: ['Borm', 'Cersk', 'Dunmore'],
      page_index: [3, 4, 5, 6, 7],
    })
    expect(metadata).toMatchObject({ purpose: 'research' })
    expect(metadata).not.toHaveProperty('unfilled')
  })

  test('integrates what was retrieved into a text to go on from, and cites the pages', async () => {
    const schema = { type: 'object', properties: { content: TEXT, sources: ids }, required: ['content', 'sources'] }
    const view = [...head, said('[Page 2] the height of Alba is 9 m\n[Page 6] the height of Borm is 8 m')]
    const { content } = await ask(anIdealModel(), view, { purpose: 'research', schema })

    expect(JSON.parse(content)).toEqual({
      content:
        'So far: the height of Alba is 9 m; the height of Borm is 8 m. Still open: find the height of Cersk and Dunmore.',
      sources: [2, 6],
    })
  })

  test('is enough when nothing in view is missed, or nothing is open', async () => {
    const schema = { type: 'object', properties: { enough: { type: 'boolean' } }, required: ['enough'] }
    const isEnough = async (heights: readonly string[], r0: number): Promise<boolean> => {
      const view = [...head, said(heights.map((name) => `the height of ${name} is 9 m`).join('; '))]
      const { content } = await ask(anIdealModel({ r0, confab: 0 }), view, { purpose: 'research', schema })
      return (JSON.parse(content) as { enough: boolean }).enough
    }

    expect(await isEnough(['Alba'], 1)).toBe(true)
    expect(await isEnough(['Alba'], 0)).toBe(false)
    expect(await isEnough(TOWERS, 1)).toBe(true)
  })

  test('asks on for what is open, a few things at once', async () => {
    const schema = {
      type: 'object',
      properties: { new_requests: { type: 'array', items: TEXT } },
      required: ['new_requests'],
    }
    const many = aHead(aHeightTask([...TOWERS, 'Eskil', 'Farrow', 'Gildern']))
    const { content } = await ask(anIdealModel(), many, { purpose: 'research', schema })

    expect(JSON.parse(content)).toEqual({ new_requests: ['Alba', 'Borm', 'Cersk', 'Dunmore', 'Eskil'] })
  })

  test('looks for the things of each family by their names', async () => {
    const schema = { type: 'object', properties: { queries: { type: 'array', items: TEXT } }, required: ['queries'] }
    const { content } = await ask(anIdealModel(), aHead(aLogTask(9)), { purpose: 'research', schema })

    expect(JSON.parse(content)).toEqual({ queries: ['incident', 'stood still', 'log parts'] })
  })
})

describe('a fold of thoughts, part by part', () => {
  const history = [
    ...aHead(aLogTask(4)),
    ...aReading('log/part-01.txt', part(1)),
    ...anExchange('read_calendar', { day: 'x' }, 'error: there is no such day'),
    ...aReading('log/part-02.txt', part(2)),
    said('Fold.'),
  ]
  const fold = async (properties: Readonly<Record<string, object>>): Promise<unknown> => {
    const schema = { type: 'object', properties, required: Object.keys(properties) }
    const { content, metadata } = await ask(anIdealModel(), history, { purpose: 'fold', schema })
    expect(metadata).not.toHaveProperty('unfilled')
    return JSON.parse(content)
  }
  const LIST = { type: 'array', items: TEXT }

  test('tells events as facts, and how far it is', async () => {
    expect(await fold({ task_description: TEXT, key_events: LIST, current_progress: TEXT })).toEqual({
      task_description: 'read log parts 1 to 4 (log/part-01.txt to log/part-04.txt).',
      key_events: [
        'log parts 1 to 2 are read',
        'incident I-101: pump 1 stood still for 11 minutes',
        'incident I-102: pump 2 stood still for 12 minutes',
      ],
      current_progress:
        'log parts 1 to 2 are read; incident I-101: pump 1 stood still for 11 minutes; incident I-102: pump 2 stood still for 12 minutes.',
    })
  })

  test('tells what is next, and what went wrong', async () => {
    expect(await fold({ immediate_goal: TEXT, current_challenges: TEXT, next_actions: LIST })).toEqual({
      immediate_goal: 'Still open: read log parts 3 to 4 (log/part-03.txt to log/part-04.txt).',
      current_challenges: 'read_calendar failed with {"day":"x"}',
      next_actions: ['read log part 3 (log/part-03.txt)', 'read log part 4 (log/part-04.txt)'],
    })
  })

  test('tells of the tools that were called', async () => {
    const tool = { type: 'object', properties: { tool_name: TEXT, notes: TEXT }, required: ['tool_name', 'notes'] }

    expect(await fold({ tools_used: { type: 'array', items: tool }, derived_rules: LIST })).toEqual({
      tools_used: [
        { tool_name: 'read_file', notes: 'read_file was called 2 times.' },
        { tool_name: 'read_calendar', notes: 'read_calendar was called 1 times.' },
      ],
      derived_rules: ['read_calendar failed with {"day":"x"}'],
    })
  })

  test('without a schema is a summary', async () => {
    const folded = await ask(anIdealModel(), history, { purpose: 'fold' })
    const summary = await ask(anIdealModel(), history, { purpose: 'reminisce' })

    expect(folded.content).toMatch(/^So far: log parts 1 to 2 are read; /)
    expect(folded.content).toBe(summary.content)
  })
})

test('each of these purposes is known by its name as the title of a schema too, and thinks as long as it says', async () => {
  const schema = (title: string) => ({ title, type: 'object', properties: { text: TEXT }, required: ['text'] })
  const thoughtOf = async (title: string): Promise<number | null | undefined> => {
    const { usage, metadata } = await ask(anIdealModel({ thinkTokens: 60 }), head, {
      purpose: 'act',
      schema: schema(title),
    })
    expect(metadata).toMatchObject({ purpose: title })
    return usage?.reasoningTokens
  }

  expect(
    await Promise.all(['abstract', 'memorise', 'recall', 'research', 'atomise', 'aggregate', 'judge'].map(thoughtOf)),
  ).toEqual([18, 30, 90, 90, 60, 120, 180])
})
