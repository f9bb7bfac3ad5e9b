import { type Message, renderHeading, type Step } from '@harnesswright/core'
import { standingNotes } from '@harnesswright/seed-react/view'
import { type Fold, type Range, touches } from './entries.js'
import { FOLD_TOOLS } from './fold-tools.js'
import { headStep } from './headed-step.js'
import { writeStep } from './written-step.js'

/** What a view is folded with. */
export interface Folding {
  /** In the order of their steps. */
  readonly folds: readonly Fold[]
  readonly history: readonly Step[]
  /** Steps are shown as text, as published. */
  readonly faithful: boolean
}

/** Messages of one step that stand together, or one that is of no step. */
interface Segment {
  readonly step: number | undefined
  readonly messages: readonly Message[]
}

/** The steps that messages of other memories stand for. */
export function coveredBy(messages: readonly Message[]): readonly Range[] {
  return messages.flatMap(({ covers }) => (covers === undefined ? [] : [covers]))
}

/**
 * The view with folds in place of their steps, and a heading at each step that is not folded. Plan and review stay, whatever
 * is folded; calls that folded something go. A fold of steps that another memory stands for is left out.
 */
export function foldView(messages: readonly Message[], { folds, history, faithful }: Folding): readonly Message[] {
  const shown = folds.filter((fold) => !touches(coveredBy(messages), fold))
  const standing = new Set(standingNotes(messages))
  const made = callsMade(history)
  const segments = segmentsOf(messages)
  const newest = segments.findLast(({ step }) => step !== undefined)?.step
  const told = new Set<Fold>()
  return segments.flatMap(({ step, messages: own }) => {
    if (step === undefined) return own
    const fold = shown.find(({ first, last }) => first <= step && step <= last)
    if (fold === undefined) {
      const rest = withoutCalls(own, made)
      return faithful ? writeStep(rest, { step, isNewest: step === newest }) : headStep(rest, step)
    }
    const text = told.has(fold) ? [] : [foldMessage(fold)]
    told.add(fold)
    return [...text, ...own.filter((message) => standing.has(message))]
  })
}

function segmentsOf(messages: readonly Message[]): readonly Segment[] {
  const segments: { step: number | undefined; messages: Message[] }[] = []
  for (const message of messages) {
    const last = segments.at(-1)
    if (last !== undefined && message.step !== undefined && last.step === message.step) last.messages.push(message)
    else segments.push({ step: message.step, messages: [message] })
  }
  return segments
}

function foldMessage({ first, last, text }: Fold): Message {
  const content = `${renderHeading('Compressed Step', first, last)} ${text}`
  return { role: 'user', content, note: 'fold', covers: [first, last] }
}

/** Ids of the calls of fold tools that were made: what they did shows in the view. What was refused is told. */
function callsMade(history: readonly Step[]): ReadonlySet<string> {
  const observations = history.flatMap((step) => step.observations)
  return new Set(
    observations.filter(({ ok, tool = '' }) => ok && FOLD_TOOLS.includes(tool)).map(({ callId }) => callId),
  )
}

/** The messages without some calls and their results. What a model said beside them stays, if it said something. */
function withoutCalls(messages: readonly Message[], gone: ReadonlySet<string>): readonly Message[] {
  if (!messages.some(({ toolCalls = [] }) => toolCalls.some(({ id }) => gone.has(id)))) return messages
  return messages.flatMap((message): readonly Message[] => {
    if (message.role === 'tool') return gone.has(message.callId ?? '') ? [] : [message]
    const { toolCalls: all = [], wire: _raw, ...rest } = message
    if (all.length === 0) return [message]
    const toolCalls = all.filter(({ id }) => !gone.has(id))
    if (toolCalls.length > 0) return [{ ...rest, toolCalls }]
    return rest.content.length === 0 ? [] : [rest]
  })
}
