// What the framework is measured against: the same hand-written loop on the `openai` client.
import { streamFields } from './fetch-chat.mjs'
import { loop, takeDelta, WIRE_TOOLS } from './task.mjs'
import { openai } from './workspace.mjs'

export const load = openai

export async function setup({ baseUrl, steps, isStream }) {
  const { default: OpenAI } = await load()
  const client = new OpenAI({ baseURL: baseUrl, apiKey: 'x', maxRetries: 0 })
  const ask = async (messages) => {
    const body = { model: `mock-${steps}`, messages, tools: WIRE_TOOLS, ...streamFields(isStream) }
    const reply = await client.chat.completions.create(body)
    if (!isStream) return reply.choices[0].message
    const message = { role: 'assistant', content: '' }
    for await (const chunk of reply) takeDelta(message, chunk.choices[0]?.delta)
    return message
  }
  return () => loop(ask)
}
