import { expect, test } from 'vitest'
import { createOpenAiModel } from '../src/index.js'
import { withEndpoint } from './support/endpoint.js'
import { ask } from './support/wire.js'

const told = (...values: readonly number[]) => ({ content: values.map((logprob) => ({ token: 'x', logprob })) })

test('log-probabilities that the host asks for come as their sum and number, whole or in pieces', async () => {
  const choice = { index: 0, message: { role: 'assistant', content: 'Good day.' }, finish_reason: 'stop' }
  const whole = { choices: [{ ...choice, logprobs: told(-0.5, -1.25) }] }
  const pieces = [
    { choices: [{ index: 0, delta: { content: 'Good' }, logprobs: told(-0.5) }] },
    { choices: [{ index: 0, delta: { content: ' day.' }, logprobs: told(-1.25), finish_reason: 'stop' }] },
  ]
  await withEndpoint(
    ({ body }) => (body.stream === true ? { events: [...pieces, '[DONE]'] } : { json: whole }),
    async ({ baseUrl, requests }) => {
      const model = createOpenAiModel({ model: 'm', baseUrl, body: { logprobs: true } })

      expect(model.supports.logprobs).toBe(true)
      expect((await ask(model)).metadata).toEqual({ logprobs: { sum: -1.75, tokens: 2 } })
      expect((await ask(model, {}, { stream: true })).metadata).toEqual({ logprobs: { sum: -1.75, tokens: 2 } })
      expect(requests[0]?.body).toMatchObject({ logprobs: true })
    },
  )
})

test('without being asked for there are none', async () => {
  const reply = { choices: [{ index: 0, message: { content: 'x' }, finish_reason: 'stop', logprobs: null }] }
  await withEndpoint(
    () => ({ json: reply }),
    async ({ baseUrl }) => {
      const model = createOpenAiModel({ model: 'm', baseUrl })

      expect(model.supports.logprobs).toBeUndefined()
      expect((await ask(model)).metadata).toBeUndefined()
    },
  )
})
