/** Steps, first and last. */
export type Range = readonly [first: number, last: number]

/** A thought: what some steps were about or brought, or a note that stands for several such thoughts. */
export interface ThoughtNode {
  readonly id: number
  readonly kind: 'subtask' | 'evidence' | 'note'
  readonly text: string
  /** The steps that it is on, in order. */
  readonly ranges: readonly Range[]
  /** Of no more use: a line of it stays. */
  readonly isFlushed: boolean
}

/** What a thought follows from. */
export interface Edge {
  readonly from: number
  readonly to: number
}

/** Thoughts and what each follows from: never from itself, however many there are between. */
export interface Graph {
  /** In the order of their ids. Those that a note stands for are gone. */
  nodes: ThoughtNode[]
  edges: Edge[]
  nextId: number
}

/** A graph without thoughts. */
export function emptyGraph(): Graph {
  return { nodes: [], edges: [], nextId: 1 }
}

/** The edges with one more, unless it is there, leads to where it comes from, or would close a circle. */
export function withEdge(edges: readonly Edge[], edge: Edge): Edge[] {
  const isThere = edges.some(({ from, to }) => from === edge.from && to === edge.to)
  return isThere || reaches(edges, edge.to, edge.from) ? [...edges] : [...edges, edge]
}

/** True when one is the other, or can be come to from it. */
function reaches(edges: readonly Edge[], start: number, end: number): boolean {
  const open = [start]
  const seen = new Set(open)
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node === end) return true
    for (const { from, to } of edges) {
      if (from !== node || seen.has(to)) continue
      seen.add(to)
      open.push(to)
    }
  }
  return false
}

/** Puts a note in place of some thoughts. It is on all their steps, and takes over what they follow from. */
export function foldNodes(graph: Graph, ids: ReadonlySet<number>, notes: string): Graph {
  const id = graph.nextId
  const folded = graph.nodes.filter((node) => ids.has(node.id))
  const note: ThoughtNode = {
    id,
    kind: 'note',
    text: notes,
    ranges: joinRanges(folded.flatMap(({ ranges }) => ranges)),
    isFlushed: false,
  }
  const endOf = (end: number): number => (ids.has(end) ? id : end)
  return {
    nodes: [...graph.nodes.filter((node) => !ids.has(node.id)), note],
    edges: graph.edges.reduce<Edge[]>(
      (edges, { from, to }) => withEdge(edges, { from: endOf(from), to: endOf(to) }),
      [],
    ),
    nextId: id + 1,
  }
}

/** Marks some thoughts as of no more use. */
export function flushNodes(graph: Graph, ids: ReadonlySet<number>): Graph {
  return { ...graph, nodes: graph.nodes.map((node) => (ids.has(node.id) ? { ...node, isFlushed: true } : node)) }
}

/** The same steps in as few ranges as there can be. */
function joinRanges(ranges: readonly Range[]): readonly Range[] {
  const joined: Range[] = []
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    const before = joined.at(-1)
    if (before !== undefined && first <= before[1] + 1)
      joined[joined.length - 1] = [before[0], Math.max(before[1], last)]
    else joined.push([first, last])
  }
  return joined
}
