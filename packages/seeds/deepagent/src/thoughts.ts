import type { JsonSchema } from '@harnesswright/core'

/** What happened. */
interface Episodic {
  readonly task_description: string
  readonly key_events: readonly string[]
  readonly current_progress: string
}

/** What is being done. */
interface Working {
  readonly immediate_goal: string
  readonly current_challenges: string
  readonly next_actions: readonly string[]
}

/** What was learned of tools. */
interface ToolLore {
  readonly tools_used: readonly { readonly tool_name: string; readonly notes: string }[]
  readonly derived_rules: readonly string[]
}

/** Thoughts that were folded: what is left of the steps in which they were had. */
export interface Thoughts {
  readonly episodic: Episodic
  readonly working: Working
  readonly tool: ToolLore
}

/** The parts, in the order in which they are asked for. */
export const PARTS = ['episodic', 'working', 'tool'] as const satisfies readonly (keyof Thoughts)[]

/** Entries of a list that a fold keeps, the newest: what was folded before is kept beside what is folded now. */
const MOST_ENTRIES = 200

const TEXT = { type: 'string' } as const
const LIST = { type: 'array', items: TEXT } as const

/** The form of each part. The title names the purpose for models that tell replies apart by it. */
export const THOUGHT_SCHEMAS: Readonly<Record<keyof Thoughts, JsonSchema>> = {
  episodic: closed({ task_description: TEXT, key_events: LIST, current_progress: TEXT }),
  working: closed({ immediate_goal: TEXT, current_challenges: TEXT, next_actions: LIST }),
  tool: closed({
    tools_used: {
      type: 'array',
      items: {
        type: 'object',
        properties: { tool_name: TEXT, notes: TEXT },
        required: ['tool_name', 'notes'],
        additionalProperties: false,
      },
    },
    derived_rules: LIST,
  }),
}

function closed(properties: Readonly<Record<string, object>>): JsonSchema {
  return {
    title: 'fold',
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  } as JsonSchema // by its form
}

/** One part of a reply; undefined where it is no JSON object, or nothing is said in it. */
export function readPart<Part extends keyof Thoughts>(part: Part, text: string): Thoughts[Part] | undefined {
  const said = readObject(text)
  const read = { episodic: readEpisodic, working: readWorking, tool: readTool }[part](said) as Thoughts[Part]
  return Object.values(read).some((value) => value.length > 0) ? read : undefined
}

type Said = Readonly<Record<string, unknown>>

function readObject(text: string): Said {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Said) : {}
  } catch {
    return {}
  }
}

function readEpisodic(said: Said): Episodic {
  return {
    task_description: textOf(said['task_description']),
    key_events: textsOf(said['key_events']),
    current_progress: textOf(said['current_progress']),
  }
}

function readWorking(said: Said): Working {
  return {
    immediate_goal: textOf(said['immediate_goal']),
    current_challenges: textOf(said['current_challenges']),
    next_actions: textsOf(said['next_actions']),
  }
}

function readTool(said: Said): ToolLore {
  const used = listOf(said['tools_used']).flatMap((one) => {
    const { tool_name, notes } = (typeof one === 'object' && one !== null ? one : {}) as Said
    return textOf(tool_name) === '' ? [] : [{ tool_name: textOf(tool_name), notes: textOf(notes) }]
  })
  return { tools_used: used, derived_rules: textsOf(said['derived_rules']) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value)
    .map(textOf)
    .filter((text) => text !== '')
}

/** What was folded before with what is folded now: events, tools and rules of both, and of all else what is said now. */
export function mergeThoughts(before: Thoughts | null, now: Thoughts): Thoughts {
  if (before === null) return now
  const { episodic, tool } = before
  const renewed = new Set(now.tool.tools_used.map(({ tool_name }) => tool_name))
  return {
    episodic: {
      task_description: now.episodic.task_description || episodic.task_description,
      key_events: newest([...episodic.key_events, ...now.episodic.key_events]),
      current_progress: now.episodic.current_progress || episodic.current_progress,
    },
    working: now.working,
    tool: {
      tools_used: [...tool.tools_used.filter(({ tool_name }) => !renewed.has(tool_name)), ...now.tool.tools_used].slice(
        -MOST_ENTRIES,
      ),
      derived_rules: newest([...tool.derived_rules, ...now.tool.derived_rules]),
    },
  }
}

function newest(entries: readonly string[]): readonly string[] {
  return [...new Set(entries)].slice(-MOST_ENTRIES)
}

/** The thoughts as the model reads them. Of what nothing is said nothing is written. */
export function writeThoughts({ episodic, working, tool }: Thoughts): string {
  return [
    line('Task', episodic.task_description),
    lines('Events', episodic.key_events),
    line('Progress', episodic.current_progress),
    line('Goal', working.immediate_goal),
    line('Challenges', working.current_challenges),
    lines('Next', working.next_actions),
    lines(
      'Tools',
      tool.tools_used.map(({ tool_name, notes }) => `${tool_name}: ${notes}`),
    ),
    lines('Rules', tool.derived_rules),
  ]
    .filter((text) => text !== '')
    .join('\n')
}

function line(name: string, text: string): string {
  return text === '' ? '' : `${name}: ${text}`
}

function lines(name: string, entries: readonly string[]): string {
  return entries.length === 0 ? '' : `${name}:\n${entries.map((entry) => `- ${entry}`).join('\n')}`
}
