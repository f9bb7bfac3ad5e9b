import type { Json } from '@harnesswright/core'
import { readRows } from '../read-rows.js'

/** Categories whose calls are compared by structure. */
export const CATEGORIES = [
  'simple_python',
  'multiple',
  'parallel',
  'parallel_multiple',
  'live_simple',
  'irrelevance',
] as const
export type Category = (typeof CATEGORIES)[number]

/** A function on offer. Its parameters are in a dialect of their own. */
export interface BfclFunction {
  readonly name: string
  readonly description: string
  readonly parameters: { readonly [key: string]: unknown }
}

/** One call that is right: for each parameter the values that are, of which `""` says that it may be left out. */
export type PossibleCall = Readonly<Record<string, Readonly<Record<string, readonly Json[]>>>>

/** A question, the functions on offer and the calls that answer it; of irrelevance, none. */
export interface BfclRow {
  readonly id: string
  readonly question: readonly (readonly { readonly role: string; readonly content: string }[])[]
  readonly function: readonly BfclFunction[]
  readonly possible: readonly PossibleCall[]
}

/** The rows of a category with their possible answers. */
export function readBfcl(category: Category): readonly BfclRow[] {
  const rows = readRows<Omit<BfclRow, 'possible'>>(`bfcl/BFCL_v4_${category}.json`)
  const answers = readRows<{ readonly id: string; readonly ground_truth: readonly PossibleCall[] }>(
    `bfcl/possible_answer/BFCL_v4_${category}.json`,
  )
  const byId = new Map(answers.map(({ id, ground_truth }) => [id, ground_truth]))
  return rows.map((row) => ({ ...row, possible: category === 'irrelevance' ? [] : possibleOf(row.id, byId) }))
}

function possibleOf(id: string, byId: ReadonlyMap<string, readonly PossibleCall[]>): readonly PossibleCall[] {
  const found = byId.get(id)
  if (found === undefined || found.length === 0) throw new Error(`no possible answer for ${id}`)
  return found
}
