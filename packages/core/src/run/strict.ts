import type { Mount } from '../assemble/mount.js'
import { HarnessError } from '../errors/error.js'
import type { ErrorCode } from '../errors/table.js'
import { faultOf, keepsHead } from '../history/validity.js'
import { copyJson, freezeJson, NotJson } from '../json/copy.js'
import type { Action, Capabilities, Directive, View } from '../protocol/index.js'
import type { LiveTurn } from './turn.js'

/** Checks what the verbs of the slots return. Shapes are always checked; the rules of history only refuse in strict mode. */

const KINDS = ['call', 'spawn', 'answer', 'think', 'ask', 'fail']

function refuse(code: ErrorCode, mount: Mount, turn: LiveTurn, what: string): never {
  throw new HarnessError(code, {
    message: `${mount.use} broke the rules of its slot at step ${turn.step}: ${what}.`,
    slot: mount.slot,
    module: mount.use,
    step: turn.step,
  })
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

/** A view: messages, and by the view rule a valid history that keeps the head. */
export function checkView(view: unknown, mount: Mount, turn: LiveTurn): View {
  const messages = asObject(view)?.['messages']
  if (!Array.isArray(messages)) return refuse('E_PROTOCOL_VIEW', mount, turn, 'a view is { messages }, a list')
  const fault = keepsHead(turn.run.head, messages) ? faultOf(messages) : 'the view does not begin with the head'
  if (fault !== undefined) {
    if (turn.run.env.strict) return refuse('E_PROTOCOL_VIEW', mount, turn, fault)
    turn.brokenBy ??= mount.use
  }
  const checked = view as View
  return turn.run.env.strict ? freezeJson(checked) : checked
}

/** A directive: a text, copied, so that a module that changes its plan later does not rewrite the record. */
export function checkDirective(directive: unknown, mount: Mount, turn: LiveTurn): Directive {
  if (typeof asObject(directive)?.['text'] !== 'string') {
    return refuse('E_PROTOCOL_DIRECTIVE', mount, turn, 'a directive is { text }, with a string')
  }
  return jsonOf(directive, 'E_PROTOCOL_DIRECTIVE', mount, turn) as unknown as Directive
}

/** Capabilities: tools of distinct names, and skills. */
export function checkCapabilities(capabilities: unknown, mount: Mount, turn: LiveTurn): Capabilities {
  const found = asObject(capabilities)
  if (!Array.isArray(found?.['tools']) || !Array.isArray(found['skills'])) {
    return refuse('E_PROTOCOL_CAPABILITIES', mount, turn, 'capabilities are { tools, skills }, two lists')
  }
  const checked = capabilities as Capabilities
  const names = checked.tools.map((tool) => tool.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) return refuse('E_PROTOCOL_CAPABILITIES', mount, turn, `the tool "${twice}" is there twice`)
  const stranger = checked.tools.find((tool) => !turn.run.tools.includes(tool))
  if (stranger !== undefined) {
    return refuse('E_PROTOCOL_CAPABILITIES', mount, turn, `the tool "${stranger.name}" is not one of the environment`)
  }
  return checked
}

/** An action: a known kind with its fields, JSON, whose calls are those of its reply. */
export function checkAction(action: unknown, mount: Mount, turn: LiveTurn): Action {
  const kind = asObject(action)?.['kind']
  if (typeof kind !== 'string' || !KINDS.includes(kind)) {
    return refuse(
      'E_PROTOCOL_ACTION',
      mount,
      turn,
      `the kind of an action is one of ${KINDS.join(', ')}, found ${JSON.stringify(kind)}`,
    )
  }
  const { reply, ...data } = action as Action
  const copy = {
    ...(jsonOf(data, 'E_PROTOCOL_ACTION', mount, turn) as unknown as Action),
    ...(reply === undefined ? {} : { reply }),
  }
  const fault = faultOfAction(copy)
  if (fault !== undefined) return refuse('E_PROTOCOL_ACTION', mount, turn, fault)
  if (turn.run.env.strict && copy.kind === 'call' && reply !== undefined) {
    const own = new Set(reply.toolCalls.map((call) => call.id))
    const stranger = copy.calls.find((call) => !own.has(call.id))
    if (stranger !== undefined)
      return refuse('E_PROTOCOL_ACTION', mount, turn, `the call "${stranger.id}" is not one of its reply`)
  }
  return copy
}

function faultOfAction(action: Action): string | undefined {
  if (action.kind === 'call') {
    if (!Array.isArray(action.calls) || action.calls.length === 0) return 'an action "call" has at least one call'
    if (action.calls.some((call) => typeof call?.name !== 'string' || typeof call.arguments !== 'string')) {
      return 'a call has an id, a name and the text of its arguments'
    }
  }
  if (action.kind === 'answer' && action.answer === undefined) return 'an action "answer" has an answer'
  if (action.kind === 'fail' && typeof action.reason !== 'string') return 'an action "fail" has a reason'
  return undefined
}

function jsonOf(value: unknown, code: ErrorCode, mount: Mount, turn: LiveTurn): unknown {
  try {
    return copyJson(value)
  } catch (error) {
    return refuse(code, mount, turn, error instanceof NotJson ? error.message : String(error))
  }
}
