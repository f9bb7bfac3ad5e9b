import type { Tool } from '@harnesswright/core'
import { isDelegation } from './affordance.js'
import { goalsAtOnce, isAtomic } from './atomic.js'
import { fillSchema } from './fill-schema.js'
import type { Mind } from './mind.js'
import type { Option } from './options.js'
import { group } from './plan.js'
import { FORMS } from './profiles.js'
import type { Goal } from './reader.js'
import type { PlanItem, Slots } from './slots.js'
import { knownClaims } from './writing.js'

/**
 * Work to be given to others, one piece an option: groups of open goals that can be begun, in words that stand alone.
 * Undefined where no tool takes any, or where the work is small enough to be done at once by the tools on offer.
 *
 * @param canAct - Another tool on offer does what is to be done next.
 */
export function planDelegations(mind: Mind, tools: readonly Tool[], canAct: boolean): readonly Option[] | undefined {
  const tool = tools.find(isDelegation)
  if (tool === undefined || (canAct && isAtomic(mind))) return undefined
  const counts = countDelegated(mind, tool)
  const isLeft = (goal: Goal): boolean => (counts.get(goal.id) ?? 0) < FORMS.tries
  const pending = mind.held.filter((goal) => goal.isFinal !== true && isLeft(goal))
  const count = Math.max(mind.profile.par, Math.ceil(pending.length / goalsAtOnce(mind)))
  const ready = new Set(mind.ready)
  const groups = group(pending, count).filter(([first]) => first !== undefined && ready.has(first))
  const last = mind.ready.filter((goal) => goal.isFinal === true && isLeft(goal))
  return [...groups, ...(last.length > 0 ? [last] : [])].map((goals) => ({
    goals,
    isDelegated: true,
    call: { name: tool.name, arguments: writeDelegation(goals, mind, tool) },
  }))
}

/** How often each goal was given to others, as far as it is in view. */
function countDelegated({ sight }: Mind, { name }: Tool): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const call of sight.calls.filter((one) => one.name === name)) {
    for (const { id } of sight.reader.mentions(call.arguments).flatMap(({ goals }) => goals)) {
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
  }
  return counts
}

function writeDelegation(goals: readonly Goal[], mind: Mind, tool: Tool): string {
  const facts = neededFacts(goals, mind)
  const takesContext = takesText(tool, 'context')
  const wording = mind.sight.reader.word(goals)
  const text = takesContext || facts === '' ? wording : `${wording} (${facts})`
  const item: PlanItem = { id: '1', text, goals, dependsOn: [], status: 'open', context: facts }
  const slots: Slots = { text, answer: '', thought: '', items: [item], isDone: false, calls: [], queries: [] }
  return JSON.stringify(fillSchema(tool.parameters, slots, { item }).value)
}

/** What must be handed over with goals, in fact sentences. */
export function neededFacts(goals: readonly Goal[], mind: Mind): string {
  const keys = new Set(mind.sight.problem.needed(goals, mind.known))
  return keys.size === 0 ? '' : mind.sight.reader.say(knownClaims(mind, keys))
}

function takesText(tool: Tool, name: string): boolean {
  const properties = (tool.parameters['properties'] ?? {}) as Readonly<Record<string, { readonly type?: unknown }>> // JSON Schema
  return properties[name]?.type === 'string'
}
