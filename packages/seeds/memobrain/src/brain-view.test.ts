import type { Message } from '@harnesswright/core'
import { expect, test } from 'vitest'
import { listNodes, viewOf } from './brain-view.js'
import type { Graph, ThoughtNode } from './graph.js'

const node = (id: number, change: Partial<ThoughtNode>): ThoughtNode => ({
  id,
  kind: 'evidence',
  text: `thought ${id}`,
  ranges: [[id, id]],
  isFlushed: false,
  ...change,
})
const graph = (...nodes: ThoughtNode[]): Graph => ({ nodes, edges: [{ from: 1, to: 2 }], nextId: 99 })
const view: readonly Message[] = [
  { role: 'user', content: 'task' },
  { role: 'user', content: 'plan', note: 'plan', step: 1 },
  ...[1, 2, 3, 4, 5].map((step): Message => ({ role: 'assistant', content: `step ${step}`, step })),
]
const contents = (messages: readonly Message[]) => messages.map(({ content }) => content)

test('steps of a live thought stand as they are; a note stands where its first step stood, a flushed thought as a line; the plan stays', () => {
  const nodes = [
    node(2, { isFlushed: true, text: 'a thought of many words' }),
    node(3, {}),
    node(9, {
      kind: 'note',
      text: 'one and four',
      ranges: [
        [1, 1],
        [4, 4],
      ],
    }),
  ]
  const messages = viewOf(view, graph(...nodes), 9)

  expect(contents(messages)).toEqual([
    'task',
    '[Node 9] one and four',
    'plan',
    '[Node 2] a thought…',
    'step 3',
    'step 5',
  ])
  expect(messages.flatMap(({ covers }) => (covers === undefined ? [] : [covers]))).toEqual([
    [1, 1],
    [2, 2],
  ])
})

test('a note of which the first steps are in view no more stands at those that are', () => {
  const note = node(9, {
    kind: 'note',
    ranges: [
      [1, 2],
      [4, 5],
    ],
  })

  expect(contents(viewOf(view.slice(4), graph(note), 9))).toEqual(['step 3', '[Node 9] thought 9'])
})

test('thoughts are listed with their steps and what they follow from', () => {
  expect(
    listNodes(graph(node(1, {}), node(2, { kind: 'subtask', ranges: [[2, 4]] }), node(3, { isFlushed: true }))),
  ).toBe(
    '[Node 1] (evidence, steps 1) thought 1\n[Node 2] (subtask, steps 2 to 4, follows from 1) thought 2\n[Node 3] (flushed, steps 3) thought 3',
  )
})
