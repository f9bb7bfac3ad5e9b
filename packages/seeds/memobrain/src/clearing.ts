import type { JsonSchema } from '@harnesswright/core'
import { flushNodes, foldNodes, type Graph } from './graph.js'
import { fieldsOf, integerOf, listOf, textOf } from './reading.js'

const TEXT = { type: 'string' } as const
const ID = { type: 'integer', minimum: 1 } as const

/** The shape in which it is asked what can go. Its title names the form for models that tell replies apart by it. */
export const CLEARING_SCHEMA: JsonSchema = {
  title: 'recall',
  type: 'object',
  properties: {
    flush_ops: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { ...ID, description: 'A node that is of no more use.' }, rationale: TEXT },
        required: ['id', 'rationale'],
        additionalProperties: false,
      },
    },
    fold_ops: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          ids: { type: 'array', items: ID, description: 'Nodes that belong together.' },
          rationale: TEXT,
          notes: { ...TEXT, description: 'What stays of them.' },
        },
        required: ['ids', 'rationale', 'notes'],
        additionalProperties: false,
      },
    },
  },
  required: ['flush_ops', 'fold_ops'],
  additionalProperties: false,
}

/** What is to go: thoughts of no more use, and those that a note takes the place of. No thought is named twice. */
export interface Clearing {
  readonly flush: ReadonlySet<number>
  readonly folds: readonly { readonly ids: ReadonlySet<number>; readonly notes: string }[]
}

/**
 * What a reply says can go; words on what is wrong where nothing of it can be done. A node that is not among those that may go,
 * or that was named before, is left out, and so is a fold without notes or without nodes.
 *
 * @param mayGo - Ids of the nodes that may go.
 */
export function readClearing(content: string, mayGo: ReadonlySet<number>): Clearing | string {
  const fields = fieldsOf(content)
  if (fields === undefined) return 'it is no JSON object'
  const left = new Set(mayGo)
  const take = (value: unknown): number[] => {
    const id = integerOf(value)
    return id !== undefined && left.delete(id) ? [id] : []
  }
  const folds = listOf(fields['fold_ops']).flatMap(({ ids, notes }) => {
    const text = textOf(notes)
    const named = text === '' || !Array.isArray(ids) ? [] : ids.flatMap(take)
    return named.length === 0 ? [] : [{ ids: new Set(named), notes: text }]
  })
  const flush = new Set(listOf(fields['flush_ops']).flatMap(({ id }) => take(id)))
  if (folds.length + flush.size > 0) return { flush, folds }
  return `it names no node that may go with what is to stay of it; those are ${[...mayGo].join(', ')}`
}

/** The graph after that. */
export function clear(graph: Graph, { flush, folds }: Clearing): Graph {
  return folds.reduce((left, { ids, notes }) => foldNodes(left, ids, notes), flushNodes(graph, flush))
}
