import { ADD, SYSTEM, TASK } from './task.mjs'

export const load = () => Promise.all([import('@openai/agents'), import('openai'), import('zod')])

export async function setup({ baseUrl, steps, isStream = false }) {
  const [agents, { default: OpenAI }, { z }] = await load()
  agents.setTracingDisabled(true)
  const client = new OpenAI({ baseURL: baseUrl, apiKey: 'x', maxRetries: 0 })
  const parameters = z.object({ a: z.number(), b: z.number() })
  const { name, description } = ADD
  const add = agents.tool({ name, description, parameters, execute: async ({ a, b }) => String(a + b) })
  const model = new agents.OpenAIChatCompletionsModel(client, `mock-${steps}`)
  const agent = new agents.Agent({ name: 'calc', instructions: SYSTEM, model, tools: [add] })
  const runner = new agents.Runner({ tracingDisabled: true })
  return async () => {
    const result = await runner.run(agent, TASK, { maxTurns: steps + 5, stream: isStream })
    if (isStream) {
      for await (const _ of result);
      await result.completed
    }
    return { text: result.finalOutput, calls: result.newItems.filter(({ type }) => type === 'tool_call_item').length }
  }
}
