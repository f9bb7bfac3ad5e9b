// What every loop is given, in the words of the wire.

export const SYSTEM = 'You are a calculator agent.'
export const TASK = 'Add numbers until done.'
export const ADD = {
  name: 'add',
  description: 'Add two numbers',
  parameters: {
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
}
export const WIRE_TOOLS = [{ type: 'function', function: ADD }]

/** Takes one delta of a stream into the message that it is a piece of. */
export function takeDelta(message, delta) {
  if (delta === undefined) return
  if (delta.content) message.content += delta.content
  for (const { index, id, function: made } of delta.tool_calls ?? []) {
    message.tool_calls ??= []
    message.tool_calls[index] ??= { id, type: 'function', function: { name: made.name, arguments: '' } }
    message.tool_calls[index].function.arguments += made.arguments ?? ''
  }
}

/** The hand-written loop: asks, makes the calls of the reply, and ends at a reply without calls. */
export async function loop(ask) {
  const messages = [
    { role: 'system', content: SYSTEM },
    { role: 'user', content: TASK },
  ]
  for (let calls = 0; ; ) {
    const message = await ask(messages)
    messages.push(message)
    if (message.tool_calls === undefined) return { text: message.content, calls }
    for (const { id, function: made } of message.tool_calls) {
      const { a, b } = JSON.parse(made.arguments)
      calls++
      messages.push({ role: 'tool', tool_call_id: id, content: String(a + b) })
    }
  }
}
