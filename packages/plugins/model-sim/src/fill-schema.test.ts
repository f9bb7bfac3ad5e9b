import type { JsonSchema } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { fillSchema } from './fill-schema.js'
import type { Slots } from './slots.js'

const slots: Slots = {
  text: 'read log parts 4 to 5',
  answer: 'The sum is 3 EUR.',
  thought: '2 of 4 goals are done.',
  items: [
    { id: '1', text: 'read the order (order.txt)', goals: [], dependsOn: [], status: 'done' },
    { id: '2', text: 'write the quote to answer.json', goals: [], dependsOn: ['1'], status: 'active' },
  ],
  isDone: true,
  calls: [{ name: 'read_file', arguments: '{"path":"order.txt"}' }],
  queries: ['read the order (order.txt)'],
}

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  'a plan': z.object({ goals: z.array(z.object({ id: z.string(), text: z.string() })).max(1) }),
  'subtasks with dependencies beside them': z.object({
    subtasks: z.array(z.object({ id: z.int(), goal: z.string() })),
    dependencies: z.record(z.string(), z.array(z.string())),
  }),
  'steps as texts': z.object({ steps: z.array(z.string()).min(1) }),
  'a status in other words': z.object({
    goals: z.array(z.object({ index: z.int(), status: z.enum(['pending', 'in progress', 'finished']) })),
  }),
  'a verdict': z.object({ explanation: z.string(), enough: z.boolean(), is_atomic: z.boolean() }),
  'a call': z.object({
    think: z.string(),
    tools: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })).min(1),
  }),
  needs: z.object({ info_needs: z.array(z.string()), keyword_collection: z.array(z.string()).min(1) }),
  'a text that may be null': z.object({ summary: z.string().nullable(), instruction: z.string().max(10) }),
  'nothing it knows': z.object({
    weight: z.number().min(0.5).max(2),
    count: z.int().gt(3),
    kind: z.literal('report'),
    level: z.enum(['low', 'high']),
    tags: z.array(z.enum(['a', 'b'])).min(2),
    nested: z.object({ flag: z.boolean(), ids: z.array(z.int()) }),
    either: z.union([z.int(), z.string()]),
  }),
}

test.each(Object.entries(SCHEMAS))('fills the schema of %s with a valid value', (_what, schema) => {
  const filled = fillSchema(z.toJSONSchema(schema) as JsonSchema, slots)

  expect(schema.safeParse(filled.value).error?.issues ?? []).toEqual([])
})

describe('by the names of properties', () => {
  test('lists take an entry an item, with its id, words, status and dependencies', () => {
    const item = {
      id: { type: 'integer' },
      task: { type: 'string' },
      depends_on: { type: 'array' },
      status: { enum: ['todo', 'doing', 'done'] },
    }
    const schema = {
      type: 'object',
      properties: { steps: { type: 'array', items: { type: 'object', properties: item } } },
    }

    expect(fillSchema(schema, slots)).toEqual({
      value: {
        steps: [
          { id: 1, task: 'read the order (order.txt)', depends_on: [], status: 'done' },
          { id: 2, task: 'write the quote to answer.json', depends_on: ['1'], status: 'doing' },
        ],
      },
      unfilled: [],
    })
  })

  test('thoughts, answers, verdicts and calls each have their own', () => {
    const text = { type: 'string' }
    const call = { type: 'object', properties: { name: text, arguments: { type: 'object' } } }
    const properties = {
      reason: text,
      final_answer: text,
      notes: text,
      done: { type: 'boolean' },
      tools: { type: 'array', items: call },
    }

    expect(fillSchema({ type: 'object', properties }, slots).value).toEqual({
      reason: slots.thought,
      final_answer: slots.answer,
      notes: slots.text,
      done: true,
      tools: [{ name: 'read_file', arguments: { path: 'order.txt' } }],
    })
  })
})

test('what an object is about fills it, and the name of a model is never made up', () => {
  const text = { type: 'string' }
  const properties = {
    instruction: text,
    context: text,
    model: text,
    ids: { type: 'array', items: { type: 'string' } },
  }
  const item = {
    id: '1',
    text: 'read the order (order.txt)',
    goals: [],
    dependsOn: [],
    status: 'open',
    context: 'facts',
  } as const

  expect(fillSchema({ type: 'object', properties }, slots, { item }).value).toEqual({
    instruction: 'read the order (order.txt)',
    context: 'facts',
  })
  expect(fillSchema({ type: 'object', properties }, slots, { subject: { ids: [3, 4], text: 'a note' } }).value).toEqual(
    {
      instruction: 'a note',
      context: 'a note',
      ids: ['3', '4'],
    },
  )
})

test('lists of names are filled with as many as the schema takes, ends of edges in the type that it wants', () => {
  const properties = {
    queries: { type: 'array', items: { type: 'string' }, maxItems: 1 },
    tools: { type: 'array', items: { enum: ['keyword', 'page'] }, maxItems: 1 },
    edges: {
      type: 'array',
      items: { type: 'object', properties: { source: { type: 'string' }, to: { type: 'integer' } } },
    },
  }
  const links = [{ from: 7, to: '1' }]

  expect(fillSchema({ type: 'object', properties }, { ...slots, queries: ['a', 'b'], links }).value).toEqual({
    queries: ['a'],
    tools: ['keyword'],
    edges: [{ source: '7', to: 1 }],
  })
})

test('what is required and unknown has the smallest valid value and is named; what may be left out is', () => {
  const properties = {
    weight: { type: 'number', minimum: 2 },
    a: { type: 'object', properties: { flag: { type: 'boolean' } }, required: ['flag'] },
    extra: { type: 'integer' },
  }
  const { value, unfilled } = fillSchema({ type: 'object', properties, required: ['weight', 'a'] }, slots)

  expect(value).toEqual({ weight: 2, a: { flag: false } })
  expect(unfilled).toEqual(['/weight', '/a/flag'])
})

test('references are followed, and one that goes round ends', () => {
  const tree = {
    type: 'object',
    properties: { kids: { type: 'array', minItems: 1, items: { $ref: '#/$defs/tree' } } },
    required: ['kids'],
  }

  expect(fillSchema({ $ref: '#/$defs/word', $defs: { word: { const: 'yes' } } }, slots).value).toBe('yes')
  expect(JSON.stringify(fillSchema({ $ref: '#/$defs/tree', $defs: { tree } }, slots).value)).toContain('"kids":[]')
  expect(fillSchema({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }, slots).value).toBe('')
})
