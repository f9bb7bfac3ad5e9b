import {
  asText,
  type ErrorCode,
  type Json,
  nearestNames,
  type Observation,
  type PendingEffect,
  type Question,
  type Tool,
  type ToolCall,
} from '@harnesswright/protocol'
import { askPerson, questionId } from '../run/effects/ask.js'
import { outcomeOf } from '../run/effects/effect.js'
import type { RunState } from '../run/run-state.js'
import { type Arguments, checkArguments } from './arguments.js'
import { failedObservation, toObservation } from './observation.js'

/** A call with its tool and parsed arguments, or with what takes the place of its result. */
export interface PreparedCall {
  readonly call: ToolCall
  readonly tool?: Tool
  readonly args?: object
  /** A limit of the run that the call ran into. */
  readonly limit?: string
  /** What a person must say first. */
  readonly question?: Question
  /** A person allowed it. */
  readonly approved?: boolean
  /** What came of it: at once where the call is refused, else when it has been made. */
  result?: Observation
  /** Time the tool took in ms. */
  ms: number
}

/** Names shown to the model when it called one that does not exist. */
const MAX_NAMES_SHOWN = 40

/** Phase 1 of a call: the tool is found, its arguments are checked, limits and guards are asked. `place` is among the calls of its action. */
export function prepareCall(run: RunState, call: ToolCall, place: number): PreparedCall | Promise<PreparedCall> {
  const tool = run.turn.capabilities.tools.find((one) => one.name === call.name)
  if (tool === undefined) return notOffered(run, call)
  const broken = run.brokenArguments.get(call.id)
  if (broken !== undefined) return refused(call, 'E_TOOL_ARGUMENTS', brokenText(call.name, broken))
  const args = checkArguments(tool.parameters, call.arguments)
  if (!(args instanceof Promise)) return prepareTool(run, { call, tool, args, place })
  // Bracketed, as the first check in a process loads ajv.
  return run.env.clock.during(args).then((checked) => prepareTool(run, { call, tool, args: checked, place }))
}

function refused(call: ToolCall, code: ErrorCode, message: string): PreparedCall {
  return { call, result: failedObservation(call, code, message), ms: 0 }
}

function notOffered(run: RunState, call: ToolCall): PreparedCall {
  const exists = [...run.tools, ...run.brought].some((one) => one.name === call.name)
  const names = run.turn.capabilities.tools.map((one) => one.name)
  return refused(call, exists ? 'E_TOOL_NOT_OFFERED' : 'E_TOOL_UNKNOWN', unknownTool(call.name, names, exists))
}

interface Checked {
  readonly call: ToolCall
  readonly tool: Tool
  readonly args: Arguments
  readonly place: number
}

function prepareTool(run: RunState, { call, tool, args, place }: Checked): PreparedCall | Promise<PreparedCall> {
  if (!args.ok) return refused(call, 'E_TOOL_ARGUMENTS', `the arguments of ${call.name} are wrong: ${args.message}`)
  const limit = callLimit(run, call)
  if (limit !== undefined)
    return { ...refused(call, 'E_TOOL_LIMIT', limit.message), ...(limit.ends ? { limit: 'tool_calls' } : {}) }
  const prepared = { call, tool, args: args.value, ms: 0 }
  if (run.harness.hooks.toolCall.taps.length > 0) return askGuards(run, prepared, place)
  countCall(run, call)
  return prepared
}

/** A call that was prepared before the run was interrupted: guards are not asked again. */
export async function preparedBefore(run: RunState, call: ToolCall, pending: PendingEffect): Promise<PreparedCall> {
  const tool = run.turn.capabilities.tools.find((one) => one.name === call.name)
  const result = outcomeOf(run, call.id)
  const args =
    tool === undefined || result !== undefined ? undefined : await checkArguments(tool.parameters, call.arguments)
  return {
    call,
    ...(tool && { tool }),
    ...(args?.ok && { args: args.value }),
    ...(result && { result }),
    ...(pending.approved?.includes(call.id) && { approved: true }),
    ms: 0,
  }
}

async function askGuards(run: RunState, asked: PreparedCall, place: number): Promise<PreparedCall> {
  const prepared = await guarded(run, asked, place)
  if (prepared.result === undefined && prepared.question === undefined) countCall(run, prepared.call)
  return prepared
}

async function guarded(run: RunState, prepared: PreparedCall, place: number): Promise<PreparedCall> {
  const { call } = prepared
  const decision = await run.harness.hooks.toolCall.promise(call, run.turn)
  if (decision === undefined || 'allow' in decision) return prepared
  if ('deny' in decision)
    return {
      ...prepared,
      result: failedObservation(call, 'E_TOOL_DENIED', `${call.name} was denied: ${decision.reason}`),
    }
  if ('answer' in decision) return { ...prepared, result: toObservation(call, decision.answer) }
  const question = { id: questionId(run, place), question: decision.ask }
  const answer = await askPerson(run, question)
  if (answer === undefined) return { ...prepared, question }
  if (isYes(answer)) return { ...prepared, approved: true }
  const said = `${call.name} was denied by a person: ${asText(answer)}`
  return { ...prepared, result: failedObservation(call, 'E_TOOL_DENIED', said) }
}

/** Whether a person allows it: true, or a word that says so. Anything else is no leave. */
export function isYes(answer: Json): boolean {
  return answer === true || (typeof answer === 'string' && /^(y|yes|allow|ok)$/i.test(answer.trim()))
}

function callLimit(run: RunState, call: ToolCall): { readonly message: string; readonly ends: boolean } | undefined {
  const { limits, meter, toolCounts } = run
  const made = toolCounts.get(call.name) ?? 0
  const most = Object.hasOwn(limits.perTool, call.name) ? limits.perTool[call.name] : undefined
  if (most !== undefined && made >= most)
    return { message: `${call.name} may be called ${most} times in this run, and was`, ends: false }
  if (meter.spent(0).toolCalls >= limits.toolCalls)
    return { message: `all ${limits.toolCalls} tool calls of this run are used up`, ends: true }
  return undefined
}

/** A call that a guard denied or answered is not one that was made. */
function countCall(run: RunState, { name }: ToolCall): void {
  run.toolCounts.set(name, (run.toolCounts.get(name) ?? 0) + 1)
  run.changed.add('toolCounts')
  run.meter.countToolCalls(1)
}

function unknownTool(name: string, names: readonly string[], exists: boolean): string {
  if (names.length === 0) return 'no tools are on offer'
  const nearest = nearestNames(name, names)
  const shown = names.toSorted().slice(0, MAX_NAMES_SHOWN)
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : ''
  const called = name.length > 100 ? `${name.slice(0, 100)}…` : name
  const what = exists ? `the tool "${called}" is not on offer now` : `there is no tool "${called}"`
  return `${what}; nearest: ${nearest.join(', ')}; on offer: ${shown.join(', ')}${more}`
}

function brokenText(name: string, text: string): string {
  const shown = text.length > 200 ? `${text.slice(0, 120)} … ${text.slice(-40)}` : text
  return `the arguments of ${name} are not the text of a JSON object, and nothing was called; found: ${shown}`
}
