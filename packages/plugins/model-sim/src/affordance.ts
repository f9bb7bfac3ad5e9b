import type { Tool } from '@harnesswright/core'
import type { Intent } from './reader.js'

/** Words in a tool's name that say what it does. */
const VERBS: Readonly<Record<Intent['verb'], readonly string[]>> = {
  read: ['read', 'open', 'view', 'cat'],
  write: ['write', 'save', 'create'],
  search: ['search', 'find', 'grep', 'query'],
  list: ['list', 'ls', 'dir'],
}

/** Names of the parameters that carry each part of an intent. */
const PARAMETERS = {
  path: ['path', 'file', 'filename', 'file_path'],
  content: ['content', 'text', 'contents'],
  query: ['query', 'q', 'pattern', 'term'],
} as const

/** What must be passed for each verb; a list may do without. */
const NEEDED: Readonly<Record<Intent['verb'], readonly (keyof typeof PARAMETERS)[]>> = {
  read: ['path'],
  write: ['path', 'content'],
  search: ['query'],
  list: [],
}

/** What a tool is for: its verb, and the names under which it takes what it needs. */
export interface Affordance {
  readonly verb: Intent['verb']
  readonly parameters: Readonly<Partial<Record<keyof typeof PARAMETERS, string>>>
}

/** The verb in a tool's name, whatever it takes. */
export function verbOf(name: string): Intent['verb'] | undefined {
  const words = name.split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase())
  const verbs = Object.keys(VERBS) as Intent['verb'][] // the keys of the table
  return verbs.find((verb) => words.some((word) => VERBS[verb].includes(word)))
}

/** True for a tool that finds tools: it looks for words, and finds no text of any task. */
export function isToolSearch({ name }: Tool): boolean {
  return /tool/i.test(name) && verbOf(name) === 'search'
}

/** True for a tool that gives a piece of work to somebody else. */
export function isDelegation({ parameters }: Tool): boolean {
  return 'instruction' in propertiesOf(parameters)
}

/** True for a tool that puts a text in place of what stands in view. */
export function isFold({ name, parameters }: Tool): boolean {
  const properties = propertiesOf(parameters)
  const isRange = 'from' in properties && 'to' in properties && 'text' in properties
  return isRange || /^(?:fold|compress)/i.test(name)
}

/** True for a tool that is told what is worked towards next. */
export function isSubgoal({ name, parameters }: Tool): boolean {
  return /sub_?goal/i.test(name) && 'goal' in propertiesOf(parameters)
}

/** True for a tool that takes the answer to the task. */
export function isAnswerTool({ name }: Tool): boolean {
  return /^(?:final|give|submit)_?answer$/i.test(name)
}

function propertiesOf(parameters: Tool['parameters']): object {
  return (parameters['properties'] as object | undefined) ?? {} // JSON Schema of an object
}

/** What a tool is for, if it takes what its verb needs. */
export function affordanceOf(tool: Tool): Affordance | undefined {
  const verb = verbOf(tool.name)
  if (verb === undefined || isToolSearch(tool) || isDelegation(tool) || isFold(tool)) return undefined
  const properties = Object.keys(propertiesOf(tool.parameters))
  const parameters: Record<string, string> = {}
  for (const [part, names] of Object.entries(PARAMETERS)) {
    const name = names.find((one) => properties.includes(one))
    if (name !== undefined) parameters[part] = name
  }
  return NEEDED[verb].every((part) => part in parameters) ? { verb, parameters } : undefined
}

/** The arguments with which a tool does what is intended. */
export function argumentsFor(intent: Intent, { parameters }: Affordance): Readonly<Record<string, string>> {
  const { verb, ...parts } = intent
  const entries = Object.entries(parts as Readonly<Record<string, string>>) // the parts of every intent are texts
  return Object.fromEntries(
    entries.flatMap(([part, value]) => {
      const name = parameters[part as keyof typeof PARAMETERS]
      return name === undefined ? [] : [[name, value]]
    }),
  )
}

/** What a call intends, by the affordance of its tool; undefined where arguments are missing. */
export function intentOf(
  args: Readonly<Record<string, unknown>>,
  { verb, parameters }: Affordance,
): Intent | undefined {
  const text = (part: keyof typeof PARAMETERS): string | undefined => {
    const value = args[parameters[part] ?? '']
    return typeof value === 'string' ? value : undefined
  }
  const [path, content, query] = [text('path'), text('content'), text('query')]
  if (verb === 'read' && path !== undefined) return { verb, path }
  if (verb === 'write' && path !== undefined && content !== undefined) return { verb, path, content }
  if (verb === 'search' && query !== undefined) return { verb, query }
  return verb === 'list' ? { verb, path: path ?? '.' } : undefined
}

/** What an intent is about: the file or the words. Calls about the same thing with the same verb are alike. */
export function subjectOf(intent: Intent): string {
  return `${intent.verb} ${intent.verb === 'search' ? intent.query : intent.path}`
}
