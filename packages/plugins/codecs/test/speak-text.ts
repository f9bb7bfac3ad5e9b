import type { Message, Model, ModelRequest, ModelResponse, Tool, ToolCall } from '@harnesswright/core'

/** The forms that a model of text can speak. */
export type FormName = 'json' | 'marker'

/**
 * A model that reads and writes text alone, made of one with native calls: what it is sent is read back from the text, and
 * the same decision is written in a form. Nothing here knows the code that writes and reads the forms.
 */
export function speakText(model: Model, form: FormName): Model {
  return {
    ...model,
    supports: { ...model.supports, tools: false },
    async generate(request, options) {
      if (request.tools !== undefined || request.messages.some(({ role }) => role === 'tool'))
        throw new Error('this model takes text alone')
      const canonical = readRequest(request, form)
      const { toolCalls: _calls, ...response } = await model.generate(canonical, options)
      return {
        ...response,
        finish: 'stop',
        content: writeReply({ ...response, toolCalls: _calls ?? [] }, canonical, form),
      }
    },
  }
}

type Said = ModelResponse & { readonly toolCalls: readonly ToolCall[] }

/** The reply as a model of that form writes it. Arguments that the model broke stay broken. */
function writeReply({ content, toolCalls }: Said, { tools = [] }: ModelRequest, form: FormName): string {
  const calls = toolCalls.map(
    ({ name, arguments: given }) => `{"name": ${JSON.stringify(name)}, "arguments": ${given}}`,
  )
  if (tools.length === 0) return content
  if (form === 'json' && calls.length > 0)
    return `{"think": ${JSON.stringify(content)}, "tools": [${calls.join(', ')}]}`
  if (form === 'json') return JSON.stringify({ think: 'Done.', final_answer: content })
  if (calls.length === 0) return `<final_answer>${content}</final_answer>`
  return [content, ...calls.map((call) => `<tool_call>${call}</tool_call>`)].join('\n')
}

const OBSERVATION = /^<(observation-\w+) tool="(?:[^"\\]|\\.)*" call="(\d+)">\n([\s\S]*)\n<\/\1>$/

function readRequest({ messages, ...rest }: ModelRequest, form: FormName): ModelRequest {
  const tools = readTools(messages[0]?.role === 'system' ? (messages[0].content as string) : '')
  let made: readonly ToolCall[] = []
  const read = messages.map((message, index): Message => {
    const text = message.content as string
    if (message.role === 'system') return { role: 'system', content: text.split('# How to reply')[0] ?? '' }
    if (message.role === 'assistant') {
      const { content, calls } = form === 'json' ? readJson(text) : readMarkers(text)
      made = calls.map((call, at) => ({ id: `m${index}_${at}`, ...call }))
      return { role: 'assistant', content, ...(made.length === 0 ? {} : { toolCalls: made }) }
    }
    const [, , number, content] = OBSERVATION.exec(text) ?? []
    const call = made[Number(number) - 1]
    return call === undefined || content === undefined ? message : { role: 'tool', callId: call.id, content }
  })
  return { ...rest, messages: read, ...(tools.length === 0 ? {} : { tools, parallelToolCalls: isParallel(messages) }) }
}

function readTools(system: string): readonly Tool[] {
  const [, lines = ''] = system.split('JSON Schema of its arguments:\n')
  return lines
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => ({ ...(JSON.parse(line) as Omit<Tool, 'execute'>), execute: () => null }))
}

function isParallel([system]: readonly Message[]): boolean {
  return /up to five/.test(system?.content as string)
}

interface ReadBack {
  readonly content: string
  readonly calls: readonly { readonly name: string; readonly arguments: string }[]
}

function readJson(text: string): ReadBack {
  try {
    const { think, tools, final_answer: answer } = JSON.parse(text)
    const calls = (tools ?? []).map((call: { name: string; arguments: unknown }) => {
      return { name: call.name, arguments: JSON.stringify(call.arguments) }
    })
    return { content: answer ?? think, calls }
  } catch {
    return { content: text, calls: [] }
  }
}

function readMarkers(text: string): ReadBack {
  const calls = Array.from(text.matchAll(/<tool_call>(.*?)<\/tool_call>/gs), ([, body = '']) => {
    const { calls: read } = readJson(`{"tools": [${body}]}`)
    return read[0] ?? { name: /"name": "(\w+)"/.exec(body)?.[1] ?? '', arguments: '{}' }
  })
  return { content: text.replaceAll(/<tool_call>.*?<\/tool_call>/gs, '').trim(), calls }
}
