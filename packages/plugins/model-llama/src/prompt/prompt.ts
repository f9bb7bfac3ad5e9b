import type { ModelRequest, Tool } from '@harnesswright/core'
import { callText } from '../reply/call-form.js'
import { callableTools } from '../reply/reply-grammar.js'
import { type Turn, turnsOf, withLastWords, withSystemWords } from './turns.js'

/**
 * The turns of a request: its messages, the tools at the end of what the system says, and the schema of the reply after
 * what the user says last. The tools are told whatever the choice is, so that the beginning of the requests of a run stays the same.
 */
export function promptOf(request: ModelRequest): readonly Turn[] {
  const { messages, tools = [], schema } = request
  const said = turnsOf(messages)
  const turns = tools.length === 0 ? said : withSystemWords(said, toolWords(tools))
  const mayCall = callableTools(request).length > 0
  return schema === undefined ? turns : withLastWords(turns, schemaWords(request, mayCall))
}

function toolWords(tools: readonly Tool[]): string {
  const list = tools.map(({ name, description, parameters }) =>
    JSON.stringify({ type: 'function', function: { name, description, parameters } }),
  )
  return [
    'You can call these tools:',
    '<tools>',
    ...list,
    '</tools>',
    'A call is the end of a reply. It is written like this, with the name of the tool and its arguments:',
    callText('name', '{"argument": "value"}'),
    'The results follow in <tool_response> marks.',
  ].join('\n')
}

/** Longest schema that is told in words, in characters. The grammar holds a longer one alone: it would fill a small window. */
const MAX_SCHEMA_CHARS = 4_000

function schemaWords({ schema }: ModelRequest, mayCall: boolean): string {
  const start = mayCall ? 'When no further tool is needed, reply' : 'Reply'
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARS)
    return `${start} with the JSON value that is asked for and nothing else.`
  return `${start} with one JSON value of this JSON Schema and nothing else:\n${JSON.stringify(schema)}`
}
