import type { Ctx, Message } from '@harnesswright/core'
import { currentGoals } from '../goals.js'
import type { WeightedText } from '../search/rank-tools.js'

/** What a word counts: of the task, of what is to be done now, and of what was said last, where much is by the way. */
const TASK_WEIGHT = 1
const GOAL_WEIGHT = 1
const MESSAGE_WEIGHT = 0.5

/** Characters that are read of the task and of one message. */
const TASK_CHARS = 8_000
const MESSAGE_CHARS = 2_000

/** What tools are looked for by: the task, the goals of now (without a plan: the directive), and the last messages. */
export function queryTexts(
  { task, directive, view, head }: Pick<Ctx, 'task' | 'directive' | 'view' | 'head'>,
  lastMessages: number,
): readonly WeightedText[] {
  const goals = currentGoals(directive).map(({ text }) => text)
  const doing = directive.plan === undefined ? directive.text : goals.join('\n')
  const messages = lastMessages === 0 ? [] : view.messages.slice(head.length).slice(-lastMessages)
  return [
    [task.instruction.slice(0, TASK_CHARS), TASK_WEIGHT],
    [doing, GOAL_WEIGHT],
    [messages.map((message) => textOf(message).slice(0, MESSAGE_CHARS)).join('\n'), MESSAGE_WEIGHT],
  ]
}

function textOf({ content }: Message): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}
