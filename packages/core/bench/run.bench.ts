import { bench, describe } from 'vitest'
import { createEnvironment, type Message, type Model, type Tool } from '../src/index.js'
import { assembleModules, minimalAction, minimalMemory } from '../src/testkit/index.js'

const STEPS = 20
const usage = { inputTokens: 100, cachedTokens: 0, outputTokens: 10, reasoningTokens: 0, source: 'known' } as const

/** Calls a tool at each step but the last; no time passes in it. */
function stubModel(): Model {
  let requests = 0
  return {
    id: 'stub',
    supports: { tools: true },
    async generate() {
      const isLast = ++requests % STEPS === 0
      if (isLast) return { content: 'done', finish: 'stop', usage }
      return {
        content: '',
        toolCalls: [{ id: `call_${requests}`, name: 'look', arguments: '{"page":1}' }],
        finish: 'tool_calls',
        usage,
      }
    },
  }
}

const look: Tool = {
  name: 'look',
  description: 'Looks at a page.',
  parameters: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] },
  readOnly: true,
  execute: () => 'a page of text',
}

const harness = await assembleModules(
  { memory: minimalMemory, action: minimalAction },
  createEnvironment({ model: stubModel(), tools: [look], limits: { tokens: 1e12 } }),
)
const plain = stubModel()
const { signal } = new AbortController()

describe(`a run of ${STEPS} steps on a model that answers at once`, () => {
  bench('a plain loop: model, JSON.parse, tool, two messages', async () => {
    const messages: Message[] = [{ role: 'user', content: 'Look.' }]
    while (true) {
      const reply = await plain.generate({ purpose: 'act', messages, tools: [look] }, { signal })
      const [call] = reply.toolCalls ?? []
      if (call === undefined) break
      messages.push({ role: 'assistant', content: reply.content, toolCalls: [call] })
      const content = String(await look.execute(JSON.parse(call.arguments), undefined as never))
      messages.push({ role: 'tool', callId: call.id, content })
    }
  })

  bench('the kernel: hooks, meter, checks, history, record', async () => {
    await harness.run('Look.').result
  })
})
