import type { Message } from '@harnesswright/core'
import type { FormText, TextForm } from '../form.js'
import { isObjectText } from '../read/json-scan.js'
import { readPlain } from '../read/read-plain.js'
import { contentText } from '../wire/write-messages.js'
import { readJson } from './read-json.js'
import { unwrapAnswer } from './unwrap-answer.js'

/** A step as one JSON object: `{"think", "tools": [{"name", "arguments"}]}`, or the answer in it. */
export const jsonForm: TextForm = {
  name: 'json',
  explain,
  render,
  read: readJson,
  readPlain: (text, context) => readPlain(text, context, unwrapAnswer(context.schema)),
}

function explain({ answer, isParallel, schema }: FormText): string {
  const many = isParallel
    ? 'A reply may have up to five calls, of which none needs the result of another.'
    : 'A reply has one call.'
  const shape = schema === undefined ? '' : `\n\nThe answer is JSON of this JSON Schema:\n${JSON.stringify(schema)}`
  return `Each reply is one JSON object and nothing else. To call tools:
{"think": "what you learned and what you need next", "tools": [{"name": "the tool", "arguments": {}}]}
${many} When everything the task asks for is done:
{"think": "why it is done", "${answer}": "the answer"}${shape}`
}

function render(message: Message): string {
  const calls = (message.toolCalls ?? []).map(({ name, arguments: given }) => {
    return `{"name": ${JSON.stringify(name)}, "arguments": ${isObjectText(given) ? given : '{}'}}`
  })
  return `{"think": ${JSON.stringify(contentText(message))}, "tools": [${calls.join(', ')}]}`
}
