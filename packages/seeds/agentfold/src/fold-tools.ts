import type { Json, Tool } from '@harnesswright/core'
import { addFold, type Entry, type Fold, faultOfRange, nameEntries } from './entries.js'

/** Names of the tools with which the model works on its own history. Their calls are left out of it once they are made. */
export const FOLD_TOOLS: readonly string[] = ['compress', 'unfold']

/** What the tools work on. */
export interface FoldBook {
  /** The entries that are in view now. */
  entries(): readonly Entry[]
  folds(): readonly Fold[]
  setFolds(folds: Fold[]): void
}

const STEP = { type: 'integer', minimum: 1 } as const

/** The tools with which the model folds stretches of its history, and takes a fold back. */
export function createFoldTools(book: FoldBook): readonly Tool[] {
  return [createCompress(book), createUnfold(book)]
}

function createCompress(book: FoldBook): Tool {
  return {
    name: 'compress',
    description:
      'Puts your own text in place of finished steps of the history, from one step to another. Steps and earlier folds go in whole.',
    parameters: {
      type: 'object',
      properties: {
        from: { ...STEP, description: 'Number of the first step.' },
        to: { ...STEP, description: 'Number of the last step.' },
        text: {
          type: 'string',
          minLength: 1,
          description: 'What stays of them: findings with names, identifiers and numbers, what was done, what failed.',
        },
      },
      required: ['from', 'to', 'text'],
      additionalProperties: false,
    },
    execute({ from, to, text }: { readonly from: number; readonly to: number; readonly text: string }): Json {
      if (text.trim() === '') throw new Error('the text is empty, and nothing would stay of these steps')
      const fault = faultOfRange([from, to], book.entries())
      if (fault !== undefined) throw new Error(fault)
      book.setFolds(addFold(book.folds(), { first: from, last: to, text: text.trim() }))
      return from === to ? `step ${from} is folded` : `steps ${from} to ${to} are folded`
    },
  }
}

function createUnfold(book: FoldBook): Tool {
  return {
    name: 'unfold',
    description: 'Takes a fold back: its steps are in view again as they were.',
    parameters: {
      type: 'object',
      properties: { from: { ...STEP, description: 'Number of the first step of the fold.' } },
      required: ['from'],
      additionalProperties: false,
    },
    execute({ from }: { readonly from: number }): Json {
      const folded = book.entries().filter(({ isFold }) => isFold)
      const entry = folded.find(({ first }) => first === from)
      if (entry === undefined) {
        const known = folded.length === 0 ? 'nothing is folded' : `folded are ${nameEntries(folded)}`
        throw new Error(`no fold begins with step ${from}; ${known}`)
      }
      book.setFolds(book.folds().filter(({ first }) => first !== from))
      return entry.first === entry.last ? `step ${from} is back` : `steps ${from} to ${entry.last} are back`
    },
  }
}
