import type { Tool } from '@harnesswright/core'
import { isAnswerTool } from './affordance.js'
import { fillSchema } from './fill-schema.js'
import type { WantedCall } from './options.js'

/** The call with which an answer is given, where a tool takes it; undefined where none does. */
export function giveAnswer(answer: string, tools: readonly Tool[]): WantedCall | undefined {
  const tool = tools.find(isAnswerTool)
  if (tool === undefined) return undefined
  const slots = { text: answer, answer, thought: '', items: [], isDone: true, calls: [], queries: [] }
  return { name: tool.name, arguments: JSON.stringify(fillSchema(tool.parameters, slots).value) }
}
