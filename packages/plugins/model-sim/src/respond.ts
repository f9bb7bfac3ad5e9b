import { HarnessError, type Json, type ModelRequest, type Tool } from '@harnesswright/core'
import { type Decision, decideAct } from './act.js'
import { giveAnswer } from './answer-offer.js'
import { judgeAtomic } from './atomic.js'
import { neededFacts } from './delegations.js'
import { fillSchema } from './fill-schema.js'
import { chooseFold } from './fold-offer.js'
import { writeAbstract } from './forms/abstract.js'
import { takeApart } from './forms/fold-parts.js'
import { rule, thoughtOf } from './forms/judge.js'
import { chooseEntries, memorise } from './forms/memory-patch.js'
import { research } from './forms/research.js'
import type { Mind } from './mind.js'
import { makePlan, reviewPlan, writePlan, writeReview } from './plan.js'
import type { KnownPurpose, PurposeOf } from './purpose.js'
import { type Draft, shapeAnswer, shapeCalls, shapeText } from './shape.js'
import type { PlanItem, Slots } from './slots.js'
import { writeAnswer, writeSummary } from './writing.js'

/** Refuses what a simulated model must not answer. @throws HarnessError `E_SIM_NOT_A_COMPOSER` */
export function refuseComposing({ form }: PurposeOf): void {
  if (form !== 'compose' && form !== 'repair') return
  throw new HarnessError('E_SIM_NOT_A_COMPOSER', {
    message: `A simulated model was asked to ${form} a manifest, which it does not do.`,
    hint: 'Compose with the proposers `rules` or `fixed`, or name a real model with --meta-model.',
  })
}

/** How a request is answered, by its purpose. */
type Form = (mind: Mind, request: ModelRequest) => Draft

const BY_PURPOSE: Readonly<Record<Exclude<KnownPurpose, 'compose' | 'repair'>, Form>> = {
  act: draftAct,
  finish: (mind, request) => shapeAnswer(writeAnswer(mind), request, { mind }),
  aggregate: (mind, request) => shapeAnswer(writeAnswer(mind), request, { mind }),
  plan: draftPlan,
  review(mind, request) {
    const items = reviewPlan(mind)
    return shapeText({ text: writeReview(items, mind), items }, request, mind)
  },
  summarise: (mind, request) => draftSummary(mind, request, { parts: takeApart(mind) }),
  fold: (mind, request) => draftSummary(mind, request, { parts: takeApart(mind) }),
  abstract: (mind, request) => shapeText({ text: writeAbstract(mind, request) }, request, mind),
  memorise(mind, request) {
    const { text, items, links } = memorise(mind)
    return shapeText({ text, items, more: links === undefined ? {} : { links } }, request, mind)
  },
  recall(mind, request) {
    const { text, drop } = chooseEntries(mind)
    return shapeText({ text, more: drop === undefined ? {} : { drop } }, request, mind)
  },
  research: (mind, request) => draftSummary(mind, request, research(mind)),
  atomise(mind, request) {
    const isAtomic = judgeAtomic(mind)
    return shapeText({ text: JSON.stringify({ is_atomic: isAtomic }), more: { isAtomic } }, request, mind)
  },
  judge: draftRuling,
}

/** The reply to a request, by its purpose, in the form that the request asks for. Unknown purposes are told a summary. */
export function draftReply(request: ModelRequest, { form }: PurposeOf, mind: Mind): Draft {
  if (form === undefined || form === 'compose' || form === 'repair') return draftSummary(mind, request)
  return BY_PURPOSE[form](mind, request)
}

function draftSummary(mind: Mind, request: ModelRequest, more: Partial<Slots> = {}): Draft {
  return shapeText({ text: writeSummary(mind), items: makePlan(mind), more }, request, mind)
}

/** A plan whose items stand alone: with the facts without which they cannot be begun. */
function draftPlan(mind: Mind, request: ModelRequest): Draft {
  const items = makePlan(mind, mostItems(request)).map((item): PlanItem => {
    const facts = neededFacts(item.goals, mind)
    return facts === '' ? item : { ...item, text: `${item.text} (${facts})`, context: facts }
  })
  return shapeText({ text: writePlan(items), items }, request, mind)
}

function draftAct(mind: Mind, request: ModelRequest): Draft {
  const tools = offeredTools(request)
  const decided = decideAct(mind, { tools, isParallel: request.parallelToolCalls === true })
  const decision =
    decided.kind === 'answer' ? (demandedCall(request, tools) ?? calledAnswer(decided.text, tools) ?? decided) : decided
  const fold = decision.kind === 'calls' && asksForFold(request) ? chooseFold(mind) : undefined
  return draftDecision(decision, request, { mind, more: fold === undefined ? {} : { fold } })
}

/** Where a tool takes the answer, words alone are none. */
function calledAnswer(answer: string, tools: readonly Tool[]): Decision | undefined {
  const call = giveAnswer(answer, tools)
  return call === undefined ? undefined : { kind: 'calls', text: 'All is done.', calls: [call] }
}

/** As with endpoints a tool that is demanded is called, though there is no use for it: with the smallest valid arguments. */
function demandedCall({ choice }: ModelRequest, [tool]: readonly Tool[]): Decision | undefined {
  if (typeof choice !== 'object' || tool === undefined) return undefined
  const nothing = { text: '', answer: '', thought: '', items: [], isDone: false, calls: [], queries: [] }
  const { value } = fillSchema(tool.parameters, nothing)
  return { kind: 'calls', text: 'As demanded.', calls: [{ name: tool.name, arguments: JSON.stringify(value) }] }
}

function draftRuling(mind: Mind, request: ModelRequest): Draft {
  const { judgement, decision } = rule(mind, offeredTools(request))
  const more = { thought: thoughtOf(judgement), ...(judgement === undefined ? {} : { verdict: judgement.verdict }) }
  if (decision.kind === 'answer' && request.schema === undefined && judgement !== undefined) {
    const text = `Candidate ${judgement.verdict.best} is the best. ${decision.text}`
    return shapeText({ text, answer: decision.text }, request, mind)
  }
  return draftDecision(decision, request, { mind, more })
}

function draftDecision(
  decision: Decision,
  request: ModelRequest,
  { mind, more }: { readonly mind: Mind; readonly more: Partial<Slots> },
): Draft {
  if (decision.kind === 'answer') return shapeAnswer(decision.text, request, { mind, more })
  return shapeCalls({ text: decision.text, calls: decision.calls, items: delegatedBy(decision), more }, request, mind)
}

/** What the calls give to others, one item a piece, for schemas that list it. */
function delegatedBy(decision: Decision): readonly PlanItem[] {
  if (decision.kind === 'answer') return []
  return decision.calls.flatMap((call, index): PlanItem[] => {
    const { instruction, context } = readArguments(call.arguments)
    if (typeof instruction !== 'string') return []
    const id = String(index + 1)
    const handedOver = typeof context === 'string' ? { context } : {}
    return [{ id, text: instruction, goals: [], dependsOn: [], status: 'open', ...handedOver }]
  })
}

function readArguments(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Record<string, unknown> // written by the model: an object
  } catch {
    return {} // cut by a fault
  }
}

function offeredTools({ choice, tools = [] }: ModelRequest): readonly Tool[] {
  if (choice === 'none') return []
  return typeof choice === 'object' ? tools.filter((tool) => tool.name === choice.tool) : tools
}

/** True for the schema of a reply that may hold a fold beside its calls, where no tool makes it. */
function asksForFold({ schema, tools = [] }: ModelRequest): boolean {
  return (
    Object.hasOwn((schema?.['properties'] ?? {}) as object, 'compress') &&
    !tools.some(({ name }) => name === 'compress')
  )
}

/** Most items that the schema of a plan takes. */
function mostItems({ schema }: ModelRequest): number | undefined {
  const properties = Object.values((schema?.['properties'] ?? {}) as Readonly<Record<string, Json>>) // by JSON Schema
  for (const property of properties) {
    const most =
      typeof property === 'object' && property !== null ? (property as { maxItems?: Json }).maxItems : undefined
    if (typeof most === 'number') return most
  }
  return undefined
}
