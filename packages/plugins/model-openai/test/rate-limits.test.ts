import { describe, expect, test } from 'vitest'
import { createOpenAiModel, type OpenAiModelOptions } from '../src/index.js'
import { type Endpoint, withEndpoint } from './support/endpoint.js'
import { ManualClock, until } from './support/manual-clock.js'
import { ask, completion, errorOf } from './support/wire.js'

const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 15))

async function limited(
  limits: NonNullable<OpenAiModelOptions['limits']>,
  check: (made: {
    endpoint: Endpoint
    clock: ManualClock
    model: (more?: object) => ReturnType<typeof createOpenAiModel>
  }) => Promise<void>,
): Promise<void> {
  const clock = new ManualClock()
  await withEndpoint(
    () => ({ json: completion({ content: 'ok' }, 'stop', { usage: { prompt_tokens: 60, completion_tokens: 20 } }) }),
    (endpoint) =>
      check({
        endpoint,
        clock,
        model: (more = {}) =>
          createOpenAiModel({ model: 'm', baseUrl: endpoint.baseUrl, apiKey: 'k', clock, limits, ...more }),
      }),
  )
}

describe('the limit of requests a minute', () => {
  test('lets requests through in the order in which they came, as the minute has room', async () => {
    await limited({ requestsPerMinute: 2 }, async ({ endpoint, clock, model }) => {
      const one = model()
      const asked = [1, 2, 3, 4, 5].map((n) => ask(one, { messages: [{ role: 'user', content: String(n) }] }))
      const sent = (): string[] => endpoint.requests.map(({ body }) => body.messages[0].content).sort()
      await until(() => endpoint.requests.length === 2)
      await breath()
      expect(sent()).toEqual(['1', '2'])
      await clock.advance(59_999)
      await breath()
      expect(endpoint.requests).toHaveLength(2)
      await clock.advance(1)
      await until(() => endpoint.requests.length === 4)
      expect(sent()).toEqual(['1', '2', '3', '4'])
      await breath()
      await clock.advance(60_000)
      const responses = await Promise.all(asked)
      expect(sent()).toEqual(['1', '2', '3', '4', '5'])
      expect(responses.map(({ queuedMs }) => queuedMs)).toEqual([undefined, undefined, 60_000, 60_000, 120_000])
      expect(responses.map(({ metadata }) => metadata)).toEqual(Array(5).fill(undefined))
    })
  })

  test('is shared by all models of the process with one key, address and name, and by no others', async () => {
    await limited({ requestsPerMinute: 1 }, async ({ endpoint, clock, model }) => {
      await ask(model())
      const second = ask(model({ id: 'another id' }))
      await ask(model({ apiKey: 'another key' }))
      await ask(model({ model: 'another name' }))
      await breath()
      expect(endpoint.requests).toHaveLength(3)
      await clock.advance(60_000)
      await second
    })
  })

  test('of several that share it is the smallest', async () => {
    await limited({ requestsPerMinute: 10 }, async ({ endpoint, clock, model }) => {
      const wide = model()
      model({ limits: { requestsPerMinute: 1 } })
      const asked = [ask(wide), ask(wide)]
      await until(() => endpoint.requests.length === 1)
      await breath()
      expect(endpoint.requests).toHaveLength(1)
      await clock.advance(60_000)
      await Promise.all(asked)
    })
  })

  test('lets go of who is aborted, at once and without a request, and the next comes in its place', async () => {
    await limited({ requestsPerMinute: 1 }, async ({ endpoint, clock, model }) => {
      const one = model()
      await ask(one)
      const stop = new AbortController()
      const second = errorOf(ask(one, {}, { signal: stop.signal }))
      const third = ask(one)
      await breath()
      stop.abort('enough')
      expect(await second).toBe('enough')
      await clock.advance(60_000)
      await third
      expect(endpoint.requests).toHaveLength(2)
    })
  })
})

describe('the limit of tokens a minute', () => {
  test('counts what the endpoint counted', async () => {
    await limited({ tokensPerMinute: 200 }, async ({ endpoint, clock, model }) => {
      const one = model()
      await ask(one) // 80 of 200
      await ask(one) // 160 of 200
      const third = ask(one)
      await breath()
      expect(endpoint.requests).toHaveLength(2)
      await clock.advance(60_000)
      await third
    })
  })

  test('lets no small request overtake a large one', async () => {
    await limited({ tokensPerMinute: 200 }, async ({ endpoint, clock, model }) => {
      const one = model()
      await ask(one) // 80 of 200
      const large = ask(one, { messages: [{ role: 'user', content: 'x'.repeat(300) }] })
      const small = ask(one)
      await breath()
      expect(endpoint.requests).toHaveLength(1)
      await clock.advance(60_000)
      await large
      expect(endpoint.requests[1]?.body.messages[0].content).toHaveLength(300)
      await clock.advance(60_000)
      await small
    })
  })

  test('lets a request through that is larger than the limit when nothing else was sent', async () => {
    await limited({ tokensPerMinute: 1 }, async ({ endpoint, model }) => {
      await ask(model())
      expect(endpoint.requests).toHaveLength(1)
    })
  })
})
