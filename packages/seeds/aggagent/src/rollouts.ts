import type { Json, Message, RunResult } from '@harnesswright/core'

/** One run of the task, as the aggregator knows it. */
export interface Rollout {
  /** From 1. */
  readonly number: number
  /** Path of its run. */
  readonly path: string
  /** Undefined where it was not started. */
  readonly result: RunResult | undefined
}

/** The id of the child run of a rollout. */
export function idOfRollout(number: number): string {
  return `rollout-${number}`
}

/** An answer as text; empty where there is none. */
export function answerText(answer: Json | undefined): string {
  if (answer === undefined || answer === null) return ''
  return typeof answer === 'string' ? answer.trim() : JSON.stringify(answer)
}

/** The rollout whose answer stands when nothing was adjudicated: the first that answered, else the first that says something. */
export function firstAnswered(rollouts: readonly Rollout[]): Rollout | undefined {
  const said = rollouts.filter(({ result }) => answerText(result?.answer) !== '')
  return said.find(({ result }) => result?.status === 'answered') ?? said[0]
}

/** The final answers, one line a rollout, with how it ended. */
export function solutionsOf(rollouts: readonly Rollout[]): string {
  return rollouts
    .map(({ number, result }) => {
      const answer = answerText(result?.answer).replace(/\s*\n\s*/g, ' ')
      return answer === ''
        ? `[Rollout ${number}] no answer: ${endOf(result)}`
        : `Candidate ${number}: ${answer}\n[Rollout ${number}] ${endOf(result)}`
    })
    .join('\n')
}

function endOf(result: RunResult | undefined): string {
  if (result === undefined) return 'it was not started'
  const { status, reason, spent } = result
  const why = reason === undefined || reason === status ? '' : ` (${reason})`
  return `${status}${why} after ${spent.steps} steps`
}

/** Who speaks in a passage: the model, or a tool. */
export type Speaker = 'assistant' | 'tool'

/** A stretch of a trajectory that one speaker said. */
export interface Passage {
  readonly rollout: number
  readonly step: number
  readonly speaker: Speaker
  readonly text: string
}

/** Passages of a run that has ended: made once, as they are looked at again and again. */
const known = new WeakMap<RunResult, readonly Passage[]>()

/** What was said in a rollout, step by step: words of the model, its calls, and what tools returned. */
export function passagesOf({ number, result }: Rollout): readonly Passage[] {
  if (result === undefined) return []
  const passages = known.get(result) ?? readPassages(number, result)
  known.set(result, passages)
  return passages
}

function readPassages(rollout: number, { steps }: RunResult): readonly Passage[] {
  return steps.flatMap(({ index, messages }) =>
    messages.flatMap((message): Passage[] => {
      const { role } = message
      if (role !== 'assistant' && role !== 'tool') return []
      const text = wordsOf(message)
      return text === '' ? [] : [{ rollout, step: index, speaker: role, text }]
    }),
  )
}

function wordsOf({ content, toolCalls = [] }: Message): string {
  const said =
    typeof content === 'string' ? content : content.map((part) => ('text' in part ? part.text : '')).join('\n')
  const calls = toolCalls.map((call) => `${call.name} ${call.arguments}`)
  return [said, ...calls].filter((part) => part.trim() !== '').join('\n')
}
