import type { Tool, ToolContext } from '@harnesswright/core'
import { type Passage, passagesOf, type Rollout, type Speaker, solutionsOf } from './rollouts.js'
import { searchPassages } from './search.js'

/** Name of the tool that shows the answers of the rollouts. */
export const SOLUTIONS = 'get_solution'

/** Name of the tool that ends the run. */
export const FINISH = 'finish'

/** Hits of a search, where the model does not say how many, and at most. */
const HITS = { usual: 5, most: 10 }

/** Steps of a segment at most, and its words. */
const SEGMENT = { steps: 5, words: 600 }

/** Longest result of a look at a trajectory, and of a search in them, in characters. */
const MAX_CHARS = { segment: 8_000, search: 4_000 }

/** What was decided: the answer, and the rollout whose files stand. */
export interface Verdict {
  readonly answer: string
  readonly explanation: string
  readonly rollout: number
}

/** What the tools look at, and whom they tell. */
export interface Desk {
  rollouts(): readonly Rollout[]
  /** Is told that the answers were shown, and where. */
  shown(where: Pick<ToolContext, 'workspace'>): void
  /** Takes the verdict. @throws Error that says what is wrong with it. */
  decide(verdict: Verdict): void
}

const TEXT = { type: 'string' } as const
const NUMBER = { type: 'integer', minimum: 1 } as const

/** Arguments of the tools: the same objects in every run, so that each schema is compiled once. */
const PARAMETERS = {
  solutions: closed({}),
  search: closed(
    {
      query: { ...TEXT, description: 'Words that stand together in what is looked for.' },
      limit: { ...NUMBER, maximum: HITS.most, description: `Most passages. Default ${HITS.usual}.` },
      role: { enum: ['tool', 'assistant'], description: 'Only what tools returned, or only what the agents said.' },
    },
    ['query'],
  ),
  segment: closed(
    {
      rollout: { ...NUMBER, description: 'Number of the rollout.' },
      from: { ...NUMBER, description: 'First step.' },
      to: { ...NUMBER, description: 'Last step. Default: the first.' },
    },
    ['rollout', 'from'],
  ),
  finish: closed(
    {
      explanation: { ...TEXT, description: 'Why, in a sentence or two.' },
      answer: { ...TEXT, description: 'The whole answer to the task, in the form that it asks for.' },
      rollout: {
        ...NUMBER,
        description: 'Number of the rollout that did best: the files it wrote are kept, those of others are not.',
      },
    },
    ['explanation', 'answer', 'rollout'],
  ),
} as const

/** The tools of the aggregator. They look at the rollouts, and change nothing but the verdict. */
export function createTools(desk: Desk): readonly Tool[] {
  return [
    {
      name: SOLUTIONS,
      description: 'Shows the final answer of every rollout, and how it ended.',
      parameters: PARAMETERS.solutions,
      maxResultChars: MAX_CHARS.segment,
      readOnly: true,
      idempotent: true,
      execute: (_none: object, where: ToolContext) => {
        desk.shown(where)
        return solutionsOf(desk.rollouts())
      },
    },
    {
      name: 'search_trajectory',
      description:
        'Finds where the rollouts saw or said something: the passages that hold most words of the query in their order.',
      parameters: PARAMETERS.search,
      maxResultChars: MAX_CHARS.search,
      readOnly: true,
      idempotent: true,
      execute: (asked: SearchArguments) => search(desk.rollouts(), asked),
    },
    {
      name: 'get_segment',
      description: `Shows up to ${SEGMENT.steps} steps of a rollout as they happened.`,
      parameters: PARAMETERS.segment,
      maxResultChars: MAX_CHARS.segment,
      readOnly: true,
      idempotent: true,
      execute: (asked: SegmentArguments) => showSegment(desk.rollouts(), asked),
    },
    {
      name: FINISH,
      description: 'Ends the work with the answer that is right by what the rollouts saw.',
      parameters: PARAMETERS.finish,
      execute: (verdict: Verdict) => {
        desk.decide(verdict)
        return 'The answer is given.'
      },
    },
  ]
}

function closed(properties: object, required: readonly string[] = []): Tool['parameters'] {
  return { type: 'object', properties, required, additionalProperties: false } as Tool['parameters'] // JSON Schema
}

interface SearchArguments {
  readonly query: string
  readonly limit?: number
  readonly role?: Speaker
}

function search(rollouts: readonly Rollout[], { query, limit = HITS.usual, role }: SearchArguments): string {
  const passages = rollouts.flatMap(passagesOf).filter(({ speaker }) => role === undefined || speaker === role)
  const hits = searchPassages(passages, query, limit)
  if (hits.length === 0) return 'No rollout saw or said anything of it.'
  return hits.map(({ passage, text }) => `${headingOf(passage)}\n${text}`).join('\n\n')
}

interface SegmentArguments {
  readonly rollout: number
  readonly from: number
  readonly to?: number
}

function showSegment(rollouts: readonly Rollout[], { rollout, from, to = from }: SegmentArguments): string {
  const chosen = findRollout(rollouts, rollout)
  const steps = chosen.result?.steps.length ?? 0
  if (from > steps) throw new Error(`rollout ${rollout} has ${steps} steps, and no step ${from}`)
  const last = Math.min(Math.max(from, to), from + SEGMENT.steps - 1)
  const shown = passagesOf(chosen).filter(({ step }) => step >= from && step <= last)
  return cutWords(shown.map((passage) => `${headingOf(passage)}\n${passage.text}`).join('\n\n'), SEGMENT.words)
}

/**
 * The rollout of that number.
 *
 * @throws Error that says which there are.
 */
export function findRollout(rollouts: readonly Rollout[], number: number): Rollout {
  const found = rollouts.find((one) => one.number === number)
  if (found !== undefined) return found
  throw new Error(`there is no rollout ${number}: there are 1 to ${rollouts.length}`)
}

function headingOf({ rollout, step, speaker }: Passage): string {
  return `[Rollout ${rollout}, step ${step}, ${speaker === 'tool' ? 'a tool' : 'the agent'}]`
}

function cutWords(text: string, most: number): string {
  const tokens = [...text.matchAll(/\S+/g)]
  const last = tokens[most - 1]
  if (tokens.length <= most || last === undefined) return text
  return `${text.slice(0, last.index + last[0].length)}\n[… ${tokens.length - most} words left out; ask for fewer steps …]`
}
