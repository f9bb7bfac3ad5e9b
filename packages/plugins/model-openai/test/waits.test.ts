import { getEventListeners } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Retry } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { createOpenAiModel, type PresetName } from '../src/index.js'
import { withEndpoint } from './support/endpoint.js'
import { ManualClock, skippingClock, until } from './support/manual-clock.js'
import { type AnyBody, answerWith, ask, chunk, errorOf } from './support/wire.js'

const modes = [{ stream: false }, { stream: true }]

/** True once a promise is settled. */
function settledOf(work: Promise<unknown>): () => boolean {
  let isSettled = false
  const settle = (): void => {
    isSettled = true
  }
  work.then(settle, settle)
  return () => isSettled
}

/** The error in which silence after silence ends. */
async function endOf(asked: Promise<AnyBody>, clock: ManualClock): Promise<AnyBody> {
  const isSettled = settledOf(asked)
  while (!isSettled()) {
    await clock.advance(60_000)
    await breath()
  }
  return await asked
}

const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))

test('an endpoint that is silent ends a call with idleMs 1000 within 3 s in both modes, and no line stays open', async () => {
  await withEndpoint(
    () => ({ end: 'silence' }),
    async (endpoint) => {
      await import('openai') // loading it is no silence of an endpoint
      const startMs = performance.now()
      const model = createOpenAiModel({ model: 'm', baseUrl: endpoint.baseUrl, idleMs: 1_000 })
      const errors = await Promise.all(modes.map(({ stream }) => errorOf(ask(model, {}, { stream }))))
      expect(performance.now() - startMs).toBeLessThan(3_000)
      for (const error of errors) {
        expect(error.code).toBe('E_MODEL_TIMEOUT')
        expect(error.details.attempts).toBe(2)
      }
      await until(() => endpoint.openRequests === 0)
    },
  )
})

describe.each(modes)('an endpoint that is silent, stream: $stream', ({ stream }) => {
  test.each<[string, PresetName, number]>([
    ['120 s', 'compatible', 120_000],
    ['600 s where it is local', 'ollama', 600_000],
    ['600 s where it thinks', 'deepseek', 600_000],
  ])('has %s for the first byte', async (_, preset, limitMs) => {
    const clock = new ManualClock()
    await withEndpoint(
      () => ({ end: 'silence' }),
      async (endpoint) => {
        const stop = new AbortController()
        const { baseUrl } = endpoint
        const waits: Retry[] = []
        const onRetry = (retry: Retry): number => waits.push(retry)
        const asked = ask(
          createOpenAiModel({ model: 'm', baseUrl, preset, clock }),
          {},
          { stream, signal: stop.signal, onRetry },
        )
        const isSettled = settledOf(asked)
        await until(() => endpoint.requests.length === 1)
        await clock.advance(limitMs - 1)
        await breath()
        expect(waits).toEqual([])
        expect(endpoint.openRequests).toBe(1)
        await clock.advance(1)
        await until(() => waits.length === 1)
        expect(waits[0]).toMatchObject({ attempt: 2, code: 'E_MODEL_TIMEOUT' })
        await until(() => endpoint.openRequests === 0)
        expect(isSettled()).toBe(false)
        stop.abort(new Error('enough'))
        await errorOf(asked)
        expect(clock.sleeping).toBe(0)
      },
    )
  })

  test('is tried again three times on the defaults', async () => {
    const { clock, onRetry, waits } = skippingClock()
    await withEndpoint(
      () => ({ end: 'silence' }),
      async ({ baseUrl, requests }) => {
        const asked = errorOf(ask(createOpenAiModel({ model: 'm', baseUrl, clock }), {}, { stream, onRetry }))
        for (const attempt of [1, 2, 3, 4]) {
          await until(() => requests.length === attempt)
          await clock.advance(120_000)
        }
        const error = await asked
        expect(error.details).toMatchObject({ attempts: 4, model: 'm' })
        expect(error.message).toContain('120000 ms (waiting for: first byte)')
        expect(waits).toHaveLength(3)
      },
    )
  })

  test('has 60 s between two pieces', async () => {
    const clock = new ManualClock()
    const answer = stream ? { events: [chunk({ content: 'a' })] } : { text: '{"choices":' }
    await withEndpoint(
      () => ({ ...answer, end: 'silence' }),
      async (endpoint) => {
        const waits: Retry[] = []
        const model = createOpenAiModel({ model: 'm', baseUrl: endpoint.baseUrl, clock })
        const asked = errorOf(ask(model, {}, { stream, onRetry: (retry) => waits.push(retry) }))
        await until(() => endpoint.requests.length === 1)
        await breath()
        await clock.advance(59_999)
        await breath()
        expect(waits).toEqual([])
        await clock.advance(1)
        await until(() => waits.length === 1)
        const { code, message } = await endOf(asked, clock)
        expect(code).toBe('E_MODEL_TIMEOUT')
        expect(message).toContain('60000 ms (waiting for: next chunk)')
      },
    )
  })

  test('and refuses in silence ends too', async () => {
    await withEndpoint(
      () => ({ status: 500, text: '{"error":', end: 'silence' }),
      async (endpoint) => {
        const error = await errorOf(
          ask(createOpenAiModel({ model: 'm', baseUrl: endpoint.baseUrl, idleMs: 50 }), {}, { stream }),
        )
        expect(error.code).toBe('E_MODEL_TIMEOUT')
        await until(() => endpoint.openRequests === 0)
      },
    )
  })
})

test('a connection has 10 s', async () => {
  // A server that accepts a line and never says a word of TLS on it.
  const lines = new Set<Socket>()
  const server = createServer((line) => {
    lines.add(line)
    line.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const clock = new ManualClock()
    const waits: Retry[] = []
    const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const model = createOpenAiModel({ model: 'm', baseUrl, clock })
    const asked = errorOf(ask(model, {}, { onRetry: (retry) => waits.push(retry) }))
    await until(() => lines.size === 1)
    await clock.advance(9_999)
    await breath()
    expect(waits).toEqual([])
    await clock.advance(1)
    await until(() => waits.length === 1)
    const { code, message } = await endOf(asked, clock)
    expect(code).toBe('E_MODEL_TIMEOUT')
    expect(message).toContain('10000 ms (waiting for: connect)')
  } finally {
    for (const line of lines) line.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
})

test('a stream that is slow but never silent is read to its end', async () => {
  await withEndpoint(
    () => ({ pieces: slow(['a', 'b', 'c', 'd', 'e', 'f']), pauseMs: 60 }),
    async ({ baseUrl }) => {
      const model = createOpenAiModel({ model: 'm', baseUrl, idleMs: 200 })
      expect((await ask(model, {}, { stream: true })).content).toBe('abcdef')
    },
  )
})

/** Pieces of a stream that takes longer in all than any single wait may. */
function slow(texts: readonly string[]): Uint8Array[] {
  const encoder = new TextEncoder()
  const events = texts.map((text, index) => chunk({ content: text }, index === texts.length - 1 ? 'stop' : null))
  return [...events, '[DONE]'].map((event) =>
    encoder.encode(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`),
  )
}

describe.each(modes)('an abort, stream: $stream', ({ stream }) => {
  test('K36 before the call makes no request', async () => {
    await withEndpoint(
      () => answerWith({ content: 'x' }, { stream }),
      async ({ baseUrl, requests }) => {
        const reason = new Error('not now')
        const error = await errorOf(
          ask(createOpenAiModel({ model: 'm', baseUrl }), {}, { stream, signal: AbortSignal.abort(reason) }),
        )
        expect(error).toBe(reason)
        await breath()
        expect(requests).toEqual([])
      },
    )
  })

  test('K37 reaches the line of the request in flight', async () => {
    await withEndpoint(
      () => (stream ? { events: [chunk({ content: 'a' })], end: 'silence' } : { end: 'silence' }),
      async (endpoint) => {
        const stop = new AbortController()
        const asked = errorOf(
          ask(createOpenAiModel({ model: 'm', baseUrl: endpoint.baseUrl }), {}, { stream, signal: stop.signal }),
        )
        await until(() => endpoint.openRequests === 1)
        await breath()
        const reason = new Error('enough')
        const startMs = performance.now()
        stop.abort(reason)
        expect(await asked).toBe(reason)
        expect(performance.now() - startMs).toBeLessThan(200)
        await until(() => endpoint.openRequests === 0)
      },
    )
  })

  test('ends the wait before another attempt', async () => {
    const clock = new ManualClock()
    await withEndpoint(
      () => ({ status: 503, json: {} }),
      async ({ baseUrl, requests }) => {
        const stop = new AbortController()
        const asked = errorOf(
          ask(createOpenAiModel({ model: 'm', baseUrl, clock }), {}, { stream, signal: stop.signal }),
        )
        await until(() => requests.length === 1 && clock.sleeping === 1)
        const reason = new Error('enough')
        stop.abort(reason)
        expect(await asked).toBe(reason)
        expect(clock.sleeping).toBe(0)
      },
    )
  })

  test('reaches the line of the fetch of Node.js too', async () => {
    await withEndpoint(
      () => (stream ? { events: [chunk({ content: 'a' })], end: 'silence' } : { end: 'silence' }),
      async (endpoint) => {
        const stop = new AbortController()
        const model = createOpenAiModel({ model: 'm', baseUrl: endpoint.baseUrl, fetch: globalThis.fetch })
        const asked = errorOf(ask(model, {}, { stream, signal: stop.signal }))
        await until(() => endpoint.openRequests === 1)
        await breath()
        stop.abort('enough')
        expect(await asked).toBe('enough')
        await until(() => endpoint.openRequests === 0)
      },
    )
  })

  test('is heard although the fetch of the host does not listen', async () => {
    const stop = new AbortController()
    const fetch = (): Promise<Response> => new Promise(() => {})
    const asked = errorOf(
      ask(createOpenAiModel({ model: 'm', baseUrl: 'http://x.invalid', fetch }), {}, { stream, signal: stop.signal }),
    )
    await breath()
    stop.abort('enough')
    expect(await asked).toBe('enough')
  })
})

test('nothing of a stream is handed on after an abort, although the fetch of the host goes on', async () => {
  const deltas: unknown[] = []
  const stop = new AbortController()
  let more: (text: string) => void = () => {}
  let isCancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      more = (text) =>
        controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(chunk({ content: text }))}\n\n`))
    },
    cancel: () => {
      isCancelled = true
    },
  })
  const fetch = async (): Promise<Response> => new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  const model = createOpenAiModel({ model: 'm', baseUrl: 'http://x.invalid', fetch })
  const onDelta = (delta: unknown): unknown => deltas.push(delta)
  const asked = errorOf(ask(model, {}, { stream: true, signal: stop.signal, onDelta }))
  await breath()
  more('a')
  await until(() => deltas.length === 1)
  more('b') // on its way when the abort comes
  stop.abort('enough')
  expect(await asked).toBe('enough')
  await until(() => isCancelled)
  await breath()
  expect(deltas).toEqual([{ text: 'a' }])
})

test('K42 a signal has no more listeners after 50 calls than before', async () => {
  await withEndpoint(
    () => answerWith({ content: 'x' }, { stream: false }),
    async ({ baseUrl }) => {
      const { signal } = new AbortController()
      const model = createOpenAiModel({ model: 'm', baseUrl })
      for (let call = 0; call < 50; call++) await ask(model, {}, { signal })
      expect(getEventListeners(signal, 'abort')).toHaveLength(0)
    },
  )
})
