import type { JsonSchema } from '@harnesswright/core'

/** A goal as a model names it, before it is put into a graph. */
export interface NamedGoal {
  readonly id: string
  readonly text: string
  readonly dependsOn: readonly string[]
  readonly paths: readonly string[]
}

/** The shape in which a plan is asked for. Its title names the form for models that tell replies apart by it. */
export function planSchema({ maxGoals, maxPaths }: { maxGoals: number; maxPaths: number }): JsonSchema {
  const text = { type: 'string' }
  return objectOf('plan', {
    goals: {
      type: 'array',
      minItems: 1,
      maxItems: maxGoals,
      items: objectOf(undefined, {
        id: { ...text, description: 'Short, such as 1.' },
        text: { ...text, description: 'The goal in words that stand alone, with every name in full.' },
        dependsOn: { type: 'array', items: text, description: 'Ids of goals without which it cannot be begun.' },
        paths: {
          type: 'array',
          minItems: 1,
          maxItems: maxPaths,
          items: text,
          description: 'Ways to reach it, the most promising first, each with what would show that it worked.',
        },
      }),
    },
  })
}

/** An object of which every property is required and no other allowed, as strict endpoints want it. */
export function objectOf(title: string | undefined, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    ...(title === undefined ? {} : { title }),
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

/** More goals than any plan has: what is beyond is no plan. */
const MOST_GOALS = 100

/** The goals that a reply names, as JSON, or as numbered lines with the paths of each below it. */
export function readGoals(text: string): readonly NamedGoal[] {
  return (goalsOfJson(text) ?? goalsOfLines(text)).slice(0, MOST_GOALS)
}

function goalsOfJson(text: string): readonly NamedGoal[] | undefined {
  return itemsOfJson(text)?.flatMap((item) => {
    const { id, text: words, dependsOn, paths } = item
    if (typeof words !== 'string' || words.trim() === '') return []
    return [{ id: wordOf(id), text: words.trim(), dependsOn: wordsOf(dependsOn), paths: wordsOf(paths) }]
  })
}

/** The objects in the list `goals` of a reply that is JSON. */
export function itemsOfJson(text: string): readonly Readonly<Record<string, unknown>>[] | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const { goals } = (value ?? {}) as { readonly goals?: unknown }
  if (!Array.isArray(goals)) return undefined
  return goals.filter((goal: unknown): goal is Record<string, unknown> => typeof goal === 'object' && goal !== null)
}

/** Ids are texts or numbers; anything else is none. */
export function wordOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

function wordsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(wordOf).filter((word) => word !== '') : []
}

const GOAL_LINE = /^\s*(?:#+\s*)?(?:\*\*)?(?:goal\s+)?(\d{1,4})[.):]\s*(\S.*)$/i
const PATH_LINE = /^\s*(?:[-*•]|path\s+[\d.]+[:.)])\s+(\S.*)$/i

/** Numbered lines are goals and the items below them their paths; a list without numbers is one of goals. */
function goalsOfLines(text: string): readonly NamedGoal[] {
  const goals: { id: string; text: string; dependsOn: string[]; paths: string[] }[] = []
  const loose: string[] = []
  for (const line of text.split('\n')) {
    const [, id, words] = GOAL_LINE.exec(line) ?? []
    const path = PATH_LINE.exec(line)?.[1]
    if (id !== undefined && words !== undefined) goals.push({ id, text: bare(words), dependsOn: [], paths: [] })
    else if (path !== undefined) (goals.at(-1)?.paths ?? loose).push(bare(path))
  }
  if (goals.length > 0) return goals
  return loose.map((words, index) => ({ id: `${index + 1}`, text: words, dependsOn: [], paths: [] }))
}

function bare(words: string): string {
  return words.replaceAll('**', '').trim()
}
