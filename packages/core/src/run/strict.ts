import {
  type Action,
  actionCalls,
  type CallAction,
  type Capabilities,
  copyJson,
  type Directive,
  type ErrorCode,
  type Fields,
  faultOf,
  faultOfAction,
  fieldsOf,
  freezeJson,
  HarnessError,
  healView,
  isDecision,
  isMessage,
  isReply,
  keepsHead,
  NotJson,
  type View,
} from '@harnesswright/protocol'
import type { TapCheck } from '../hooks/guard.js'
import type { HookName } from '../hooks/hooks.js'
import type { LiveTurn } from './turn.js'

/** What is wrong with a value, in words. */
type Fault = string | undefined

/** Whose value it is. */
interface Owner {
  readonly slot: string
  readonly module: string
}

/** What each hook takes; the others take anything. */
const CHECKS: { readonly [Name in HookName]?: (value: unknown, owner: Owner, turn: LiveTurn) => unknown } = {
  memory: checkView,
  planning: checkDirective,
  capability: checkCapabilities,
  action: checkAction,
  modelRequest: shape(({ messages }) => Array.isArray(messages), 'a request has messages, a list'),
  modelResponse: shape(isReply, 'a reply has content, a text, and toolCalls, a list'),
  toolCall: json(isDecision, 'a guard says { allow: true }, { deny: true, reason }, { answer } or { ask }, a text'),
  toolResult: json(({ content }) => typeof content === 'string', 'an observation has content, a text'),
  finish: json(() => true, ''),
  error: shape((fields) => 'value' in fields, 'a recovery is { value }'),
}

/** Checks what a tap gave, whoever made it: shapes always; the rules of history heal, and in strict mode refuse. */
export const checkTap: TapCheck = (hook, value, owner, turn) => {
  const check = CHECKS[hook]
  return value === undefined || check === undefined ? value : check(value, owner, turn as LiveTurn)
}

/** Refuses what a tap gave, with the name of its module. */
function refuseIf(fault: Fault, code: ErrorCode, { slot, module }: Owner, { step }: LiveTurn): void {
  if (fault === undefined) return
  const message = `${module} broke the rules of its slot at step ${step}: ${fault}.`
  throw new HarnessError(code, { message, slot, module, step })
}

function shape(fits: (fields: Fields) => boolean, rule: string) {
  return (value: unknown, owner: Owner, turn: LiveTurn): unknown => {
    refuseIf(fits(fieldsOf(value)) ? undefined : rule, 'E_PROTOCOL_VALUE', owner, turn)
    return value
  }
}

function json(fits: (fields: Fields) => boolean, rule: string) {
  const check = shape(fits, rule)
  return (value: unknown, owner: Owner, turn: LiveTurn): unknown =>
    copied(check(value, owner, turn), 'E_PROTOCOL_VALUE', owner, turn)
}

/** A copy as JSON, so that a module that changes its plan later does not rewrite the record. */
function copied<T>(value: T, code: ErrorCode, owner: Owner, turn: LiveTurn): T {
  try {
    return copyJson(value) as T
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    refuseIf(error.message, code, owner, turn)
    throw error
  }
}

/** A view: messages that begin with the head and are a valid history; others are healed, and in strict mode refused. */
function checkView(value: unknown, owner: Owner, turn: LiveTurn): View {
  const { run } = turn
  const { messages } = fieldsOf(value)
  const isView = Array.isArray(messages) && messages.every(isMessage)
  refuseIf(isView ? undefined : 'a view is { messages }, a list of messages', 'E_PROTOCOL_VIEW', owner, turn)
  const view = value as View
  const fault = keepsHead(run.head, view.messages) ? faultOf(view.messages) : 'the view does not begin with the head'
  if (run.env.strict) refuseIf(fault, 'E_PROTOCOL_VIEW', owner, turn)
  if (fault === undefined) return run.env.strict ? freezeJson(view) : view
  run.emit(() => ({ type: 'healed', module: owner.module, what: fault }))
  return { ...view, messages: healView(run.head, view.messages) }
}

/** A directive: a text, and JSON. */
function checkDirective(value: unknown, owner: Owner, turn: LiveTurn): Directive {
  const fault = typeof fieldsOf(value)['text'] === 'string' ? undefined : 'a directive is { text }, with a string'
  refuseIf(fault, 'E_PROTOCOL_DIRECTIVE', owner, turn)
  return copied(value as Directive, 'E_PROTOCOL_DIRECTIVE', owner, turn)
}

/** Capabilities: tools of the environment, of distinct names, and skills. */
function checkCapabilities(value: unknown, owner: Owner, turn: LiveTurn): Capabilities {
  refuseIf(faultOfCapabilities(value, turn), 'E_PROTOCOL_CAPABILITIES', owner, turn)
  return value as Capabilities
}

function faultOfCapabilities(value: unknown, turn: LiveTurn): Fault {
  const { tools, skills } = fieldsOf(value) as Partial<Capabilities>
  if (!Array.isArray(tools) || !Array.isArray(skills)) return 'capabilities are { tools, skills }, two lists'
  const stranger = tools.find((tool) => !turn.run.tools.includes(tool))
  if (stranger !== undefined) return `the tool "${fieldsOf(stranger)['name']}" is not one of the environment`
  const names = (tools as Capabilities['tools']).map((tool) => tool.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? undefined : `the tool "${twice}" is there twice`
}

/** An action: a known kind with its fields, and JSON; in strict mode its calls are those of its reply. */
function checkAction(value: unknown, owner: Owner, turn: LiveTurn): Action {
  const code = 'E_PROTOCOL_ACTION'
  refuseIf(faultOfAction(value), code, owner, turn)
  const { reply, calls, ...data } = value as CallAction
  const isCall = data.kind === 'call'
  // A call has nothing else that is not JSON already.
  const action: Record<string, unknown> = isCall ? callOf(data) : copied(data, code, owner, turn)
  if (reply !== undefined)
    action['reply'] = freezeJson(Object.isFrozen(reply) ? reply : copied(reply, code, owner, turn))
  if (calls === undefined || !(isCall || action['kind'] === 'spawn')) return action as unknown as Action // checked
  if (turn.run.env.strict && reply !== undefined) {
    const stranger = calls.find((call) => !reply.toolCalls.some((own) => own.id === call.id))
    refuseIf(stranger && `the call "${stranger.id}" is not one of its reply`, code, owner, turn)
  }
  action['calls'] = actionCalls(turn.run, calls)
  return action as unknown as Action
}

function callOf({ kind, mode }: Pick<CallAction, 'kind' | 'mode'>): Record<string, unknown> {
  return mode === 'serial' || mode === 'parallel' ? { kind, mode } : { kind }
}
