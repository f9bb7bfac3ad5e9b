import { ADD, SYSTEM, TASK } from './task.mjs'

export const load = () => Promise.all([import('ai'), import('@ai-sdk/openai-compatible'), import('zod')])
export const loadCore = () => import('ai')

export async function setup({ baseUrl, steps, isStream }) {
  const [{ ToolLoopAgent, tool, stepCountIs }, { createOpenAICompatible }, { z }] = await load()
  const provider = createOpenAICompatible({ name: 'mock', baseURL: baseUrl, apiKey: 'x', includeUsage: true })
  const inputSchema = z.object({ a: z.number(), b: z.number() })
  const add = tool({ description: ADD.description, inputSchema, execute: async ({ a, b }) => a + b })
  const agent = new ToolLoopAgent({
    model: provider(`mock-${steps}`),
    instructions: SYSTEM,
    maxRetries: 0,
    stopWhen: stepCountIs(steps + 5),
    tools: { add },
  })
  return async () => {
    const result = isStream ? await agent.stream({ prompt: TASK }) : await agent.generate({ prompt: TASK })
    if (isStream) await result.consumeStream()
    const made = await result.steps
    return { text: await result.text, calls: made.reduce((sum, { toolCalls }) => sum + toolCalls.length, 0) }
  }
}
