import { type ChatServer, serveChat, streamOf } from './chat-server.js'

/** A composition as a model writes it. */
export const WRITTEN = JSON.stringify({
  analysis: 'A short order.',
  predicted: { reward: 0.9, tokens: 20_000, steps: 6 },
  manifest: {
    name: 'written-by-a-model',
    memory: { use: '@harnesswright/seed-react#memory', with: { fill: 0.4 } },
    planning: null,
    capability: null,
    action: { use: '@harnesswright/seed-react#action' },
  },
})

/** What each reply costs. */
export const USAGE = { prompt_tokens: 1_000, completion_tokens: 200, prompt_tokens_details: { cached_tokens: 100 } }

/** An endpoint that says this again and again. */
export async function serveText(content: string): Promise<ChatServer> {
  const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
  const body = { id: 'c', object: 'chat.completion', choices, usage: USAGE }
  return await serveChat([({ body: { stream } }) => ({ body: stream === true ? streamOf([content], USAGE) : body })])
}
