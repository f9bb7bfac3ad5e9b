import type { Goal, GoalPath, GoalStatus, JsonSchema, Plan } from '@harnesswright/core'
import { currentPath, isSettled, toPlan } from './goal-graph.js'
import { itemsOfJson, objectOf, readGoals, wordOf } from './plan-format.js'

const STATUSES: readonly GoalStatus[] = ['open', 'active', 'done', 'failed']

const text = { type: 'string' } as const

/** The shape in which a review is asked for. */
export const REVIEW_SCHEMA: JsonSchema = objectOf('review', {
  goals: {
    type: 'array',
    items: objectOf(undefined, {
      id: { ...text, description: 'Id of a goal of the plan, or a new one for a goal that was missing.' },
      text: { ...text, description: 'The goal in words that stand alone.' },
      status: { enum: STATUSES },
      evidence: { ...text, description: 'What was observed that shows the goal is reached. Empty if nothing was.' },
      pathFailed: { type: 'boolean', description: 'True when the way in which it is tried now has failed.' },
    }),
  },
})

/** What a review says of one goal. */
interface Verdict {
  readonly id: string
  readonly text: string
  readonly status: GoalStatus
  readonly evidence: string
  readonly pathFailed: boolean
}

/** A goal that is tried in another way from now on. */
interface PathSwitch {
  readonly goal: string
  readonly from: string
  readonly to: string
}

/** A plan as a review leaves it. */
export interface Reviewed {
  readonly plan: Plan
  readonly switches: readonly PathSwitch[]
}

/**
 * The plan as a review sees it; undefined when the reply names no goals. No goal is lost, and new ones are added. A goal is
 * done only where there is evidence; it has failed only when every way to it has.
 */
export function applyReview(plan: Plan, reply: string): Reviewed | undefined {
  const verdicts = readVerdicts(reply)
  if (verdicts.length === 0) return undefined
  const switches: PathSwitch[] = []
  const taken = new Set<Verdict>()
  const goals = plan.goals.map((goal): Goal => {
    const verdict = verdicts.find(({ id }) => id === goal.id) ?? verdicts.find((one) => one.text === goal.text)
    if (verdict === undefined) return goal
    taken.add(verdict)
    const judged = judge(goal, verdict)
    const [from, to] = [currentPath(goal), currentPath(judged)]
    if (from !== undefined && to !== undefined && !isSettled(judged) && from.text !== to.text)
      switches.push({ goal: goal.id, from: from.text, to: to.text })
    return judged
  })
  const added = verdicts.filter((verdict) => !taken.has(verdict) && !goals.some((goal) => goal.text === verdict.text))
  return { plan: withNew({ goals }, added), switches }
}

function judge(goal: Goal, { status, evidence, pathFailed }: Verdict): Goal {
  if (status === 'done') return evidence === '' ? { ...goal, status: 'active' } : settle(goal, 'done')
  if (status !== 'failed' && !pathFailed) return { ...goal, status }
  const failed = settle(goal, 'failed')
  const next = currentPath(failed)
  return next === undefined ? failed : { ...withPath(failed, next, 'active'), status: 'active' }
}

/** The goal, and the way in which it was tried, come to an end. */
function settle(goal: Goal, status: 'done' | 'failed'): Goal {
  const path = currentPath(goal)
  return { ...(path === undefined ? goal : withPath(goal, path, status)), status }
}

function withPath(goal: Goal, path: GoalPath, status: GoalStatus): Goal {
  return { ...goal, paths: (goal.paths ?? []).map((one) => (one === path ? { ...one, status } : one)) }
}

/** The plan with further goals at its end, under ids that are free. */
function withNew({ goals }: Plan, added: readonly Verdict[]): Plan {
  const named = [...goals, ...added].map(({ id, text: words }) => ({ id, text: words, dependsOn: [], paths: [] }))
  const fresh = toPlan(named).goals.slice(goals.length)
  return { goals: [...goals, ...fresh] }
}

function readVerdicts(reply: string): readonly Verdict[] {
  const items = itemsOfJson(reply)
  if (items === undefined) return readGoals(reply).map(verdictOfLine)
  return items.flatMap((item): readonly Verdict[] => {
    const [id, words, evidence] = [wordOf(item['id']), wordOf(item['text']), wordOf(item['evidence'])]
    const status = STATUSES.find((one) => one === item['status']) ?? 'open'
    return id === '' && words === ''
      ? []
      : [{ id, text: words, status, evidence, pathFailed: item['pathFailed'] === true }]
  })
}

/** `2. find the height of Alba (done)`: a line has no place for evidence but itself. */
function verdictOfLine({ id, text: line }: { readonly id: string; readonly text: string }): Verdict {
  const [, words = line, word] = /^(.*\S)\s+\((open|active|done|failed)(?:,[^)]*)?\)$/.exec(line) ?? []
  const status = STATUSES.find((one) => one === word) ?? 'open'
  return { id, text: words, status, evidence: line, pathFailed: false }
}
