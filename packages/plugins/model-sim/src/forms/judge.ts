import type { Tool } from '@harnesswright/core'
import { type Decision, rollFault } from '../act.js'
import { verbOf } from '../affordance.js'
import { type Judgement, judgeCandidates, readCandidates } from '../candidates.js'
import { fillSchema } from '../fill-schema.js'
import type { Subject } from '../filling.js'
import type { Mind } from '../mind.js'
import type { WantedCall } from '../options.js'
import { FORMS } from '../profiles.js'
import type { Slots } from '../slots.js'
import { writeAnswer } from '../writing.js'

/** What is made of the candidates in view, and the calls that a judge makes first. */
export interface Ruling {
  readonly judgement: Judgement | undefined
  readonly decision: Decision
}

/** Judges the candidates: gets them, looks up what they do not agree on, then gives the best or finishes with it. */
export function rule(mind: Mind, tools: readonly Tool[]): Ruling {
  const judgement = judgeCandidates(readCandidates(mind), mind)
  const call = nextCall(judgement, mind, tools)
  const fault = rollFault(call === undefined ? [] : [call], mind, tools)
  if (call !== undefined) {
    const calls = [fault ?? call]
    return { judgement, decision: { kind: 'calls', text: thoughtOf(judgement), calls } }
  }
  return { judgement, decision: { kind: 'answer', text: judgement?.answer ?? writeAnswer(mind) } }
}

/** A sentence on how it stands. */
export function thoughtOf(judgement: Judgement | undefined): string {
  if (judgement === undefined) return 'There are no candidates to judge yet.'
  const { verdict, disputed } = judgement
  const agreement = disputed.length === 0 ? 'They agree.' : `They do not agree on ${disputed.length} points.`
  return `${verdict.scores.length} candidates were weighed; number ${verdict.best} is the best. ${agreement}`
}

function nextCall(judgement: Judgement | undefined, mind: Mind, tools: readonly Tool[]): WantedCall | undefined {
  const tool = (isWanted: (one: Tool) => boolean): Tool | undefined => tools.find(isWanted)
  const getting = tool(({ name }) => /solution|candidate|answers/i.test(name) && verbOf(name) !== 'search')
  const search = tool(({ name }) => verbOf(name) === 'search')
  const finish = tool(({ name }) => /finish|submit|final|decide|select|choose/i.test(name))
  return (
    (getting && getCandidates(getting, judgement, mind)) ??
    (search && judgement && lookUp(search, judgement, mind)) ??
    (finish && judgement && finishWith(finish, judgement))
  )
}

/** Gets all candidates at once, or one after another where the tool wants to be told which, until there is none. */
function getCandidates(tool: Tool, judgement: Judgement | undefined, { sight }: Mind): WantedCall | undefined {
  const made = sight.calls.filter(({ name }) => name === tool.name)
  const isOneByOne = requiredOf(tool).length > 0
  const isAtEnd = isOneByOne ? made.at(-1)?.failed === true : judgement !== undefined
  if (isAtEnd || (!isOneByOne && made.length >= FORMS.tries)) return undefined
  const subject = { candidate: { number: made.length + 1, score: 0 }, ids: [made.length + 1], text: '' }
  return write(tool, {}, isOneByOne ? subject : undefined)
}

/** Looks up the versions of what is disputed, each once, as long as there are looks left. */
function lookUp(tool: Tool, { disputed }: Judgement, { sight }: Mind): WantedCall | undefined {
  const made = sight.calls.filter(({ name }) => name === tool.name)
  if (made.length >= FORMS.judge.looks) return undefined
  const calls = disputed.map((claim) =>
    write(tool, { text: claim.key === 'answer' ? claim.value : sight.reader.say([claim]) }),
  )
  return calls.find((call) => !made.some((one) => one.arguments === call.arguments))
}

function finishWith(tool: Tool, judgement: Judgement): WantedCall {
  const { answer, verdict } = judgement
  return write(tool, { answer, text: answer, thought: thoughtOf(judgement), verdict })
}

function requiredOf({ parameters }: Tool): readonly string[] {
  return (parameters['required'] as readonly string[] | undefined) ?? [] // JSON Schema of an object
}

function write(tool: Tool, say: Partial<Slots>, subject?: Subject): WantedCall {
  const nothing: Slots = { text: '', answer: '', thought: '', items: [], isDone: true, calls: [], queries: [] }
  const about = subject === undefined ? {} : { subject }
  const { value } = fillSchema(tool.parameters, { ...nothing, ...say }, about)
  return { name: tool.name, arguments: JSON.stringify(value) }
}
