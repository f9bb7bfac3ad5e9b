import { isHarnessError } from '@harnesswright/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createOpenAiModel, type OpenAiModelOptions } from '../src/index.js'
import { type Answer, type Received, withEndpoint } from './support/endpoint.js'
import { type ManualClock, skippingClock, until } from './support/manual-clock.js'
import { type AnyBody, answerWith, ask, chunk, errorOf } from './support/wire.js'

const KEY = 'sk-very-secret-0123456789'

interface Outcome {
  readonly error: AnyBody
  readonly content: string | undefined
  readonly requests: readonly Received[]
  readonly delays: readonly number[]
}

/** Asks once, with waits that pass at once, and tells what came of it. */
async function outcomeOf(
  script: (received: Received) => Answer,
  { stream = false, ...options }: Partial<OpenAiModelOptions> & { stream?: boolean } = {},
): Promise<Outcome> {
  const { clock, onRetry, waits } = skippingClock()
  let outcome: Outcome | undefined
  await withEndpoint(script, async ({ baseUrl, requests }) => {
    const model = createOpenAiModel({ model: 'm', baseUrl, apiKey: KEY, clock, random: () => 0.5, ...options })
    let error: AnyBody
    const response = await ask(model, {}, { stream, onRetry }).catch((thrown) => {
      error = thrown
      return undefined
    })
    outcome = { error, content: response?.content, requests, delays: waits.map((wait) => wait.delayMs) }
  })
  return outcome as Outcome
}

const refusal = (status: number, error: object = { message: 'no' }, headers: Record<string, string> = {}): Answer => {
  return { status, headers, json: { error } }
}

const modes = [{ stream: false }, { stream: true }]

describe.each(modes)('a refusal, stream: $stream', ({ stream }) => {
  test.each<[string, Answer, string]>([
    ['401', refusal(401, { message: 'Incorrect API key' }), 'E_MODEL_AUTH'],
    ['403', refusal(403, { message: 'Not allowed in your region' }), 'E_MODEL_AUTH'],
    ['400', refusal(400, { message: 'Unknown parameter: x' }), 'E_MODEL_BAD_REQUEST'],
    ['400 about max_tokens', refusal(400, { message: 'max_tokens is too large: at most 4096' }), 'E_MODEL_BAD_REQUEST'],
    ['404', refusal(404, { message: 'The model does not exist' }), 'E_MODEL_BAD_REQUEST'],
    ['422', refusal(422, { message: 'invalid' }), 'E_MODEL_BAD_REQUEST'],
    ['400 about a key', refusal(400, { message: 'API key not valid. Please pass a valid API key.' }), 'E_MODEL_AUTH'],
    ['400 about letters', refusal(400, { message: 'Model names are case-sensitive.' }), 'E_MODEL_BAD_REQUEST'],
    ['redirect', { status: 302, headers: { location: '/elsewhere' } }, 'E_MODEL_BAD_REQUEST'],
    ['filter by code', refusal(400, { message: 'x', code: 'content_filter' }), 'E_MODEL_CONTENT_FILTER'],
    ['filter of DeepSeek', refusal(400, { message: 'Content Exists Risk' }), 'E_MODEL_CONTENT_FILTER'],
    ['filter of Qwen', refusal(400, { message: 'x', code: 'data_inspection_failed' }), 'E_MODEL_CONTENT_FILTER'],
    ['overflow by code', refusal(400, { message: 'x', code: 'context_length_exceeded' }), 'E_MODEL_CONTEXT_OVERFLOW'],
    [
      'overflow of vLLM, not in "error"',
      { status: 400, json: { object: 'error', message: "This model's maximum context length is 4096 tokens." } },
      'E_MODEL_CONTEXT_OVERFLOW',
    ],
    [
      'overflow of llama.cpp',
      refusal(400, { message: 'the request exceeds the available context size', type: 'exceed_context_size_error' }),
      'E_MODEL_CONTEXT_OVERFLOW',
    ],
    [
      'overflow of Qwen',
      refusal(400, { message: 'Range of input length should be [1, 30720]' }),
      'E_MODEL_CONTEXT_OVERFLOW',
    ],
    ['413', { status: 413, text: 'Request Entity Too Large' }, 'E_MODEL_CONTEXT_OVERFLOW'],
    [
      'web page with 200',
      { text: '<html>Log in</html>', headers: { 'content-type': 'text/html' } },
      'E_MODEL_BAD_REQUEST',
    ],
    ['something else with 200', { json: { status: 'ok' } }, 'E_MODEL_BAD_REQUEST'],
  ])('%s is not tried again', async (_, answer, code) => {
    const { error, requests } = await outcomeOf(() => answer, { stream })
    expect(error.code).toBe(code)
    expect(isHarnessError(error)).toBe(true)
    expect(requests).toHaveLength(1)
    expect(error.details.attempts).toBe(1)
  })

  test.each<[number, string, string]>([
    [500, 'oops', 'E_MODEL_OVERLOADED'],
    [502, 'bad gateway', 'E_MODEL_OVERLOADED'],
    [503, 'busy', 'E_MODEL_OVERLOADED'],
    [529, 'overloaded', 'E_MODEL_OVERLOADED'],
    [429, 'The engine is currently overloaded', 'E_MODEL_OVERLOADED'],
    [504, 'gateway timeout', 'E_MODEL_TIMEOUT'],
    [408, 'request timeout', 'E_MODEL_TIMEOUT'],
  ])('%d %s is tried again three times, with jitter', async (status, message, code) => {
    const { error, requests, delays } = await outcomeOf(() => refusal(status, { message }), { stream })
    expect(error.code).toBe(code)
    expect(requests).toHaveLength(4)
    expect(delays).toEqual([750, 1_500, 3_000])
    expect(error.details).toMatchObject({ attempts: 4, waitedMs: 5_250, status })
  })

  test('500 once is a reply after one wait', async () => {
    const script = ({ index }: Received): Answer =>
      index === 0 ? refusal(500, { message: 'oops' }) : answerWith({ content: 'fine' }, { stream })
    const { content, requests } = await outcomeOf(script, { stream })
    expect(content).toBe('fine')
    expect(requests).toHaveLength(2)
    expect(requests[1]?.body).toEqual(requests[0]?.body)
  })

  test('of the rate without a wait is tried again after 1, 2, 4 and 8 s', async () => {
    const { error, requests, delays } = await outcomeOf(() => refusal(429, { message: 'slow down' }), { stream })
    expect(error.code).toBe('E_MODEL_RATE_LIMIT')
    expect(delays).toEqual([1_000, 2_000, 4_000, 8_000])
    expect(requests).toHaveLength(5)
  })

  test.each<[string, Answer, number]>([
    ['Retry-After in seconds', refusal(429, {}, { 'retry-after': '2' }), 2_000],
    ['Retry-After in parts of a second', refusal(429, {}, { 'retry-after': '0.5' }), 500],
    ['retry-after-ms', refusal(429, {}, { 'retry-after-ms': '20', 'retry-after': '9' }), 20],
    ['Retry-After as a date', refusal(429, {}, { 'retry-after': new Date(1_005_000).toUTCString() }), 5_000],
    ['K43 retry_after_seconds in the error', refusal(429, { message: 'x', retry_after_seconds: 7 }), 7_000],
    ['K43 retry_after_seconds at the top', { status: 429, json: { retry_after_seconds: '3' } }, 3_000],
    ['K43 retry_after in metadata', refusal(429, { message: 'x', metadata: { retry_after: 1.5 } }), 1_500],
    [
      'K43 retryDelay some levels below',
      refusal(429, { details: [{ '@type': 'RetryInfo', retryDelay: '6s' }] }),
      6_000,
    ],
    ['K43 a message', refusal(429, { message: 'Rate limit reached. Please try again in 1.5s.' }), 1_500],
    ['K43 a message in ms', refusal(429, { message: 'Try again in 20 ms' }), 20],
    ['a gateway that timed out and says so', refusal(504, {}, { 'retry-after': '30' }), 30_000],
    ['an overloaded endpoint that says so', refusal(503, {}, { 'retry-after': '4' }), 4_000],
  ])('waits as long as %s says', async (_, answer, delayMs) => {
    const script = ({ index }: Received): Answer => (index === 0 ? answer : answerWith({ content: 'ok' }, { stream }))
    const { content, delays } = await outcomeOf(script, { stream })
    expect(delays).toEqual([delayMs])
    expect(content).toBe('ok')
  })

  test('that asks for a longer wait than a call has ends it at once, and says how long', async () => {
    const { error, requests, delays } = await outcomeOf(() => refusal(429, {}, { 'retry-after': '3600' }), { stream })
    expect(delays).toEqual([])
    expect(requests).toHaveLength(1)
    expect(error.details.retryAfterMs).toBe(3_600_000)
  })

  test('never lets a call wait more than 120 s in all', async () => {
    const { error, delays } = await outcomeOf(() => refusal(429, {}, { 'retry-after': '50' }), { stream })
    expect(delays).toEqual([50_000, 50_000])
    expect(error.details).toMatchObject({ attempts: 3, waitedMs: 100_000 })
  })

  test('K46 of a quota that is used up is not tried again', async () => {
    const answer = refusal(429, { message: 'You exceeded your current quota', code: 'insufficient_quota' })
    const { error, requests } = await outcomeOf(() => answer, { stream })
    expect(error.code).toBe('E_MODEL_RATE_LIMIT')
    expect(error.hint).toMatch(/quota|balance/)
    expect(requests).toHaveLength(1)
  })

  test('never shows the key, wherever the endpoint puts it', async () => {
    const answer = refusal(401, { message: `Bad key ${KEY}`, code: KEY, type: KEY }, { 'x-request-id': KEY })
    const { error } = await outcomeOf(() => answer, { stream, headers: { 'x-other': `Token ${KEY}2` } })
    const shown = [
      error.message,
      error.stack,
      error.hint,
      JSON.stringify(error),
      JSON.stringify(error.details),
      String(error.cause),
    ]
    expect(shown.join('\n')).not.toContain(KEY)
    expect(error.message).toContain('[redacted]')
  })
})

describe('a refusal inside a stream', () => {
  let unhandled: unknown[] = []
  const keep = (reason: unknown): number => unhandled.push(reason)
  beforeEach(() => {
    unhandled = []
    process.on('unhandledRejection', keep)
  })
  afterEach(() => {
    process.off('unhandledRejection', keep)
  })

  test('K45 of the rate is tried again, and no rejection stays unhandled', async () => {
    const { error, requests } = await outcomeOf(
      () => ({ events: [chunk({ content: 'a' }), { error: { message: 'Rate limit reached', code: 429 } }] }),
      { stream: true },
    )
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(error.code).toBe('E_MODEL_RATE_LIMIT')
    expect(requests).toHaveLength(5)
    expect(unhandled).toEqual([])
  })

  test.each([
    [{ message: 'Rate limit reached', type: 'rate_limit_error' }, 'E_MODEL_RATE_LIMIT'],
    [{ message: 'The server had an error' }, 'E_MODEL_OVERLOADED'],
    [{ message: 'maximum context length is 10 tokens', code: 400 }, 'E_MODEL_CONTEXT_OVERFLOW'],
    ['plain words', 'E_MODEL_OVERLOADED'],
  ])('%j is %s', async (said, code) => {
    expect((await outcomeOf(() => ({ events: [{ error: said }] }), { stream: true })).error.code).toBe(code)
    expect((await outcomeOf(() => ({ json: { error: said } }))).error.code).toBe(code)
  })

  test('closes its line, which the endpoint leaves open', async () => {
    const { clock } = skippingClock()
    await withEndpoint(
      () => ({ events: [{ error: { message: 'no', code: 400 } }], end: 'silence' }),
      async (endpoint) => {
        await errorOf(ask(createOpenAiModel({ model: 'm', baseUrl: endpoint.baseUrl, clock }), {}, { stream: true }))
        await until(() => endpoint.openRequests === 0)
      },
    )
  })

  test('a chunk that is no JSON is a broken line', async () => {
    expect((await outcomeOf(() => ({ events: ['{"choices":[{'] }), { stream: true })).error.code).toBe(
      'E_MODEL_TRANSPORT',
    )
  })

  test.each([
    ['content_filter', 'E_MODEL_CONTENT_FILTER'],
    ['insufficient_system_resource', 'E_MODEL_OVERLOADED'],
    ['network_error', 'E_MODEL_TRANSPORT'],
  ])('a reply that ends with %s is %s', async (finish, code) => {
    for (const { stream } of modes)
      expect((await outcomeOf(() => answerWith({ content: '' }, { stream, finish }), { stream })).error.code).toBe(code)
  })
})

test('an endpoint that has moved says where to', async () => {
  const { error } = await outcomeOf(() => ({ status: 308, headers: { location: 'https://new.example/v1' } }))
  expect(error).toMatchObject({
    code: 'E_MODEL_BAD_REQUEST',
    message: expect.stringContaining('https://new.example/v1'),
  })
  expect(error.hint).toMatch(/base URL/)
})

test('a body that is cut is a broken line, and tried again', async () => {
  const { error, requests } = await outcomeOf(() => ({ text: '{"choices":[{"mess', end: 'cut' }))
  expect(error.code).toBe('E_MODEL_TRANSPORT')
  expect(requests).toHaveLength(4)
})

test('a refused connection is tried again twice, and its address is named', async () => {
  const { clock, onRetry, waits } = skippingClock()
  let address = ''
  await withEndpoint(
    () => ({}),
    async ({ baseUrl }) => {
      address = baseUrl
    },
  )
  const error = await errorOf(ask(createOpenAiModel({ model: 'm', baseUrl: address, clock }), {}, { onRetry }))
  expect(error.code).toBe('E_MODEL_TRANSPORT')
  expect(error.message).toContain(address)
  expect(error.details).toMatchObject({ isRefused: true, attempts: 3 })
  expect(waits).toHaveLength(2)
})

test('under sim all attempts of a call have one idempotency key, and no two calls the same', async () => {
  const { clock, onRetry } = skippingClock()
  await withEndpoint(
    ({ index }) => (index === 0 ? refusal(503) : answerWith({ content: 'ok' }, { stream: false })),
    async ({ baseUrl, requests }) => {
      const model = createOpenAiModel({ model: 'm', baseUrl, preset: 'sim', clock })
      await ask(model, {}, { onRetry })
      await ask(model, {}, { onRetry })
      await ask(createOpenAiModel({ model: 'm', baseUrl }))
      const [first, again, next, other] = requests.map(({ headers }) => headers['idempotency-key'])
      expect(first).toMatch(/^[\w-]{16,}$/)
      expect(again).toBe(first)
      expect(next).not.toBe(first)
      expect(other).toBeUndefined()
    },
  )
})

test('K44 the wait that is announced is the wait that is made', async () => {
  const { clock, waits } = skippingClock()
  await withEndpoint(
    ({ index }) =>
      index === 0 ? refusal(429, { retry_after_seconds: 5 }) : answerWith({ content: 'ok' }, { stream: false }),
    async ({ baseUrl, requests }) => {
      const model = createOpenAiModel({ model: 'm', baseUrl, clock })
      const asked = ask(model, {}, { onRetry: (retry) => waits.push(retry) })
      await until(() => waits.length === 1 && clock.sleeping === 1)
      expect(waits[0]).toEqual({ attempt: 2, delayMs: 5_000, code: 'E_MODEL_RATE_LIMIT' })
      await (clock as ManualClock).advance(4_999)
      await new Promise((resolve) => setTimeout(resolve, 20))
      expect(requests).toHaveLength(1)
      await clock.advance(1)
      expect((await asked).content).toBe('ok')
      expect(requests).toHaveLength(2)
    },
  )
})
