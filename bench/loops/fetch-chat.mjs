import { takeDelta } from './task.mjs'

/** One request by fetch alone, with nothing that a client adds; gives the message of the reply and its usage. */
export async function fetchChat(baseUrl, body) {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer x' },
    body: JSON.stringify(body),
  })
  if (body.stream === true) return await readEvents(response)
  const { choices, usage } = await response.json()
  return { message: choices[0].message, usage }
}

async function readEvents(response) {
  const decoder = new TextDecoder()
  const message = { role: 'assistant', content: '' }
  let usage
  let text = ''
  for await (const piece of response.body) {
    text += decoder.decode(piece, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = text.slice('data: '.length, end)
      text = text.slice(end + 2)
      if (data === '[DONE]') continue
      const chunk = JSON.parse(data)
      usage = chunk.usage ?? usage
      takeDelta(message, chunk.choices[0]?.delta)
    }
  }
  return { message, usage }
}

/** Fields that ask for a stream with usage at its end. */
export const streamFields = (isStream) => (isStream ? { stream: true, stream_options: { include_usage: true } } : {})
