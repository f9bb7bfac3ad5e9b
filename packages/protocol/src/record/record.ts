import { asText } from '../json/text.js'
import { mixSeed } from '../random.js'
import type {
  Action,
  JournalEntry,
  Message,
  ModelCall,
  Observation,
  PendingEffect,
  Question,
  RunRecord,
  Snapshot,
  Step,
  StepRecord,
  ToolCall,
} from '../types/index.js'
import { addCharged, chargeOf, NOTHING } from './charge.js'

type Writable<T> = { -readonly [Field in keyof T]: T[Field] }
type Pending = Omit<PendingEffect, 'started' | 'outcomes'> & {
  started: string[]
  outcomes: Record<string, Observation>
}
type Writing = Writable<Omit<RunRecord, 'steps' | 'calls' | 'pending'>> & {
  steps: StepRecord[]
  calls: (ModelCall | null)[]
  pending?: Pending
}

/** The records of a tree of runs by path, while it is under way. */
export type Records = Record<string, RunRecord>

/** Brings the records up to date. A list of entries folds to a snapshot, in the process that runs and in one that reads a journal. */
export function applyEntry(runs: Records, entry: JournalEntry): void {
  if (entry.opening !== undefined) open(runs, entry.path, entry.opening)
  const run = runs[entry.path] as Writing // opened before
  for (const name in entry) BY_NAME.get(name)?.(run, entry as Required<JournalEntry>) // it has that field
}

function open(runs: Records, path: string, opening: RunRecord['opening']): void {
  if (path === '') for (const old of Object.keys(runs)) delete runs[old] // another run begins
  runs[path] = { opening, steps: [], states: {}, facts: {}, artifacts: {}, calls: [], charged: NOTHING, ms: 0 }
}

type Change = (run: Writing, entry: Required<JournalEntry>) => void

/** What each field of an entry changes in the record of its run. */
const CHANGES: { readonly [Name in keyof JournalEntry]?: Change } = {
  ms: (run, { ms }) => {
    run.ms = ms
  },
  call: (run, { call: { place, call, charged } }) => {
    if (place !== undefined) {
      while (run.calls.length < place) run.calls.push(null) // a call that is under way, or failed
      run.calls[place] = call
    }
    run.charged = addCharged(run.charged, chargeOf(call, charged))
  },
  resumed: (run) => {
    run.calls.length = run.pending?.modelCalls ?? 0
    delete run.end
  },
  // Spread and not assigned, here and below: a name or an id may be "__proto__".
  states: (run, { states }) => {
    run.states = { ...run.states, ...states }
  },
  facts: (run, { facts }) => {
    run.facts = { ...run.facts, ...facts }
  },
  artifacts: (run, { artifacts }) => {
    run.artifacts = { ...run.artifacts, ...artifacts }
  },
  effect: (run, { effect }) => {
    // Its first part has all that must be.
    const outcomes = { ...(effect.outcomes ?? run.pending?.outcomes) }
    run.pending = { started: [], ...run.pending, ...effect, outcomes } as Pending
  },
  started: (run, { started }) => void run.pending?.started.push(started),
  outcome: ({ pending }, { outcome }) => {
    if (pending !== undefined) pending.outcomes = { ...pending.outcomes, [outcome.callId]: outcome }
  },
  step: (run, { step }) => {
    run.steps.push(stepRecord(step, run.pending, run.calls))
    run.calls = []
    delete run.pending
  },
  end: (run, { end }) => {
    run.end = end
  },
}

/** A map, as a journal may hold any name. */
const BY_NAME = new Map<string, Change>(Object.entries(CHANGES))

function stepRecord(
  step: NonNullable<JournalEntry['step']>,
  pending: PendingEffect | undefined,
  calls: RunRecord['calls'],
): StepRecord {
  const { before = [], action, directive, capabilities, at, outcomes = {} }: Partial<PendingEffect> = pending ?? {}
  return {
    ...({ action, directive, capabilities, at, ...step } as StepRecord), // what the effect lacks is in the step
    observations: step.observations.map((one) => (typeof one === 'string' ? outcomes[one] : one) as Observation),
    notes: { before, during: [], after: [], ...step.notes },
    modelCalls: step.modelCalls ?? calls.filter((call) => call !== null),
  }
}

/** The step that a record stands for, with its messages. */
export function stepOf(record: StepRecord, index: number, fence: string): Step {
  const { notes, feedback, limit: _limit, ...fields } = record
  const said = messagesOf(record, feedback, fence)
  const messages = [...notes.before, ...said, ...notes.during, ...notes.after]
  return {
    index,
    ...fields,
    messages: messages.map((message, at) => ({ ...message, id: `${index}.${at}`, step: index })),
  }
}

/** Assistant message, one tool message per call in call order, other observations, feedback. */
function messagesOf({ action, observations }: StepRecord, feedback: string | undefined, fence: string): Message[] {
  const calls = callsOf(action)
  const answered = new Map(observations.map((observation) => [observation.callId, observation]))
  const messages: Message[] = [...assistantMessage(action, calls)]
  for (const call of calls) {
    messages.push({
      role: 'tool',
      callId: call.id,
      content: answered.get(call.id)?.content ?? 'error: the call gave no result',
    })
    answered.delete(call.id)
  }
  for (const { content } of answered.values())
    messages.push({ role: 'user', content: fenced(content, fence), note: 'result' })
  if (feedback !== undefined) messages.push({ role: 'user', content: feedback, note: 'feedback' })
  return messages
}

/** Name of the tags around results that stand in texts. */
export function fenceOf(seed: number, path: string): string {
  return `result-${mixSeed(seed, path, 'fence').toString(36)}`
}

/** The text of a result that answers no call, in tags that nothing in it can close. */
function fenced(content: string, fence: string): string {
  return `<${fence}>\n${content.replaceAll(`</${fence}`, `<\\/${fence}`)}\n</${fence}>`
}

/** The calls that an action makes: those of tools, those that its child runs answer, and one that a person answers. */
export function callsOf(action: Action): readonly ToolCall[] {
  if (action.kind === 'call') return action.calls
  const made = action.kind === 'spawn' ? (action.calls ?? []) : []
  const ids = new Set<string | undefined>(made.map(({ id }) => id))
  if (action.kind === 'spawn') for (const { callId } of action.runs) ids.add(callId)
  if (action.kind === 'ask') ids.add(action.callId)
  const said = action.reply?.toolCalls.filter(({ id }) => ids.has(id)) ?? []
  return [...said, ...made.filter(({ id }) => !said.some((call) => call.id === id))]
}

/** From the reply, else from the calls; a call that the action left out is left out here too. */
function assistantMessage(action: Action, calls: readonly ToolCall[]): readonly Message[] {
  const { reply } = action
  const said = reply?.content ?? ''
  const content = said.trim() === '' && action.kind === 'answer' ? asText(action.answer) : said
  if (content.trim() === '' && calls.length === 0 && reply?.reasoning === undefined) return []
  const whole = reply?.toolCalls.length === calls.length
  return [
    {
      role: 'assistant',
      content,
      ...(calls.length === 0 ? {} : { toolCalls: calls }),
      ...(reply?.reasoning === undefined ? {} : { reasoning: reply.reasoning }),
      ...(reply?.wire === undefined || !whole ? {} : { wire: reply.wire }),
    },
  ]
}

/** The path of a child run. */
export function childPath(parent: string, step: number, id: string): string {
  return `${parent === '' ? '' : `${parent}/`}${step}.${id}`
}

/** Paths of the child runs of a run that have begun, in the order of the actions that spawned them. */
export function childPaths(runs: Snapshot['runs'], path: string): readonly string[] {
  const { steps, pending } = runs[path] as RunRecord
  const actions = [...steps, ...(pending === undefined ? [] : [pending])].map(({ action }) => action)
  const spawned = actions.flatMap((action, index) =>
    action.kind === 'spawn' ? action.runs.map(({ id }) => childPath(path, index + 1, id)) : [],
  )
  return spawned.filter((one) => runs[one] !== undefined)
}

/** The questions for which the runs of a snapshot wait. */
export function questionsOf({ runs }: Snapshot): readonly Question[] {
  return Object.values(runs).flatMap(({ pending }) => pending?.questions ?? [])
}
