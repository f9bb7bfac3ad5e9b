import type { Message } from '@harnesswright/core'
import type { FormText, TextForm } from '../form.js'
import { isObjectText } from '../read/json-scan.js'
import { contentText } from '../wire/write-messages.js'
import { readMarker, readMarkerAnswer } from './read-marker.js'

/** Words, with each call in a tag: `<tool_call>{"name", "arguments"}</tool_call>`, or one named like the tool. */
export const markerForm: TextForm = { name: 'marker', explain, render, read: readMarker, readPlain: readMarkerAnswer }

function explain({ answer, isParallel, schema }: FormText): string {
  const many = isParallel
    ? 'A reply may have up to five such tags, of which none needs the result of another.'
    : 'A reply has one such tag.'
  const shape = schema === undefined ? '' : `\n\nThe answer is JSON of this JSON Schema:\n${JSON.stringify(schema)}`
  return `Say in a sentence or two what you learned and what you need next, then call a tool in a tag of its own:
<tool_call>{"name": "the tool", "arguments": {}}</tool_call>
${many} When everything the task asks for is done:
<${answer}>the answer</${answer}>${shape}`
}

function render(message: Message): string {
  const words = contentText(message).trim()
  const calls = (message.toolCalls ?? []).map(({ name, arguments: given }) => {
    return `<tool_call>${callText(name, isObjectText(given) ? given : '{}')}</tool_call>`
  })
  return [...(words === '' ? [] : [words]), ...calls].join('\n')
}

/** The JSON of a call without a bracket that could open or close a tag: such brackets stand in texts alone. */
function callText(name: string, given: string): string {
  return `{"name": ${JSON.stringify(name)}, "arguments": ${given}}`.replaceAll('<', '\\u003c')
}
