import type { JsonSchema, Message, ModelRequest, Tool } from '@harnesswright/core'

/** A tool that takes texts. */
export function aTool(name: string, parameters: readonly string[] = [], required = parameters): Tool {
  const properties = Object.fromEntries(parameters.map((parameter) => [parameter, { type: 'string' }]))
  return {
    name,
    description: `Does ${name}.`,
    parameters: { type: 'object', properties, required: [...required] },
    execute: () => 'done',
  }
}

export const read: Tool = aTool('read_file', ['path'])
export const write: Tool = aTool('write_file', ['path', 'content'])
export const fold: Tool = aTool('fold_thought')

/** A request that offers tools after a task. */
export function asking(change: Partial<ModelRequest> = {}): ModelRequest {
  const messages: readonly Message[] = [
    { role: 'system', content: 'You solve tasks.' },
    { role: 'user', content: 'Read a.txt.' },
  ]
  return { purpose: 'act', messages, tools: [read, write, fold], seed: 7, ...change }
}

/** A history in which one reply made calls and each has its result. */
export function observed(...contents: readonly string[]): readonly Message[] {
  const toolCalls = contents.map((_, index) => ({ id: `c${index}`, name: 'read_file', arguments: '{"path":"a.txt"}' }))
  return [
    ...asking().messages,
    { role: 'assistant', content: 'I read it.', toolCalls },
    ...contents.map((content, index): Message => ({ role: 'tool', callId: `c${index}`, content })),
  ]
}

export const TOTAL: JsonSchema = {
  type: 'object',
  properties: { total: { type: 'number' }, items: { type: 'array' } },
  required: ['total'],
}
