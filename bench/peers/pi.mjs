// It always streams.
import { ADD, SYSTEM, TASK } from './task.mjs'

export const load = () => Promise.all([import('@mariozechner/pi-agent-core'), import('@mariozechner/pi-ai')])

export async function setup({ baseUrl, steps }) {
  const [{ Agent }, { Type }] = await load()
  const model = {
    id: `mock-${steps}`,
    name: 'mock',
    api: 'openai-completions',
    provider: 'mock',
    baseUrl,
    reasoning: false,
    input: ['text'],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 128_000,
    maxTokens: 4_096,
    compat: { supportsStore: false, supportsDeveloperRole: false },
  }
  const add = {
    name: ADD.name,
    label: ADD.name,
    description: ADD.description,
    parameters: Type.Object({ a: Type.Number(), b: Type.Number() }),
    execute: async (_id, { a, b }) => ({ content: [{ type: 'text', text: String(a + b) }], details: {} }),
  }
  const initialState = { systemPrompt: SYSTEM, model, tools: [add], thinkingLevel: 'off' }
  return async () => {
    const agent = new Agent({ initialState, getApiKey: () => 'x' })
    await agent.prompt(TASK)
    const { messages } = agent.state
    const text = messages.at(-1).content.map((part) => part.text ?? '')
    return { text: text.join(''), calls: messages.filter(({ role }) => role === 'toolResult').length }
  }
}
