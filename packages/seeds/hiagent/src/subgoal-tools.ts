import type { Json, JsonSchema, Tool } from '@harnesswright/core'
import { type ClosedSubgoal, nameSteps } from './subgoals.js'

/** What the tools work on. */
export interface SubgoalBook {
  /** Begins one with the step under way. Gives its number. */
  begin(goal: string): number
  closed(): readonly ClosedSubgoal[]
  /** Has the steps of a closed one shown again. */
  show(number: number): void
}

/** Longest sub-goal, in characters: it stands in every request. */
const MOST_CHARS = 1_000

const BEGIN: JsonSchema = {
  type: 'object',
  properties: {
    goal: {
      type: 'string',
      minLength: 1,
      maxLength: MOST_CHARS,
      description: 'What is to be reached next, in words that stand alone, with every name in full.',
    },
  },
  required: ['goal'],
  additionalProperties: false,
}

const RECALL: JsonSchema = {
  type: 'object',
  properties: { number: { type: 'integer', minimum: 1, description: 'Number of the sub-goal.' } },
  required: ['number'],
  additionalProperties: false,
}

/** The tools with which the model names what it works towards, and looks again at the steps of a sub-goal that is over. */
export function createSubgoalTools(book: SubgoalBook): readonly Tool[] {
  return [
    {
      name: 'subgoal',
      description: 'Begins the next sub-goal and ends the one before, of which a summary stays.',
      parameters: BEGIN,
      execute({ goal }: { readonly goal: string }): Json {
        if (goal.trim() === '') throw new Error('the sub-goal is empty; say what is to be reached next')
        return `sub-goal ${book.begin(goal.trim())} has begun`
      },
    },
    {
      name: 'recall_subgoal',
      description: 'Shows the steps of an earlier sub-goal again as they were, until the next sub-goal begins.',
      parameters: RECALL,
      execute({ number }: { readonly number: number }): Json {
        const closed = book.closed().find((one) => one.number === number)
        if (closed === undefined || closed.summary === '') throw new Error(notSummarised(number, book.closed()))
        book.show(number)
        return `${nameSteps(closed)} of sub-goal ${number} are in view again`
      },
    },
  ]
}

function notSummarised(number: number, closed: readonly ClosedSubgoal[]): string {
  const known = closed.filter(({ summary }) => summary !== '').map((one) => `${one.number} (${nameSteps(one)})`)
  const rest = known.length === 0 ? 'there is none yet, and every step is in view' : `those are ${known.join(', ')}`
  return `sub-goal ${number} is none of which only a summary is in view; ${rest}`
}
