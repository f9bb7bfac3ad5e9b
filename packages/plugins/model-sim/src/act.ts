import type { Tool } from '@harnesswright/core'
import { verbOf } from './affordance.js'
import { takeUpFold } from './fold-offer.js'
import type { Mind } from './mind.js'
import { callFor, findOptions, type Option, type WantedCall } from './options.js'
import { MECHANICS } from './profiles.js'
import { nameSubgoal } from './subgoal-offer.js'
import { writeAnswer, writeNote } from './writing.js'

/** What a reply does: calls with a text beside them, or an answer. */
export type Decision =
  | { readonly kind: 'calls'; readonly text: string; readonly calls: readonly WantedCall[] }
  | { readonly kind: 'answer'; readonly text: string }

/** What the request allows. */
export interface Allowance {
  readonly tools: readonly Tool[]
  readonly isParallel: boolean
}

/** The next calls, or the answer. */
export function decideAct(mind: Mind, { tools, isParallel }: Allowance): Decision {
  const { profile, dice, sight } = mind
  const options = findOptions(mind, tools)
  const fault = rollFault(
    options.map(({ call }) => call),
    mind,
    tools,
  )
  if (fault !== undefined) return { kind: 'calls', text: 'Next step.', calls: [fault] }
  if (options.length === 0) return { kind: 'answer', text: writeAnswer(mind) }
  if (isPremature(mind)) return answerEarly(mind, tools)
  const chosen = choose(options, mind, isParallel)
  const last = sight.calls.at(-1)
  if (last !== undefined && dice.roll('loop') < profile.loop) {
    return { kind: 'calls', text: 'Once more.', calls: [{ name: last.name, arguments: last.arguments }] }
  }
  const calls = chosen.map(({ call }, index) => confuse(call, mind, { tools, index }))
  const first = takeUpFold(mind, tools) ?? nameSubgoal(mind, tools)
  return { kind: 'calls', text: writeReply(chosen, mind), calls: goingFirst(first, calls, isParallel) }
}

/** What the directive names comes first, and together where several calls are allowed. */
function choose(options: readonly Option[], mind: Mind, isParallel: boolean): readonly Option[] {
  const directed = new Set(mind.sight.directed.map((goal) => goal.id))
  const named = options.filter(({ goals }) => goals.some((goal) => directed.has(goal.id)))
  const isDelegated = options.some((option) => option.isDelegated === true)
  if (isDelegated) return options.slice(0, isParallel ? mind.profile.par : 1)
  return (named.length > 0 ? named : options).slice(0, countCalls(named.length, mind, isParallel))
}

/** What is noted of the last observations, and what comes next. */
function writeReply(chosen: readonly Option[], mind: Mind): string {
  const note = writeNote(mind)
  const next = `Next: ${mind.sight.reader.word(chosen.flatMap(({ goals }) => goals))}.`
  return note === '' ? next : `Noted: ${note}. ${next}`
}

/** A fold, or a sub-goal, goes before the calls of the same reply; where only one call is allowed it goes alone. */
function goingFirst(
  first: WantedCall | undefined,
  calls: readonly WantedCall[],
  isParallel: boolean,
): readonly WantedCall[] {
  if (first === undefined) return calls
  return isParallel ? [first, ...calls] : [first]
}

/** One call; the directive's goals together where it names several; now and then a second one. */
function countCalls(named: number, { profile, dice }: Mind, isParallel: boolean): number {
  if (!isParallel) return 1
  if (named > 1) return Math.min(profile.par, named)
  return dice.roll('second call') < profile.spont ? 2 : 1
}

/** A reply that goes wrong as a whole: arguments cut short, or a tool that does not exist. */
export function rollFault(
  calls: readonly WantedCall[],
  { profile, dice }: Mind,
  tools: readonly Tool[],
): WantedCall | undefined {
  const [first = { name: tools[0]?.name ?? '', arguments: '{}' }] = calls
  if (tools.length === 0) return undefined
  if (dice.roll('malformed') < profile.malformed) {
    const kept = Math.max(1, Math.floor(first.arguments.length * (0.2 + 0.6 * dice.roll('malformed length'))))
    return { ...first, arguments: first.arguments.slice(0, kept) }
  }
  if (dice.roll('hallucinate') < profile.halluc) return { ...first, name: `${verbOf(first.name) ?? 'use'}_document` }
  return undefined
}

function isPremature({ done, open, profile, dice, sight }: Mind): boolean {
  const share = done.length / (done.length + open.length)
  const isDirected = sight.directed.some((goal) => open.some(({ id }) => id === goal.id))
  const hazard = 2 * profile.premature * share * (1 + sight.fill) * (isDirected ? MECHANICS.directedHazard : 1)
  return dice.roll('premature') < hazard
}

/** An answer before all is done. The deliverable is still written first, as far as it goes. */
function answerEarly(mind: Mind, tools: readonly Tool[]): Decision {
  const deliverable = mind.held.find((goal) => goal.isFinal === true)
  const call = deliverable === undefined ? undefined : callFor(deliverable, mind, tools)
  if (call === undefined) return { kind: 'answer', text: writeAnswer(mind) }
  return { kind: 'calls', text: 'That is enough to go by.', calls: [call] }
}

interface Offer {
  readonly tools: readonly Tool[]
  readonly index: number
}

/** A call may go to a neighbouring tool, the likelier the more tools are alike and the more there are. */
function confuse(call: WantedCall, { profile, dice }: Mind, { tools, index }: Offer): WantedCall {
  const verb = verbOf(call.name)
  if (verb === undefined) return call
  const others = tools.filter((tool) => tool.name !== call.name)
  const alike = others.filter((tool) => verbOf(tool.name) === verb)
  const rate = profile.confuse * (alike.length + others.length / 20)
  if (dice.roll('confuse', String(index)) >= rate) return call
  const neighbours = alike.length > 0 ? alike : others
  const neighbour = neighbours[Math.floor(dice.roll('neighbour', String(index)) * neighbours.length)]
  if (neighbour === undefined) return call
  return { name: neighbour.name, arguments: JSON.stringify(adaptArguments(call, neighbour)) }
}

/** The texts that were meant for one tool, under the names that another requires. */
function adaptArguments(call: WantedCall, tool: Tool): Readonly<Record<string, unknown>> {
  const values = Object.values(JSON.parse(call.arguments) as Record<string, unknown>) // written above
  const required = (tool.parameters['required'] as readonly string[] | undefined) ?? [] // JSON Schema of an object
  return Object.fromEntries(required.map((name, index) => [name, values[index] ?? values[0]]))
}
