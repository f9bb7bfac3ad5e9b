import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyGraph, type Graph } from './graph.js'
import { applyPatch, type Patch, readPatch } from './patch.js'

const said = (tmpId: string, step: number | string, ...contents: string[]) => ({
  tmp_id: tmpId,
  kind: 'evidence',
  step,
  thought: contents.map((content) => ({ role: 'assistant', content })),
})
const read = (nodes: readonly object[], edges: readonly object[] = []): Patch =>
  readPatch(JSON.stringify({ add_nodes: nodes, add_edges: edges })) as Patch

describe('a patch', () => {
  test('is read from JSON; what is said of a thought is one line', () => {
    expect(read([said('n1', 3, 'A is\n 3.', ' so there ')], [{ src: '7', dst: 'n1', rationale: 'x' }])).toEqual({
      nodes: [{ tmpId: 'n1', kind: 'evidence', step: 3, text: 'A is 3. so there' }],
      edges: [{ src: '7', dst: 'n1' }],
    })
  })

  test('without a thought is none, and it is said why', () => {
    expect(readPatch('Well,')).toBe('it is no JSON object')
    expect(readPatch('[]')).toBe('it is no JSON object')
    expect(readPatch('{"add_nodes":[{"thought":[]},{"thought":"x"},4]}')).toBe('add_nodes holds no thought')
  })

  test('of another kind or with a step in words is taken as what it can be', () => {
    expect(read([{ ...said('1', '4', 'x'), kind: 'idea' }]).nodes[0]).toMatchObject({ kind: 'evidence', step: 4 })
  })
})

describe('new thoughts', () => {
  const graph: Graph = {
    nodes: [{ id: 7, kind: 'evidence', text: 'old', ranges: [[1, 2]], isFlushed: false }],
    edges: [],
    nextId: 8,
  }

  test('share out the steps: each has those from its own to the next', () => {
    const { nodes, nextId } = applyPatch(graph, read([said('a', 4, 'four'), said('b', 6, 'six')]), [3, 7])

    expect(nodes.slice(1).map(({ id, ranges }) => [id, ...ranges])).toEqual([
      [8, [3, 5]],
      [9, [6, 7]],
    ])
    expect(nextId).toBe(10)
  })

  test('on one step are one, and those on no step of these are on the last', () => {
    const { nodes } = applyPatch(
      graph,
      read([said('a', 3, 'one'), said('b', 99, 'two'), said('c', 3, 'three')]),
      [3, 4],
    )

    expect(nodes.slice(1).map(({ text, ranges }) => [text, ranges])).toEqual([
      ['one three', [[3, 3]]],
      ['two', [[4, 4]]],
    ])
  })

  test('follow from others, by the names of the reply and the numbers of the graph; what is unknown is left out', () => {
    const edges = [
      { src: '7', dst: 'a' },
      { src: 'a', dst: 'b' },
      { src: 'b', dst: 'a' },
      { src: '99', dst: 'a' },
      { src: 'a', dst: '7' },
    ]
    const patched = applyPatch(graph, read([said('a', 3, 'x'), said('b', 4, 'y')], edges), [3, 4])

    expect(patched.edges).toEqual([
      { from: 7, to: 8 },
      { from: 8, to: 9 },
    ])
  })
})

test('whatever a model writes, each step of a batch is of one new thought', () => {
  const node = fc.record({
    tmp_id: fc.oneof(fc.string({ maxLength: 2 }), fc.integer(), fc.constant('constructor')),
    kind: fc.string({ maxLength: 3 }),
    step: fc.oneof(fc.integer({ min: -2, max: 12 }), fc.string({ maxLength: 2 }), fc.constant(null)),
    thought: fc.array(fc.record({ content: fc.string({ maxLength: 5 }) }), { maxLength: 2 }),
  })
  const edge = fc.record({ src: fc.string({ maxLength: 2 }), dst: fc.string({ maxLength: 2 }) })
  const reply = fc.oneof(
    fc.record({ add_nodes: fc.array(node, { maxLength: 6 }), add_edges: fc.array(edge, { maxLength: 6 }) }),
    fc.jsonValue(),
  )
  fc.assert(
    fc.property(reply, (value) => {
      const patch = readPatch(JSON.stringify(value))
      if (typeof patch === 'string') return
      const { nodes } = applyPatch(emptyGraph(), patch, [4, 9])
      const steps = nodes.flatMap(({ ranges }) =>
        ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at)),
      )
      expect(steps).toEqual([4, 5, 6, 7, 8, 9])
    }),
  )
})
