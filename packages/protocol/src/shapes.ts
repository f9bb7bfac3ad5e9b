import type { Message, Reply } from './types/index.js'

/** Fields of a value that may be anything. */
export type Fields = Readonly<Record<string, unknown>>

const KINDS = ['call', 'spawn', 'answer', 'think', 'ask', 'fail']

/** The fields of a value; none where it is no object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** Whether it is the reply of a model. */
export function isReply({ content, toolCalls }: Fields): boolean {
  return typeof content === 'string' && Array.isArray(toolCalls)
}

/** What is not clearly one of these must not pass for a permission. */
export function isDecision({ allow, deny, reason, answer, ask }: Fields): boolean {
  if (deny !== undefined) return deny === true && typeof reason === 'string'
  return allow === true || answer !== undefined || typeof ask === 'string'
}

/** Whether it is a message. */
export function isMessage(value: unknown): value is Message {
  const { role, content } = fieldsOf(value)
  return typeof role === 'string' && (typeof content === 'string' || Array.isArray(content))
}

/** What is wrong with an action, in words, if something is. */
export function faultOfAction(action: Fields): string | undefined {
  const { kind, calls, runs, question, answer, reason, feedback = '', reply } = action
  if (typeof kind !== 'string' || !KINDS.includes(kind)) {
    return `the kind of an action is one of ${KINDS.join(', ')}, found ${JSON.stringify(kind)}`
  }
  if (reply !== undefined && !isReply(fieldsOf(reply) as Fields & Reply))
    return 'the reply of an action is one of a model'
  const areCalls = Array.isArray(calls) && calls.every(isCall)
  if ((kind === 'call' && !(areCalls && calls.length > 0)) || (kind === 'spawn' && calls !== undefined && !areCalls)) {
    return `an action "${kind}" has calls, each with an id, a name and the text of its arguments`
  }
  if (kind === 'spawn') return faultOfRuns(runs)
  if (kind === 'ask' && typeof question !== 'string') return 'an action "ask" has a question'
  if (kind === 'answer' && answer === undefined) return 'an action "answer" has an answer'
  if (kind === 'think' && typeof feedback !== 'string') return 'the feedback of an action "think" is a text'
  return kind === 'fail' && typeof reason !== 'string' ? 'an action "fail" has a reason' : undefined
}

function isCall(call: unknown): boolean {
  const { name, arguments: text } = fieldsOf(call)
  return typeof name === 'string' && typeof text === 'string'
}

function faultOfRuns(runs: unknown): string | undefined {
  if (!Array.isArray(runs) || runs.length === 0) return 'an action "spawn" has runs, each with an id and a task'
  const ids = runs.map((run) => fieldsOf(run)['id'])
  // They become parts of paths, of workspaces too.
  const odd = ids.find((id) => typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id))
  if (odd !== undefined) return `the id of a run is of letters, digits, _ and -, found ${JSON.stringify(odd)}`
  const twice = ids.find((id, index) => ids.indexOf(id) !== index)
  if (twice !== undefined) return `two runs of one action have the id "${twice}"`
  const bare = runs.find((run) => typeof fieldsOf(fieldsOf(run)['task'])['instruction'] !== 'string')
  return bare === undefined ? undefined : `the run "${bare.id}" has no task with an instruction`
}
