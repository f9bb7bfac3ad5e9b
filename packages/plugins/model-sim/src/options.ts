import type { Tool } from '@harnesswright/core'
import { affordanceOf, argumentsFor, isToolSearch } from './affordance.js'
import { planDelegations } from './delegations.js'
import type { Mind } from './mind.js'
import { FORMS } from './profiles.js'
import type { Goal, Intent } from './reader.js'

/** A call that the model wants made. */
export interface WantedCall {
  readonly name: string
  readonly arguments: string
}

/** A call that can be made now, with the goals that it is for. */
export interface Option {
  readonly goals: readonly Goal[]
  readonly call: WantedCall
  /** Somebody else does the work: it need not wait for other such work. */
  readonly isDelegated?: boolean
}

/**
 * The calls that can be made now: work to be given to others where that is on offer, else one call a ready goal, else a
 * search for the tool that is missing.
 */
export function findOptions(mind: Mind, tools: readonly Tool[]): readonly Option[] {
  const direct = mind.ready.flatMap((goal): Option[] => {
    const call = callFor(goal, mind, tools)
    return call === undefined ? [] : [{ goals: [goal], call }]
  })
  const delegations = planDelegations(mind, tools, direct.length > 0)
  if (delegations !== undefined) return delegations
  return direct.length > 0 ? direct : searchTools(mind, tools)
}

/** The call that does what a goal wants, by a tool that affords it. */
export function callFor(goal: Goal, mind: Mind, tools: readonly Tool[]): WantedCall | undefined {
  const intent = mind.intent(goal)
  for (const tool of tools) {
    const affordance = affordanceOf(tool)
    if (affordance?.verb !== intent.verb) continue
    return { name: tool.name, arguments: JSON.stringify(argumentsFor(intent, affordance)) }
  }
  return undefined
}

/** Words with which a tool is looked for, by what it is to do. */
const TOOL_WORDS: Readonly<Record<Intent['verb'], string>> = {
  read: 'read a file',
  write: 'write a file',
  search: 'search texts for words',
  list: 'list files',
}

function searchTools(mind: Mind, tools: readonly Tool[]): readonly Option[] {
  const tool = tools.find(isToolSearch)
  const [goal] = mind.ready
  if (tool === undefined || goal === undefined) return []
  const [parameter = 'query'] = (tool.parameters['required'] as readonly string[] | undefined) ?? [] // JSON Schema
  const args = JSON.stringify({ [parameter]: TOOL_WORDS[mind.intent(goal).verb] })
  const made = mind.sight.calls.filter((call) => call.name === tool.name && call.arguments === args)
  return made.length >= FORMS.tries ? [] : [{ goals: [goal], call: { name: tool.name, arguments: args } }]
}
