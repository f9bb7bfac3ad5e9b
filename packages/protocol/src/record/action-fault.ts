import type { Action } from '../types/index.js'

type Fields = Readonly<Record<string, unknown>>

const KINDS: readonly Action['kind'][] = ['call', 'spawn', 'answer', 'think', 'ask', 'fail']

/** What is wrong with what is given as an action, in words, or undefined. Whether it is JSON is not looked at. */
export function faultOfAction(value: unknown): string | undefined {
  const { kind, calls, runs, answer, question, reason, feedback = '', reply, commit = '', schema } = fieldsOf(value)
  if (!KINDS.some((one) => one === kind))
    return `the kind of an action is one of ${KINDS.join(', ')}, found ${JSON.stringify(kind)}`
  if (reply !== undefined && !isReply(reply)) return 'the reply of an action is one of a model'
  const areCalls = Array.isArray(calls) && calls.every(isCall)
  if (kind === 'call' ? !areCalls || calls.length === 0 : kind === 'spawn' && calls !== undefined && !areCalls)
    return `an action "${kind}" has calls, each with an id, a name and the text of its arguments`
  if (kind === 'spawn' && !Array.isArray(runs)) return 'an action "spawn" has runs, a list'
  if (kind === 'answer' && (answer === undefined || typeof commit !== 'string'))
    return 'an action "answer" has an answer; commit is the path of a child run'
  if (kind === 'ask' && (typeof question !== 'string' || (schema !== undefined && fieldsOf(schema) !== schema)))
    return 'an action "ask" has a question, a text, and may have a schema, an object'
  if (kind === 'think' && typeof feedback !== 'string') return 'the feedback of an action "think" is a text'
  if (kind === 'fail' && typeof reason !== 'string') return 'an action "fail" has a reason'
  return kind === 'spawn'
    ? (runs as readonly unknown[]).map(faultOfRun).find((fault) => fault !== undefined)
    : undefined
}

/** Ids of child runs are parts of paths. */
function faultOfRun(value: unknown): string | undefined {
  const {
    id,
    task,
    limits = {},
    tools,
    callId = '',
    model = '',
    harness = 'self',
    workspace = 'fork',
  } = fieldsOf(value)
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id))
    return `the id of a child run is 1 to 64 letters, digits, _ and -, found ${JSON.stringify(id)}`
  if (typeof fieldsOf(task)['instruction'] !== 'string') return `the run "${id}" has a task with an instruction`
  if (typeof callId !== 'string' || typeof model !== 'string')
    return `the callId and the model of the run "${id}" are texts`
  if (tools !== undefined && !(Array.isArray(tools) && tools.every((tool) => typeof tool === 'string')))
    return `the tools of the run "${id}" are a list of names`
  if (harness !== 'self' && Object.keys(fieldsOf(harness)).length === 0)
    return `the harness of the run "${id}" is "self", a manifest, or a change of its own`
  if (!['share', 'fork', 'none'].includes(String(workspace)))
    return `the workspace of the run "${id}" is share, fork or none, found ${JSON.stringify(workspace)}`
  const odd = Object.entries(fieldsOf(limits)).find(
    ([name, limit]) => name !== 'perTool' && !(typeof limit === 'number' && limit >= 0),
  )
  return odd && `the limit ${odd[0]} of the run "${id}" is ${JSON.stringify(odd[1])}: a number from 0 up was expected`
}

function isReply(value: unknown): boolean {
  const { content, toolCalls } = fieldsOf(value)
  return typeof content === 'string' && Array.isArray(toolCalls)
}

function isCall(value: unknown): boolean {
  const { name, arguments: text } = fieldsOf(value)
  return typeof name === 'string' && typeof text === 'string'
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}
