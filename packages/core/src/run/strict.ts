import type { Mount } from '../assemble/mount.js'
import { HarnessError } from '../errors/error.js'
import type { ErrorCode } from '../errors/table.js'
import { faultOf, keepsHead } from '../history/validity.js'
import { copyJson, freezeJson, NotJson } from '../json/copy.js'
import type { Action, Capabilities, Directive, View } from '../protocol/index.js'
import type { LiveTurn } from './turn.js'

type Fields = Readonly<Record<string, unknown>>
/** What is wrong with a value, in words. */
type Fault = string | undefined

const KINDS = ['call', 'spawn', 'answer', 'think', 'ask', 'fail']

/** Refuses what a verb returned, with the name of its module. */
function refuseIf(fault: Fault, code: ErrorCode, mount: Mount, turn: LiveTurn): void {
  if (fault === undefined) return
  const { use, slot } = mount
  const message = `${use} broke the rules of its slot at step ${turn.step}: ${fault}.`
  throw new HarnessError(code, { message, slot, module: use, step: turn.step })
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** A copy as JSON, so that a module that changes its plan later does not rewrite the record. */
function copied<T>(value: T, code: ErrorCode, mount: Mount, turn: LiveTurn): T {
  try {
    return copyJson(value) as T
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    refuseIf(error.message, code, mount, turn)
    throw error
  }
}

/** A view: messages that begin with the head and are a valid history; strict mode refuses others, else they are healed later. */
export function checkView(value: unknown, mount: Mount, turn: LiveTurn): View {
  const { messages } = fieldsOf(value)
  refuseIf(Array.isArray(messages) ? undefined : 'a view is { messages }, a list', 'E_PROTOCOL_VIEW', mount, turn)
  const view = value as View
  const { strict } = turn.run.env
  const fault = keepsHead(turn.run.head, view.messages)
    ? faultOf(view.messages)
    : 'the view does not begin with the head'
  if (strict) refuseIf(fault, 'E_PROTOCOL_VIEW', mount, turn)
  if (fault !== undefined) turn.brokenBy ??= mount.use
  return strict ? freezeJson(view) : view
}

/** A directive: a text, and JSON. */
export function checkDirective(value: unknown, mount: Mount, turn: LiveTurn): Directive {
  const fault = typeof fieldsOf(value)['text'] === 'string' ? undefined : 'a directive is { text }, with a string'
  refuseIf(fault, 'E_PROTOCOL_DIRECTIVE', mount, turn)
  return copied(value as Directive, 'E_PROTOCOL_DIRECTIVE', mount, turn)
}

/** Capabilities: tools of the environment, of distinct names, and skills. */
export function checkCapabilities(value: unknown, mount: Mount, turn: LiveTurn): Capabilities {
  refuseIf(faultOfCapabilities(value, turn), 'E_PROTOCOL_CAPABILITIES', mount, turn)
  return value as Capabilities
}

function faultOfCapabilities(value: unknown, turn: LiveTurn): Fault {
  const { tools, skills } = fieldsOf(value) as Partial<Capabilities>
  if (!Array.isArray(tools) || !Array.isArray(skills)) return 'capabilities are { tools, skills }, two lists'
  const names = (tools as Capabilities['tools']).map((tool) => tool.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) return `the tool "${twice}" is there twice`
  const stranger = tools.find((tool) => !turn.run.tools.includes(tool))
  return stranger === undefined ? undefined : `the tool "${stranger.name}" is not one of the environment`
}

/** An action: a known kind with its fields, and JSON; in strict mode its calls are those of its reply. */
export function checkAction(value: unknown, mount: Mount, turn: LiveTurn): Action {
  const { reply, ...data } = fieldsOf(value) as unknown as Action // checked on the next line
  refuseIf(faultOfAction(data), 'E_PROTOCOL_ACTION', mount, turn)
  const action = {
    ...copied(data as Action, 'E_PROTOCOL_ACTION', mount, turn),
    ...(reply === undefined ? {} : { reply }),
  }
  if (turn.run.env.strict && action.kind === 'call' && reply !== undefined) {
    const stranger = action.calls.find((call) => !reply.toolCalls.some((own) => own.id === call.id))
    refuseIf(stranger && `the call "${stranger.id}" is not one of its reply`, 'E_PROTOCOL_ACTION', mount, turn)
  }
  return action
}

function faultOfAction({ kind, calls, answer, reason }: Fields): Fault {
  if (typeof kind !== 'string' || !KINDS.includes(kind)) {
    return `the kind of an action is one of ${KINDS.join(', ')}, found ${JSON.stringify(kind)}`
  }
  const isCall = (call: unknown): boolean => {
    const { name, arguments: text } = fieldsOf(call)
    return typeof name === 'string' && typeof text === 'string'
  }
  if (kind === 'call' && !(Array.isArray(calls) && calls.length > 0 && calls.every(isCall))) {
    return 'an action "call" has calls, each with an id, a name and the text of its arguments'
  }
  if (kind === 'answer' && answer === undefined) return 'an action "answer" has an answer'
  return kind === 'fail' && typeof reason !== 'string' ? 'an action "fail" has a reason' : undefined
}
