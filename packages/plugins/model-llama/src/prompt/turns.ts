import type { Message, Part } from '@harnesswright/core'
import { callText } from '../reply/call-form.js'

/** Who speaks in a turn, as chat templates know it. */
type Speaker = 'system' | 'user' | 'model'

/** What one side says, until the other one speaks. */
export interface Turn {
  readonly speaker: Speaker
  readonly text: string
}

const RESULT_CLOSE = '</tool_response>'
/** Said where a history ends with the model's own words: chat templates want a user's turn between two of the model. */
const GO_ON = 'Go on.'

/**
 * The messages as turns that alternate, the system's first: chat templates refuse other orders. Results of calls are the
 * user's, in markers that nothing in them can close.
 */
export function turnsOf(messages: readonly Message[]): readonly Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    const isHead = turns.every((turn) => turn.speaker === 'system')
    const turn = { speaker: speakerOf(message, isHead), text: textOf(message) }
    const last = turns.at(-1)
    if (last?.speaker === turn.speaker) turns[turns.length - 1] = { ...turn, text: joined(last.text, turn.text) }
    else turns.push(turn)
  }
  const first = turns.findIndex((turn) => turn.speaker !== 'system')
  if (turns[first]?.speaker === 'model') turns.splice(first, 0, { speaker: 'user', text: GO_ON })
  return turns.at(-1)?.speaker === 'user' ? turns : [...turns, { speaker: 'user', text: GO_ON }]
}

/** The turns with a text after what the user says last. */
export function withLastWords(turns: readonly Turn[], text: string): readonly Turn[] {
  const last = turns.at(-1)
  if (last === undefined) return [{ speaker: 'user', text }]
  return [...turns.slice(0, -1), { ...last, text: joined(last.text, text) }]
}

/** The turns with a text at the end of what the system says. */
export function withSystemWords(turns: readonly Turn[], text: string): readonly Turn[] {
  const [first, ...rest] = turns
  if (first?.speaker !== 'system') return [{ speaker: 'system', text }, ...turns]
  return [{ ...first, text: joined(first.text, text) }, ...rest]
}

function joined(first: string, second: string): string {
  return [first, second].filter((text) => text !== '').join('\n\n')
}

/** A system message that does not stand at the head is a note to the model: templates have no place for it. */
function speakerOf({ role }: Message, isHead: boolean): Speaker {
  if (role === 'assistant') return 'model'
  return role === 'system' && isHead ? 'system' : 'user'
}

function textOf({ role, content, toolCalls = [] }: Message): string {
  const text = plainText(content)
  if (role === 'tool') return `<tool_response>\n${text.replaceAll(RESULT_CLOSE, '<\\/tool_response>')}\n${RESULT_CLOSE}`
  const calls = toolCalls.map((call) => callText(call.name, call.arguments))
  return [text, ...calls].filter((part) => part !== '').join('\n')
}

/** The text of a message. These models see no pictures. */
function plainText(content: string | readonly Part[]): string {
  if (typeof content === 'string') return content
  return content.map((part) => (part.type === 'text' ? part.text : `[image: ${part.url.slice(0, 100)}]`)).join('\n')
}
