import { ADD, SYSTEM, TASK } from './task.mjs'

export const load = () =>
  Promise.all([
    import('@langchain/langgraph/prebuilt'),
    import('@langchain/openai'),
    import('@langchain/core/tools'),
    import('zod'),
  ])

export async function setup({ baseUrl, steps, isStream = false }) {
  const [{ createReactAgent }, { ChatOpenAI }, { tool }, { z }] = await load()
  const wire = { apiKey: 'x', configuration: { baseURL: baseUrl }, maxRetries: 0 }
  const llm = new ChatOpenAI({ model: `mock-${steps}`, ...wire, streaming: isStream, streamUsage: isStream })
  const { name, description } = ADD
  const schema = z.object({ a: z.number(), b: z.number() })
  const add = tool(async ({ a, b }) => String(a + b), { name, description, schema })
  const agent = createReactAgent({ llm, tools: [add], prompt: SYSTEM })
  return async () => {
    const messages = await lastMessages(agent, { recursionLimit: 2 * steps + 10, isStream })
    return { text: messages.at(-1).content, calls: messages.filter((message) => message.getType() === 'tool').length }
  }
}

async function lastMessages(agent, { recursionLimit, isStream }) {
  const input = { messages: [{ role: 'user', content: TASK }] }
  if (!isStream) return (await agent.invoke(input, { recursionLimit })).messages
  let messages
  for await (const [mode, value] of await agent.stream(input, { recursionLimit, streamMode: ['values', 'messages'] }))
    if (mode === 'values') messages = value.messages
  return messages
}
