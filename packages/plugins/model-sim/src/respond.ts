import { HarnessError, type Json, type ModelRequest } from '@harnesswright/core'
import { decideAct, type WantedCall } from './act.js'
import { fillSchema } from './fill-schema.js'
import type { Mind } from './mind.js'
import { makePlan, reviewPlan, writePlan, writeReview } from './plan.js'
import type { PurposeOf } from './purpose.js'
import type { PlanItem, Slots } from './slots.js'
import { writeAnswer, writeSummary } from './writing.js'

/** What a reply says, before its size is cut and its price is counted. */
export interface Draft {
  readonly content: string
  readonly calls: readonly WantedCall[]
  /** Properties of the schema that nothing was known for. */
  readonly unfilled: readonly string[]
}

/** Refuses what a simulated model must not answer. @throws HarnessError `E_SIM_NOT_A_COMPOSER` */
export function refuseComposing({ form }: PurposeOf): void {
  if (form !== 'compose' && form !== 'repair') return
  throw new HarnessError('E_SIM_NOT_A_COMPOSER', {
    message: `A simulated model was asked to ${form} a manifest, which it does not do.`,
    hint: 'Compose with the proposers `rules` or `fixed`, or name a real model with --meta-model.',
  })
}

/** The reply to a request, by its purpose, in the form that the request asks for. */
export function draftReply(request: ModelRequest, { form }: PurposeOf, mind: Mind): Draft {
  switch (form) {
    case 'act':
      return draftAct(request, mind)
    case 'finish':
      return draftAnswer(writeAnswer(mind), request, mind)
    case 'plan': {
      const items = makePlan(mind, mostItems(request))
      return draftText(writePlan(items), request, { mind, items })
    }
    case 'review': {
      const items = reviewPlan(mind)
      return draftText(writeReview(items, mind), request, { mind, items })
    }
    default:
      return draftText(writeSummary(mind), request, { mind, items: makePlan(mind) })
  }
}

function draftAct(request: ModelRequest, mind: Mind): Draft {
  const { schema, choice, tools = [] } = request
  const offered =
    choice === 'none' ? [] : typeof choice === 'object' ? tools.filter((tool) => tool.name === choice.tool) : tools
  const decision = decideAct(mind, { tools: offered, isParallel: request.parallelToolCalls === true })
  if (decision.kind === 'answer') return draftAnswer(decision.text, request, mind)
  const { text, calls } = decision
  if (schema === undefined || !takesCalls(schema)) return { content: text, calls, unfilled: [] }
  return draftText(text, request, { mind, items: [], calls })
}

/** True for the schema of a reply that writes its calls as JSON. */
function takesCalls(schema: NonNullable<ModelRequest['schema']>): boolean {
  const properties = schema['properties']
  return typeof properties === 'object' && properties !== null && 'tools' in properties
}

/** An answer: as it is, or as JSON where it is that already, or by the slots of the schema. */
function draftAnswer(answer: string, request: ModelRequest, mind: Mind): Draft {
  const required = (request.schema?.['required'] ?? []) as readonly string[] // by JSON Schema
  const value = parseObject(answer)
  if (value !== undefined && required.every((name) => name in value))
    return { content: answer, calls: [], unfilled: [] }
  return draftText(answer, request, { mind, items: [], answer })
}

interface Saying {
  readonly mind: Mind
  readonly items: readonly PlanItem[]
  readonly answer?: string
  readonly calls?: readonly WantedCall[]
}

/** The text, or the schema filled with it. */
function draftText(text: string, { schema }: ModelRequest, { mind, items, answer = '', calls = [] }: Saying): Draft {
  if (schema === undefined) return { content: text, calls: [], unfilled: [] }
  const slots: Slots = {
    text,
    answer: answer === '' && calls.length === 0 ? writeAnswer(mind) : answer,
    thought: `${mind.done.length} of ${mind.sight.problem.goals.length} goals are done.`,
    items,
    isDone: mind.open.length === 0,
    calls,
    queries: mind.held.map((goal) => mind.sight.reader.word([goal])),
  }
  const { value, unfilled } = fillSchema(schema, slots)
  return { content: JSON.stringify(value), calls: [], unfilled }
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

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
