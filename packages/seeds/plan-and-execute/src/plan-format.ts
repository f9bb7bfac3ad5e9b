import type { Goal, GoalStatus, JsonSchema, Plan } from '@harnesswright/core'

const STATUSES: readonly GoalStatus[] = ['open', 'active', 'done', 'failed']

/** The shape in which a plan is asked for. Its title names the form for models that tell replies apart by it. */
export function planSchema(maxGoals: number): JsonSchema {
  return {
    title: 'plan',
    type: 'object',
    properties: {
      goals: {
        type: 'array',
        minItems: 1,
        maxItems: maxGoals,
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', description: 'Short, such as 1.' },
            text: { type: 'string', description: 'The goal in words that stand alone, with every name in full.' },
          },
          required: ['id', 'text'],
          additionalProperties: false,
        },
      },
    },
    required: ['goals'],
    additionalProperties: false,
  }
}

/** The shape in which a review is asked for: every goal of the plan, and goals that were missing. */
export const REVIEW_SCHEMA: JsonSchema = {
  title: 'review',
  type: 'object',
  properties: {
    goals: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          id: { type: 'string', description: 'Id of a goal of the plan, or a new one for a goal that was missing.' },
          text: { type: 'string', description: 'The goal in words that stand alone.' },
          status: { enum: STATUSES },
        },
        required: ['id', 'text', 'status'],
        additionalProperties: false,
      },
    },
  },
  required: ['goals'],
  additionalProperties: false,
}

/** A plan from the text of a reply; undefined when it holds none. */
export function readPlan(text: string): Plan | undefined {
  const goals = readGoals(text).map(({ id, text: words }) => ({ id, text: words, status: 'open' as const }))
  return goals.length === 0 ? undefined : { goals }
}

/** The plan as a review sees it: statuses are taken over, goals that are new are added, none is lost. */
export function applyReview(plan: Plan, text: string): Plan | undefined {
  const reviewed = readGoals(text)
  if (reviewed.length === 0) return undefined
  const byId = new Map(reviewed.map((goal) => [goal.id, goal]))
  const byText = new Map(reviewed.map((goal) => [goal.text, goal]))
  const known = plan.goals.map((goal) => ({
    ...goal,
    status: (byText.get(goal.text) ?? byId.get(goal.id) ?? goal).status,
  }))
  const texts = new Set(plan.goals.map((goal) => goal.text))
  const ids = new Set(plan.goals.map((goal) => goal.id))
  const added = reviewed.filter((goal) => !texts.has(goal.text) && !ids.has(goal.id))
  return { goals: [...known, ...added] }
}

/** The goal to work on: the active one, else the first that is open. */
export function currentGoal(plan: Plan): Goal | undefined {
  return plan.goals.find((goal) => goal.status === 'active') ?? plan.goals.find((goal) => goal.status === 'open')
}

function readGoals(text: string): Goal[] {
  const listed = parsedGoals(text) ?? numberedLines(text)
  const ids = new Set<string>()
  return listed.map((goal, index) => {
    const id = goal.id === '' || ids.has(goal.id) ? `${index + 1}` : goal.id
    ids.add(id)
    return { ...goal, id }
  })
}

function parsedGoals(text: string): Goal[] | undefined {
  try {
    const value = JSON.parse(text) as { goals?: unknown }
    if (!Array.isArray(value.goals)) return undefined
    return value.goals.flatMap((item: unknown) => {
      const { id, text: words, status } = (item ?? {}) as { id?: unknown; text?: unknown; status?: unknown }
      if (typeof words !== 'string' || words.trim() === '') return []
      return [{ id: String(id ?? ''), text: words.trim(), status: STATUSES.find((one) => one === status) ?? 'open' }]
    })
  } catch {
    return undefined
  }
}

/** Models that are not bound to a schema write `1. …` or `- …` lines. */
function numberedLines(text: string): Goal[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*(?:(\d+)[.):]|[-*])\s+(.+?)(?:\s+\((open|active|done|failed)\))?\s*$/.exec(line)
    if (match?.[2] === undefined) return []
    return [{ id: match[1] ?? '', text: match[2], status: STATUSES.find((one) => one === match[3]) ?? 'open' }]
  })
}
