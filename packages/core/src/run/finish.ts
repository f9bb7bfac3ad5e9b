import { isHarnessError } from '../errors/error.js'
import { copyJson } from '../json/copy.js'
import type { AnswerAction, Json, Message, Reply, Status } from '../protocol/index.js'
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
  const turn = openTurn(run)
  const offered = await run.harness.hooks.finish.promise(reason, turn)
  const reply = offered === undefined && reason !== 'context_overflow' ? await askModel(run, turn) : undefined
  const answer = offered !== undefined ? copyJson(offered) : (reply?.answer ?? reply?.content)
  if (answer === undefined) return lastText(run)
  const action: AnswerAction = { kind: 'answer', answer, ...(reply === undefined ? {} : { reply }) }
  const before = turn.takeNotes()
  turn.capabilities = { tools: [], skills: [] }
  await closeStep(run, turn, { action, before, outcome: { observations: [] }, end: { status, reason } })
  return { answer, partial: false }
}

/** One call without tools. A run that made no step of its own makes none. */
async function askModel(run: RunState, turn: LiveTurn): Promise<Reply | undefined> {
  if (run.steps.length === 0) return undefined
  const { hooks } = run.harness
  try {
    turn.view = await hooks.memory.promise(turn.view, turn)
    const messages: Message[] = [...turn.view.messages, { role: 'user', content: ANSWER_NOW }]
    const { output } = run.task
    return await callModel(run, KERNEL, {
      purpose: 'finish',
      messages,
      ...(output === undefined ? {} : { schema: output }),
    })
  } catch (error) {
    if (run.isAbort(error)) throw error
    if (isHarnessError(error)) run.warn(`no closing answer could be asked for: ${error.message}`)
    else throw error
    return undefined
  }
}

function lastText(run: RunState): Finish {
  const last = run.history.findLast((message) => message.role === 'assistant' && message.content !== '')
  if (last === undefined || typeof last.content !== 'string') return { answer: null, partial: false }
  return { answer: last.content, partial: true }
}
