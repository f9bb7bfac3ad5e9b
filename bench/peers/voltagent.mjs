import { ADD, SYSTEM, TASK } from './task.mjs'

export const load = () => Promise.all([import('@voltagent/core'), import('@ai-sdk/openai-compatible'), import('zod')])

export async function setup({ baseUrl, steps, isStream }) {
  const [{ Agent, createTool }, { createOpenAICompatible }, { z }] = await load()
  const provider = createOpenAICompatible({ name: 'mock', baseURL: baseUrl, apiKey: 'x', includeUsage: true })
  const parameters = z.object({ a: z.number(), b: z.number() })
  const { name, description } = ADD
  const add = createTool({ name, description, parameters, execute: async ({ a, b }) => a + b })
  const model = provider(`mock-${steps}`)
  const options = { maxSteps: steps + 5 }
  const agent = new Agent({
    name: 'calc',
    instructions: SYSTEM,
    model,
    tools: [add],
    ...options,
    maxRetries: 0,
    memory: false,
  })
  return async () => {
    const result = isStream ? await agent.streamText(TASK, options) : await agent.generateText(TASK, options)
    if (isStream) for await (const _ of result.fullStream);
    const made = await result.steps
    return { text: await result.text, calls: made.reduce((sum, { toolCalls }) => sum + toolCalls.length, 0) }
  }
}
