import { HarnessError, type Model, type ModelResponse, type Retry } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { createFallbackModel, createOpenAiModel, type FallbackInfo } from '../src/index.js'
import { type Answer, type Received, withEndpoint } from './support/endpoint.js'
import { skippingClock } from './support/manual-clock.js'
import { ask, completion, errorOf } from './support/wire.js'

const fine: Answer = { json: completion({ content: 'fine' }) }
const busy: Answer = { status: 503, json: { error: { message: 'busy' } } }

interface Made {
  readonly list: Model
  readonly asked: () => string[]
  readonly gave: FallbackInfo[]
  readonly waits: readonly Retry[]
  /** Asks the list, with waits that pass at once. */
  askList(signal?: AbortSignal): Promise<ModelResponse>
}

async function listOf(
  names: readonly string[],
  script: (received: Received) => Answer,
  check: (made: Made) => Promise<void>,
): Promise<void> {
  const { clock, onRetry, waits } = skippingClock()
  const gave: FallbackInfo[] = []
  await withEndpoint(script, async ({ baseUrl, requests }) => {
    const models = names.map((model) => createOpenAiModel({ model, baseUrl, clock, random: () => 0 }))
    const list = createFallbackModel(models, { id: 'list', onFallback: (info) => gave.push(info) })
    const askList = (signal?: AbortSignal) => ask(list, {}, { onRetry, ...(signal === undefined ? {} : { signal }) })
    await check({ list, asked: () => requests.map(({ body }) => body.model), gave, waits, askList })
  })
}

describe('a list of models', () => {
  test('asks the first alone as long as it answers', async () => {
    await listOf(
      ['a', 'b'],
      () => fine,
      async ({ list, asked, askList }) => {
        expect((await askList()).content).toBe('fine')
        expect(asked()).toEqual(['a'])
        expect(list.id).toBe('list')
      },
    )
  })

  test.each([
    ['overloaded', busy, 'E_MODEL_OVERLOADED'],
    ['limited in its rate', { status: 429, json: {} }, 'E_MODEL_RATE_LIMIT'],
    ['out of reach', { text: '{', end: 'cut' } as const, 'E_MODEL_TRANSPORT'],
  ])('asks the next when one is %s, and says so', async (_, answer, code) => {
    const script = ({ body }: Received): Answer => (body.model === 'a' ? answer : fine)
    await listOf(['a', 'b'], script, async ({ asked, gave, askList }) => {
      expect((await askList()).content).toBe('fine')
      expect(asked()).toEqual(['a', 'a', 'b'])
      expect(gave).toMatchObject([{ from: 'a', to: 'b', code }])
    })
  })

  test.each([400, 401, 413])('asks no other after %d, which would be the same with every model', async (status) => {
    await listOf(
      ['a', 'b'],
      () => ({ status, json: {} }),
      async ({ asked, gave, askList }) => {
        await errorOf(askList())
        expect(asked()).toEqual(['a'])
        expect(gave).toEqual([])
      },
    )
  })

  test('K46 has five attempts and 120 s of waiting in all, however many models there are', async () => {
    for (const names of [['a'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'c', 'd', 'e']])
      await listOf(
        names,
        () => ({ status: 429, headers: { 'retry-after': '30' }, json: {} }),
        async ({ asked, waits, askList }) => {
          expect((await errorOf(askList())).code).toBe('E_MODEL_RATE_LIMIT')
          expect(asked().length).toBeLessThanOrEqual(5)
          expect(new Set(asked()).size).toBe(names.length)
          expect(waits.reduce((sum, { delayMs }) => sum + delayMs, 0)).toBeLessThanOrEqual(120_000)
          expect(waits.map(({ attempt }) => attempt)).toEqual(
            asked()
              .slice(1)
              .map((_, index) => index + 2),
          )
        },
      )
  })

  test('gives way at once when one asks for a longer wait than its part', async () => {
    const script = ({ body }: Received): Answer =>
      body.model === 'a' ? { status: 429, headers: { 'retry-after': '100' }, json: {} } : fine
    await listOf(['a', 'b'], script, async ({ asked, waits, askList }) => {
      expect((await askList()).content).toBe('fine')
      expect(asked()).toEqual(['a', 'b'])
      expect(waits).toEqual([{ attempt: 2, delayMs: 0, code: 'E_MODEL_RATE_LIMIT' }])
    })
  })

  test('K46 of lists shares the bound too', async () => {
    const { clock, onRetry } = skippingClock()
    await withEndpoint(
      () => busy,
      async ({ baseUrl, requests }) => {
        const model = (name: string): Model => createOpenAiModel({ model: name, baseUrl, clock })
        const list = createFallbackModel([createFallbackModel([model('a'), model('b')]), model('c')])
        await errorOf(ask(list, {}, { onRetry }))
        expect(requests.length).toBeLessThanOrEqual(5)
        expect(requests.at(-1)?.body.model).toBe('c')
      },
    )
  })

  test('K46 counts the attempts that a model of another package announces', async () => {
    const attempts: number[] = []
    const foreign: Model = {
      id: 'foreign',
      supports: {},
      generate: async (_, { onRetry }) => {
        for (const attempt of [2, 3, 4]) onRetry?.({ attempt, delayMs: 1_000, code: 'E_MODEL_OVERLOADED' })
        throw new HarnessError('E_MODEL_OVERLOADED', { message: 'It is busy.' })
      },
    }
    const { clock, onRetry } = skippingClock()
    await withEndpoint(
      () => busy,
      async ({ baseUrl, requests }) => {
        const list = createFallbackModel([foreign, createOpenAiModel({ model: 'b', baseUrl, clock })])
        const told = (retry: Retry): void => {
          attempts.push(retry.attempt)
          onRetry(retry)
        }
        await errorOf(ask(list, {}, { onRetry: told }))
        expect(requests).toHaveLength(1)
        expect(attempts).toEqual([2, 3, 4, 5])
      },
    )
  })

  test('passes on what is odd in a reply', async () => {
    const warnings: string[] = []
    await withEndpoint(
      ({ body }) => (body.model === 'a' ? busy : { json: completion({ content: 'I would write <tool_call>.' }) }),
      async ({ baseUrl }) => {
        const { clock, onRetry } = skippingClock()
        const list = createFallbackModel(['a', 'b'].map((model) => createOpenAiModel({ model, baseUrl, clock })))
        await ask(list, {}, { onRetry, onWarning: (message) => warnings.push(message) })
      },
    )
    expect(warnings).toEqual([expect.stringContaining('marker of a tool call')])
  })

  test('asks no other once it is aborted', async () => {
    const stop = new AbortController()
    const script = (): Answer => {
      stop.abort('enough')
      return busy
    }
    await listOf(['a', 'b'], script, async ({ asked, askList }) => {
      expect(await errorOf(askList(stop.signal))).toBe('enough')
      expect(asked()).toEqual(['a'])
    })
  })

  test('says of itself what holds for every model: the smallest window, what all support, the dearest price', () => {
    const price = { source: 'a page', date: '2026-01-01' }
    const made = (more: object): Model => createOpenAiModel({ model: 'm', baseUrl: 'http://x.invalid', ...more })
    const first = made({
      preset: 'openai',
      contextWindow: 9_000,
      price: { ...price, input: 1, cached: 0.1, output: 5 },
    })
    const second = made({ preset: 'deepseek', contextWindow: 8_000, price: { ...price, input: 2, output: 3 } })
    expect(createFallbackModel([first, second])).toMatchObject({
      contextWindow: 8_000,
      supports: { tools: true, jsonSchema: false, stream: true, parallelToolCalls: false },
      price: { input: 2, cached: 2, output: 5 },
    })
    expect(createFallbackModel([first, made({})]).price).toBeUndefined()
  })

  test('is refused when it is empty or has more models than a call has attempts', () => {
    const model = createOpenAiModel({ model: 'm', baseUrl: 'http://x.invalid' })
    expect(() => createFallbackModel([])).toThrow(expect.objectContaining({ code: 'E_OPENAI_OPTIONS' }))
    expect(() => createFallbackModel(Array(6).fill(model))).toThrow(
      expect.objectContaining({ code: 'E_OPENAI_OPTIONS' }),
    )
  })
})
