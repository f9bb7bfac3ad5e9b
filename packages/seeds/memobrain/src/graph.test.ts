import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Edge, emptyGraph, flushNodes, foldNodes, type Graph, type ThoughtNode, withEdge } from './graph.js'

const node = (id: number, change: Partial<ThoughtNode> = {}): ThoughtNode => ({
  id,
  kind: 'evidence',
  text: `thought ${id}`,
  ranges: [[id, id]],
  isFlushed: false,
  ...change,
})
const graph = (count: number, edges: readonly Edge[] = []): Graph => ({
  nodes: Array.from({ length: count }, (_, at) => node(at + 1)),
  edges: [...edges],
  nextId: count + 1,
})
const edge = (from: number, to: number): Edge => ({ from, to })

test('an edge is there once, and none leads back to where it comes from', () => {
  const edges = [edge(1, 2), edge(2, 3)]

  expect(withEdge(edges, edge(1, 3))).toEqual([...edges, edge(1, 3)])
  for (const other of [edge(1, 2), edge(3, 1), edge(2, 2)]) expect(withEdge(edges, other)).toEqual(edges)
})

describe('a fold', () => {
  test('is a note on the steps of its thoughts, joined where they touch, with an id of its own', () => {
    const folded = foldNodes(graph(5), new Set([1, 2, 4]), 'all done')

    expect(folded.nodes.map(({ id }) => id)).toEqual([3, 5, 6])
    expect(folded.nodes.at(-1)).toEqual({
      id: 6,
      kind: 'note',
      text: 'all done',
      ranges: [
        [1, 2],
        [4, 4],
      ],
      isFlushed: false,
    })
    expect(folded.nextId).toBe(7)
  })

  test('takes over what its thoughts follow from, but for what would close a circle', () => {
    const { edges } = foldNodes(graph(4, [edge(1, 2), edge(2, 3), edge(3, 4)]), new Set([1, 3]), 'both')

    expect(edges).toEqual([edge(5, 2), edge(5, 4)])
  })

  test('can itself be folded', () => {
    const twice = foldNodes(foldNodes(graph(3), new Set([1, 2]), 'two'), new Set([3, 4]), 'three')

    expect(twice.nodes).toEqual([node(5, { kind: 'note', text: 'three', ranges: [[1, 3]] })])
  })
})

test('what is flushed stays in its place', () => {
  expect(flushNodes(graph(2), new Set([1])).nodes.map(({ isFlushed }) => isFlushed)).toEqual([true, false])
  expect(flushNodes(emptyGraph(), new Set([1]))).toEqual(emptyGraph())
})

test('whatever is folded, each step is of one thought, and no thought follows from itself', () => {
  const links = fc.array(fc.tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 8 })), { maxLength: 12 })
  const folds = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }), {
    maxLength: 4,
  })
  fc.assert(
    fc.property(links, folds, (pairs, groups) => {
      let now = graph(
        8,
        pairs.reduce<Edge[]>((edges, [from, to]) => withEdge(edges, edge(from, to)), []),
      )
      for (const ids of groups) {
        const there = new Set(ids.filter((id) => now.nodes.some((one) => one.id === id)))
        if (there.size > 0) now = foldNodes(now, there, 'note')
      }
      const steps = now.nodes.flatMap(({ ranges }) =>
        ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at)),
      )
      expect(steps.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
      const ids = new Set(now.nodes.map(({ id }) => id))
      for (const { from, to } of now.edges) expect([ids.has(from), ids.has(to)]).toEqual([true, true])
      for (const { from, to } of now.edges) expect(withEdge(now.edges, edge(to, from))).toEqual(now.edges)
    }),
  )
})
