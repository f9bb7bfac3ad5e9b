// The kernel and the seed `react` on the least model there can be, so that kernel and client are told apart.
import { fetchChat, streamFields } from './fetch-chat.mjs'
import { reactRunner } from './react-runner.mjs'
import { catalogs, core, react } from './workspace.mjs'

export const load = () => Promise.all([core(), catalogs(), react()])

export async function setup({ baseUrl, steps, isStream, signal }) {
  const model = {
    id: `mock-${steps}`,
    supports: { tools: true, stream: true },
    async generate({ messages, tools = [] }, { onDelta }) {
      const body = {
        model: `mock-${steps}`,
        messages: messages.map(wireMessage),
        tools: tools.map(({ name, description, parameters }) => {
          return { type: 'function', function: { name, description, parameters } }
        }),
        ...streamFields(onDelta !== undefined),
      }
      const { message, usage } = await fetchChat(baseUrl, body)
      if (message.content) onDelta?.({ text: message.content })
      return responseOf(message, usage)
    },
  }
  return await reactRunner(model, { steps, isStream, signal })
}

function wireMessage({ role, content, toolCalls, callId }) {
  if (role === 'tool') return { role, tool_call_id: callId, content }
  if (toolCalls === undefined) return { role, content }
  const calls = toolCalls.map(({ id, name, arguments: text }) => {
    return { id, type: 'function', function: { name, arguments: text } }
  })
  return { role, content: null, tool_calls: calls }
}

function responseOf({ content, tool_calls: calls }, usage) {
  return {
    content: content ?? '',
    ...(calls === undefined
      ? {}
      : { toolCalls: calls.map(({ id, function: made }) => ({ id, name: made.name, arguments: made.arguments })) }),
    finish: calls === undefined ? 'stop' : 'tool_calls',
    usage: {
      inputTokens: usage.prompt_tokens,
      cachedTokens: usage.prompt_tokens_details.cached_tokens,
      outputTokens: usage.completion_tokens,
      reasoningTokens: 0,
      source: 'known',
    },
  }
}
