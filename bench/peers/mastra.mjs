import { ADD, SYSTEM, TASK } from './task.mjs'

export const load = () =>
  Promise.all([
    import('@mastra/core/agent'),
    import('@mastra/core/tools'),
    import('@ai-sdk/openai-compatible'),
    import('zod'),
  ])

export async function setup({ baseUrl, steps, isStream }) {
  const [{ Agent }, { createTool }, { createOpenAICompatible }, { z }] = await load()
  const provider = createOpenAICompatible({ name: 'mock', baseURL: baseUrl, apiKey: 'x', includeUsage: true })
  const inputSchema = z.object({ a: z.number(), b: z.number() })
  const { name, description } = ADD
  const add = createTool({ id: name, description, inputSchema, execute: async ({ a, b }) => a + b })
  const model = provider(`mock-${steps}`)
  const agent = new Agent({ id: 'calc', name: 'calc', instructions: SYSTEM, model, tools: { add }, maxRetries: 0 })
  return async () => {
    const options = { maxSteps: steps + 5 }
    const result = isStream ? await agent.stream(TASK, options) : await agent.generate(TASK, options)
    if (isStream) for await (const _ of result.fullStream);
    const made = await result.steps
    return { text: await result.text, calls: made.reduce((sum, { toolCalls }) => sum + toolCalls.length, 0) }
  }
}
