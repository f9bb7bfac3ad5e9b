import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeThoughts, readPart, type Thoughts, writeThoughts } from './thoughts.js'

const thoughts = (
  events: readonly string[],
  { progress = '', next = [], tools = {}, rules = [] }: Partial<Plain> = {},
): Thoughts => ({
  episodic: { task_description: 'Read all.', key_events: events, current_progress: progress },
  working: { immediate_goal: '', current_challenges: '', next_actions: next },
  tool: {
    tools_used: Object.entries(tools).map(([tool_name, notes]) => ({ tool_name, notes })),
    derived_rules: rules,
  },
})
interface Plain {
  readonly progress: string
  readonly next: readonly string[]
  readonly tools: Readonly<Record<string, string>>
  readonly rules: readonly string[]
}

describe('a part of a fold', () => {
  test('is read with what it says, whatever else stands in it', () => {
    expect(readPart('working', '{"immediate_goal":" go on ","next_actions":["a", 3, " "],"mood":"fine"}')).toEqual({
      immediate_goal: 'go on',
      current_challenges: '',
      next_actions: ['a'],
    })
    expect(readPart('tool', '{"tools_used":[{"tool_name":"read"},{"notes":"x"},null],"derived_rules":"none"}')).toEqual(
      {
        tools_used: [{ tool_name: 'read', notes: '' }],
        derived_rules: [],
      },
    )
  })

  test.each(['', 'I did much.', '[]', 'null', '{}', '{"key_events":[" "],"current_progress":""}', '{"key_events":'])(
    'in which nothing is said comes to nothing: %j',
    (text) => {
      expect(readPart('episodic', text)).toBeUndefined()
    },
  )

  test('of any text is read without a failure', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        for (const part of ['episodic', 'working', 'tool'] as const) readPart(part, text)
      }),
    )
  })
})

describe('two folds', () => {
  test('are merged: events and rules of both, the newest word on each tool, and the goals of now (D15.6)', () => {
    const first = thoughts(['a', 'b'], {
      progress: 'half',
      next: ['c'],
      tools: { read: 'old', put: 'p' },
      rules: ['r'],
    })
    const second = thoughts(['b', 'c'], { progress: 'all', next: ['d'], tools: { read: 'new' }, rules: ['s'] })

    expect(mergeThoughts(first, second)).toEqual(
      thoughts(['a', 'b', 'c'], { progress: 'all', next: ['d'], tools: { put: 'p', read: 'new' }, rules: ['r', 's'] }),
    )
  })

  test('of which the second says nothing of the progress keep what the first said', () => {
    expect(mergeThoughts(thoughts(['a'], { progress: 'half' }), thoughts(['b'])).episodic.current_progress).toBe('half')
  })

  test('do not grow without end: of many events the newest stay', () => {
    const many = thoughts(Array.from({ length: 300 }, (_, at) => `event ${at}`))
    const { key_events: events } = mergeThoughts(many, thoughts(['last'])).episodic

    expect([events.length, events[0], events.at(-1)]).toEqual([200, 'event 101', 'last'])
  })
})

test('thoughts are written with what there is of them', () => {
  expect(writeThoughts(thoughts(['a', 'b'], { progress: 'half', tools: { read: 'reads' } }))).toBe(
    'Task: Read all.\nEvents:\n- a\n- b\nProgress: half\nTools:\n- read: reads',
  )
})
