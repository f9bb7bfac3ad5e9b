import { textOf } from './measure.js'
import type { Mind } from './mind.js'
import { MECHANICS } from './profiles.js'
import type { Goal } from './reader.js'
import type { PlanItem } from './slots.js'
import { knownClaims } from './writing.js'

/** A plan of the open goals: some are left out, the others grouped into at most `most` items. */
export function makePlan(mind: Mind, most: number = MECHANICS.planItems): readonly PlanItem[] {
  const isKept = (goal: Goal | undefined): boolean =>
    goal === undefined || mind.dice.roll('omit', goal.id) >= mind.profile.planOmit
  const groups = mind.sight.problem.isRow
    ? group(mind.open, most).filter(([first]) => isKept(first))
    : group(mind.open.filter(isKept), most)
  return toItems(groups, mind, 1)
}

/** The state of the plan in view: its items as they stand there, and what is open beside them. */
export function reviewPlan(mind: Mind): readonly PlanItem[] {
  const items = findPlan(mind)
  const isOpen = (goal: Goal): boolean => mind.held.some(({ id }) => id === goal.id)
  const planned = new Set(items.flatMap(({ goals }) => goals.map(({ id }) => id)))
  const beside = mind.held.filter(({ id }) => !planned.has(id))
  const numbers = items.map(({ id }) => Number(id)).filter(Number.isFinite)
  const next = Math.max(0, ...numbers) + 1
  const all = [...items, ...toItems(group(beside, MECHANICS.planItems), mind, next)]
  const active = all.find(({ goals }) => goals.some(isOpen))
  return all.map((item) => {
    const status = item === active ? 'active' : item.goals.some(isOpen) ? 'open' : 'done'
    return { ...item, status }
  })
}

/** A plan as text: one numbered line an item. */
export function writePlan(items: readonly PlanItem[]): string {
  return items.map(({ id, text }) => `${id}. ${text}`).join('\n')
}

/** A review as text: what is done by number, how far the work is, what is open. */
export function writeReview(items: readonly PlanItem[], mind: Mind): string {
  const done = items.filter(({ status }) => status === 'done').map(({ id }) => id)
  const { reader } = mind.sight
  const progress = reader.say(knownClaims(mind).filter((claim) => claim.isProgress))
  return [
    done.length === 0 ? 'No item is done yet.' : `Done: ${done.join(', ')}.`,
    ...(progress === '' ? [] : [`So far: ${progress}.`]),
    mind.held.length === 0 ? 'Nothing is open.' : `Still open: ${reader.word(mind.held)}.`,
  ].join('\n')
}

/** Neighbours of one kind together, as few of them as give at most `most` groups; what is left over then is left out. */
export function group(goals: readonly Goal[], most: number): readonly (readonly Goal[])[] {
  const runs = groupBySize(goals, goals.length).map(({ length }) => length)
  const countAt = (size: number): number => runs.reduce((sum, length) => sum + Math.ceil(length / size), 0)
  let least = 1
  let size = Math.max(1, ...runs)
  while (least < size) {
    const middle = Math.floor((least + size) / 2)
    if (countAt(middle) <= most) size = middle
    else least = middle + 1
  }
  return groupBySize(goals, size).slice(0, most)
}

function groupBySize(goals: readonly Goal[], size: number): readonly (readonly Goal[])[] {
  const groups: Goal[][] = []
  for (const goal of goals) {
    const last = groups.at(-1)
    if (last !== undefined && last.length < size && kindOf(last[0]) === kindOf(goal)) last.push(goal)
    else groups.push([goal])
  }
  return groups
}

/** `list` of `list:Halden`. */
function kindOf(goal: Goal | undefined): string | undefined {
  return goal?.id.split(':', 1)[0]
}

function toItems(groups: readonly (readonly Goal[])[], mind: Mind, first: number): readonly PlanItem[] {
  const { reader, problem } = mind.sight
  const ids = new Map(groups.flatMap((goals, index) => goals.map((goal) => [goal.id, String(first + index)] as const)))
  return groups.map((goals, index) => {
    const id = String(first + index)
    const needed = goals.flatMap((goal) => problem.needs(goal)).map((goal) => ids.get(goal.id))
    const dependsOn = [...new Set(needed)].filter((other): other is string => other !== undefined && other !== id)
    return { id, text: reader.word(goals), goals, dependsOn, status: 'open' as const }
  })
}

const LINE = /^[ \t>*-]*[[(]?(\d+)[\])]?[.:,]?[ \t]/

/** The newest plan in view: the lines of one message that begin with a number and name goals. */
function findPlan({ sight }: Mind): readonly PlanItem[] {
  for (const message of sight.messages.toReversed()) {
    if (message.role === 'tool') continue
    const items = textOf(message)
      .split('\n')
      .flatMap((line): PlanItem[] => {
        const id = LINE.exec(line)?.[1]
        const goals = id === undefined ? [] : sight.reader.mentions(line).flatMap((mention) => mention.goals)
        if (id === undefined || goals.length === 0) return []
        return [{ id, text: sight.reader.word(goals), goals, dependsOn: [], status: 'open' }]
      })
    if (items.length > 0) return items
  }
  return []
}
