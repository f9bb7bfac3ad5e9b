import type { Goal, JsonSchema, Plan } from '@harnesswright/core'

/** The shape in which subtasks are asked for. */
export function subtasksSchema(most: number): JsonSchema {
  const id = { type: 'integer', minimum: 1 }
  const subtask = {
    type: 'object',
    properties: {
      index: { ...id, description: 'Number of the subtask, from 1.' },
      goal: { type: 'string', description: 'The subtask in words that stand alone, with every name in full.' },
      dependencies: { type: 'array', items: id, description: 'Numbers of the subtasks whose results it needs.' },
    },
    required: ['index', 'goal', 'dependencies'],
    additionalProperties: false,
  }
  return {
    title: 'plan',
    type: 'object',
    properties: { subtasks: { type: 'array', minItems: 1, maxItems: most, items: subtask } },
    required: ['subtasks'],
    additionalProperties: false,
  }
}

interface Subtask {
  /** As the planner named it: a number or a text. */
  readonly name: string
  readonly text: string
  /** Names of subtasks, or of none. */
  readonly needs: readonly string[]
}

/**
 * The subtasks of a reply as a plan of at most `most` goals; undefined when it holds none. Names may be numbers or texts; goals have
 * numbers, that of their place where the name is none or is there twice. A dependency on what is no other subtask is dropped.
 */
export function readSubtasks(text: string, most: number): Plan | undefined {
  const listed = parseSubtasks(text).slice(0, most)
  const ids = numbersOf(listed)
  const idOf = new Map(listed.map(({ name }, index) => [name, ids[index]] as const).reverse()) // the first of a name
  const goals = listed.map(({ text: words, needs }, index): Goal => {
    const id = String(ids[index])
    const needed = new Set(needs.flatMap((name) => idOf.get(name) ?? []))
    const dependsOn = [...needed].map(String).filter((one) => one !== id)
    return { id, text: words, status: 'open', ...(dependsOn.length === 0 ? {} : { dependsOn }) }
  })
  return goals.length === 0 ? undefined : { goals }
}

/** The numbers in the names, where all have one of their own; else those of their places. */
function numbersOf(listed: readonly Subtask[]): readonly number[] {
  const own = listed.map(({ name }) => (/^\d{1,3}$/.test(name) ? Number(name) : Number.NaN))
  const areDistinct = new Set(own).size === own.length && !own.some(Number.isNaN)
  return areDistinct ? own : listed.map((_, index) => index + 1)
}

type Fields = Readonly<Record<string, unknown>>

function parseSubtasks(text: string): readonly Subtask[] {
  const { subtasks, dependencies } = fieldsOf(parse(text))
  if (!Array.isArray(subtasks)) return []
  const beside = fieldsOf(dependencies)
  return subtasks.flatMap((item: unknown): Subtask[] => {
    const { goal, text: words = goal, index, id = index, dependencies: own } = fieldsOf(item)
    if (typeof words !== 'string' || words.trim() === '') return []
    const name = String(id ?? '')
    const needs = [...namesIn(own), ...namesIn(Object.hasOwn(beside, name) ? beside[name] : [])]
    return [{ name, text: words.trim(), needs }]
  })
}

function namesIn(value: unknown): readonly string[] {
  const listed = Array.isArray(value) ? value : []
  return listed.filter((name) => typeof name === 'string' || typeof name === 'number').map(String)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}
