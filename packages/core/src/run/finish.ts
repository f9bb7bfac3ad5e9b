import {
  type AnswerAction,
  asText,
  isHarnessError,
  type Json,
  type Message,
  messageOf,
  type Reply,
  type Status,
} from '@harnesswright/protocol'
import { limitOf } from './limit-check.js'
import { callModel, KERNEL } from './model-call.js'
import type { RunState } from './run-state.js'
import { closeStep, openTurn } from './step.js'
import type { LiveTurn } from './turn.js'

/** The best answer there is when a run must end. */
export interface Finish {
  readonly answer: Json
  /** The answer is the last text of the model, not one it gave as an answer. */
  readonly partial: boolean
}

/** What the model is told when it must answer now. */
const ANSWER_NOW =
  'The work must end here: no further tool can be called. Give the best answer to the task that what is above supports, in the form the task asks for. Say so if something is missing; do not invent it.'

/**
 * Asks for the best answer when a limit is hit: the modules first, then the model once without tools and from the reserve,
 * then the last text of the model, marked partial, then none. The forced answer is a step of the trajectory.
 */
export async function finishRun(run: RunState, reason: string, status: Status): Promise<Finish> {
  // A plan that is done has built its view already.
  const turn = reason === 'done' ? run.turn : await openLastTurn(run)
  run.isFinishing = true
  const offered = await unlessLimited(run, () => run.harness.hooks.finish.promise(reason, turn))
  const reply = offered === undefined && reason !== 'context_overflow' ? await askModel(run, turn) : undefined
  const answer = offered ?? answerOf(run, reply)
  if (answer === undefined) return lastText(run)
  const action: AnswerAction = { kind: 'answer', answer, ...(reply === undefined ? {} : { reply }) }
  const before = turn.takeNotes()
  turn.capabilities = { tools: [], skills: [] }
  await closeStep(run, turn, { action, before, outcome: { observations: [] }, end: { status, reason } })
  return { answer, partial: false }
}

/** The turn of the forced answer. A view that cannot be built any more is the last good one. */
async function openLastTurn(run: RunState): Promise<LiveTurn> {
  const lastGood = run.turn.view
  const turn = openTurn(run)
  if (run.steps.length === 0) return turn
  turn.view = (await unlessLimited(run, () => run.harness.hooks.memory.promise(turn.view, turn))) ?? lastGood
  return turn
}

/** What the work gives, or nothing if a limit stops it too. */
async function unlessLimited<T>(run: RunState, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (limitOf(error) === undefined) throw error
    run.warn(`no better answer could be made: ${messageOf(error)}`)
    return undefined
  }
}

/** One call without tools. A run that made no step of its own makes none. */
async function askModel(run: RunState, turn: LiveTurn): Promise<Reply | undefined> {
  if (run.steps.length === 0) return undefined
  const messages: Message[] = [...turn.view.messages, { role: 'user', content: ANSWER_NOW }]
  const { output } = run.task
  try {
    return await callModel(run, KERNEL, {
      purpose: 'finish',
      messages,
      ...(output === undefined ? {} : { schema: output }),
    })
  } catch (error) {
    if (run.isAbort(error) || !isHarnessError(error)) throw error
    run.warn(`no closing answer could be asked for: ${error.message}`)
    return undefined
  }
}

/** What the model answered: not an empty text, and JSON where the task asks for it. */
function answerOf(run: RunState, reply: Reply | undefined): Json | undefined {
  if (reply?.answer !== undefined) return reply.answer
  if (reply === undefined || reply.content.trim() === '') return undefined
  if (run.task.output === undefined) return reply.content
  try {
    return JSON.parse(reply.content) as Json
  } catch {
    return reply.content
  }
}

/** The last text of the model, else the last answer of a child run. */
function lastText(run: RunState): Finish {
  const last = run.history.findLast(({ role, content }) => role === 'assistant' && asText(content).trim() !== '')
  if (last !== undefined) return { answer: asText(last.content), partial: true }
  const answer = Object.values(run.children).findLast((child) => child.answer !== null)?.answer ?? null
  return { answer, partial: answer !== null }
}
