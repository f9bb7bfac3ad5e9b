import type { Harness, Journal, Model } from '../src/index.js'
import { aHarness, aPlugin, aTool } from './one-run.js'

/** A model that looks so many times, and then answers: a function of its request. */
const lookingModel = (times: number): Model => ({
  id: 'looking',
  supports: { tools: true, jsonSchema: true },
  async generate({ messages }) {
    const seen = messages.filter(({ role }) => role === 'tool').length
    if (seen >= times) return { content: `seen ${seen}`, finish: 'stop' }
    const toolCalls = [{ id: '', name: 'look', arguments: JSON.stringify({ page: seen }) }]
    return { content: `I look at page ${seen} next, as it may say more.`, toolCalls, finish: 'tool_calls' }
  },
})

/** Results of 600 to 1,500 characters, every third a value. */
const lookTool = aTool('look', {
  readOnly: true,
  idempotent: true,
  execute({ page }: { page: number }) {
    const lines = Array.from(
      { length: 12 + ((page * 7) % 17) },
      (_, line) => `page ${page}, line ${line}: some words of it`,
    )
    return page % 3 === 0 ? { page, lines } : lines.join('\n')
  },
})

/** A harness that looks so many times, with something in its state. */
export async function looking(times: number, journal: Journal): Promise<{ readonly harness: Harness }> {
  const modules = {
    plugins: [aPlugin({ state: () => ({ steps: 0 }), record: (_step, ctx) => void ctx.state.steps++ })],
  }
  const model = lookingModel(times) as never
  return await aHarness({ model, tools: [lookTool], modules, env: { journal, limits: { steps: 200, tokens: 1e8 } } })
}
