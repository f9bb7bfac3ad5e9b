import type { JsonSchema } from '@harnesswright/core'
import { type Edge, type Graph, type Range, type ThoughtNode, withEdge } from './graph.js'
import { fieldsOf, integerOf, listOf, textOf } from './reading.js'

const TEXT = { type: 'string' } as const
const KINDS = ['subtask', 'evidence'] as const

/** The shape in which new thoughts are asked for. Its title names the form for models that tell replies apart by it. */
export const PATCH_SCHEMA: JsonSchema = {
  title: 'memorise',
  type: 'object',
  properties: {
    add_nodes: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          tmp_id: { ...TEXT, description: 'Short, such as n1; only for the edges of this reply.' },
          kind: { enum: KINDS, description: 'What was to be done, or what was found.' },
          step: { type: 'integer', description: 'Number of the step that it is about.' },
          thought: {
            type: 'array',
            items: {
              type: 'object',
              properties: { role: { enum: ['user', 'assistant'] }, content: TEXT },
              required: ['role', 'content'],
              additionalProperties: false,
            },
          },
        },
        required: ['tmp_id', 'kind', 'step', 'thought'],
        additionalProperties: false,
      },
    },
    add_edges: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          src: { ...TEXT, description: 'tmp_id, or the number of a node that is there: what the other follows from.' },
          dst: { ...TEXT, description: 'tmp_id of a new node.' },
          rationale: TEXT,
        },
        required: ['src', 'dst', 'rationale'],
        additionalProperties: false,
      },
    },
  },
  required: ['add_nodes', 'add_edges'],
  additionalProperties: false,
}

/** A new thought as the model gave it. */
interface NewNode {
  readonly tmpId: string
  readonly kind: (typeof KINDS)[number]
  readonly step: number
  readonly text: string
}

/** New thoughts on some steps, and what they follow from. */
export interface Patch {
  readonly nodes: readonly NewNode[]
  readonly edges: readonly { readonly src: string; readonly dst: string }[]
}

/** The thoughts in a reply; words on what is wrong where it holds none. Thoughts without text are left out. */
export function readPatch(content: string): Patch | string {
  const fields = fieldsOf(content)
  if (fields === undefined) return 'it is no JSON object'
  const nodes = listOf(fields['add_nodes']).flatMap((one): NewNode[] => {
    const text = listOf(one['thought'])
      .map((message) => textOf(message['content']))
      .filter((said) => said !== '')
      .join(' ')
    const kind = KINDS.find((known) => known === one['kind']) ?? 'evidence'
    return text === '' ? [] : [{ tmpId: textOf(one['tmp_id']), kind, step: integerOf(one['step']) ?? 0, text }]
  })
  if (nodes.length === 0) return 'add_nodes holds no thought'
  const edges = listOf(fields['add_edges']).map((one) => ({ src: textOf(one['src']), dst: textOf(one['dst']) }))
  return { nodes, edges }
}

/**
 * The graph with new thoughts on steps. Each step is of one thought: several on one step are joined, a step without one is of
 * the thought before. Edges from or to what is not there are left out, and so is what would close a circle.
 */
export function applyPatch(graph: Graph, { nodes, edges }: Patch, [first, last]: Range): Graph {
  const ids = new Map<string, number>()
  const added: ThoughtNode[] = []
  let nextId = graph.nextId
  const byStep = groupBySteps(nodes, [first, last])
  for (const [at, { step, nodes: joined }] of byStep.entries()) {
    for (const { tmpId } of joined) if (!ids.has(tmpId)) ids.set(tmpId, nextId)
    added.push({
      id: nextId++,
      kind: joined.some(({ kind }) => kind === 'evidence') ? 'evidence' : 'subtask',
      text: joined.map(({ text }) => text).join(' '),
      ranges: [[at === 0 ? first : step, (byStep[at + 1]?.step ?? last + 1) - 1]],
      isFlushed: false,
    })
  }
  const known = new Set(graph.nodes.map(({ id }) => String(id)))
  const idOf = (name: string): number | undefined => ids.get(name) ?? (known.has(name) ? Number(name) : undefined)
  const links = edges.flatMap(({ src, dst }): Edge[] => {
    const [from, to] = [idOf(src), ids.get(dst)]
    return from === undefined || to === undefined ? [] : [{ from, to }]
  })
  return { nodes: [...graph.nodes, ...added], edges: links.reduce(withEdge, graph.edges), nextId }
}

/** Thoughts by the step that they are on, in order; those on none of these steps are taken to be on the last. */
function groupBySteps(nodes: readonly NewNode[], [first, last]: Range) {
  const groups = new Map<number, NewNode[]>()
  for (const node of nodes) {
    const step = node.step < first || node.step > last ? last : node.step
    groups.set(step, [...(groups.get(step) ?? []), node])
  }
  return [...groups].map(([step, joined]) => ({ step, nodes: joined })).sort((one, other) => one.step - other.step)
}
