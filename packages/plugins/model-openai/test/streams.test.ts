import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createOpenAiModel } from '../src/index.js'
import { withEndpoint } from './support/endpoint.js'
import { ManualClock, skippingClock, until } from './support/manual-clock.js'
import { add, ask, chunk, errorOf, USAGE, wireCall } from './support/wire.js'

/** Asks once for the stream of these events, and gives the response. */
async function streamed(events: readonly unknown[], onWarning: (message: string) => void = () => {}) {
  let response: Awaited<ReturnType<typeof ask>> | undefined
  await withEndpoint(
    () => ({ events }),
    async ({ baseUrl }) => {
      response = await ask(createOpenAiModel({ model: 'm', baseUrl }), { tools: [add] }, { stream: true, onWarning })
    },
  )
  return response
}

describe('a stream', () => {
  test('K57 is asked for its usage', async () => {
    await withEndpoint(
      () => ({ events: [chunk({ content: 'x' }, 'stop'), '[DONE]'] }),
      async ({ baseUrl, requests }) => {
        await ask(createOpenAiModel({ model: 'm', baseUrl }), {}, { stream: true })
        await ask(createOpenAiModel({ model: 'm', baseUrl, streamUsage: false }), {}, { stream: true })
        expect(requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } })
        expect(requests[1]?.body.stream).toBe(true)
        expect(requests[1]?.body).not.toHaveProperty('stream_options')
      },
    )
  })

  test('K58 counts its usage once when its first and its last chunk carry it', async () => {
    const first = { prompt_tokens: 10, completion_tokens: 0, total_tokens: 10 }
    const response = await streamed([
      chunk({ content: 'a' }, null, { usage: first }),
      chunk({ content: 'b' }, 'stop', { usage: { ...first, completion_tokens: 1 } }),
      { choices: [], usage: USAGE },
      '[DONE]',
    ])
    expect(response?.usage).toMatchObject({ inputTokens: 10, outputTokens: 5, source: 'known' })
  })

  test('K58 whose first chunk counts the input and whose last one the output has both', async () => {
    const response = await streamed([
      chunk({ content: 'a' }, null, { usage: { prompt_tokens: 10, completion_tokens: null } }),
      chunk({}, 'stop', { usage: { prompt_tokens: null, completion_tokens: 5 } }),
      '[DONE]',
    ])
    expect(response?.usage).toMatchObject({ inputTokens: 10, outputTokens: 5, source: 'known' })
  })

  test('has its usage in a chunk whose choices are null', async () => {
    const response = await streamed([
      { choices: null },
      chunk({ content: 'x' }),
      { choices: null, usage: USAGE },
      chunk({}, 'stop'),
      '[DONE]',
    ])
    expect(response).toMatchObject({ content: 'x', usage: { inputTokens: 10, cachedTokens: 4, outputTokens: 5 } })
  })

  test('ends without [DONE] once it has said why it stopped', async () => {
    expect(await streamed([chunk({ content: 'no done' }), chunk({}, 'stop')])).toMatchObject({ content: 'no done' })
  })

  test('ends with [DONE] without having said why it stopped', async () => {
    expect(await streamed([chunk({ content: 'x' }), '[DONE]'])).toMatchObject({ content: 'x', finish: 'stop' })
    expect(await streamed([chunk({ tool_calls: [wireCall('c', 'add', '{}')] }), '[DONE]'])).toMatchObject({
      finish: 'tool_calls',
    })
  })

  test('K17 with two calls at index 0 has two calls', async () => {
    const response = await streamed([
      chunk({ tool_calls: [{ index: 0, ...wireCall('ca', 'add', '{"a":1,"b":2}') }] }),
      chunk({ tool_calls: [{ index: 0, ...wireCall('cb', 'add', '{"a":3,"b":4}') }] }),
      chunk({}, 'tool_calls'),
      '[DONE]',
    ])
    expect(response?.toolCalls?.map((call) => call.id)).toEqual(['ca', 'cb'])
  })

  test('that is cut is read again, up to three times, and is then a broken line', async () => {
    const { clock, onRetry, waits } = skippingClock()
    await withEndpoint(
      () => ({ events: [chunk({ content: 'partial ' })], end: 'cut' }),
      async ({ baseUrl, requests }) => {
        const model = createOpenAiModel({ model: 'm', baseUrl, clock })
        const error = await errorOf(ask(model, {}, { stream: true, onRetry }))
        expect(error.code).toBe('E_MODEL_TRANSPORT')
        expect(requests).toHaveLength(4)
        expect(waits.map((wait) => wait.code)).toEqual(Array(3).fill('E_MODEL_TRANSPORT'))
      },
    )
  })

  test('that is cut once is whole the second time, with nothing of the first in it', async () => {
    const { clock, onRetry } = skippingClock()
    await withEndpoint(
      ({ index }) =>
        index === 0
          ? { events: [chunk({ content: 'partial ' })], end: 'cut' }
          : { events: [chunk({ content: 'whole' }, 'stop'), '[DONE]'] },
      async ({ baseUrl }) => {
        const model = createOpenAiModel({ model: 'm', baseUrl, clock })
        expect((await ask(model, {}, { stream: true, onRetry })).content).toBe('whole')
      },
    )
  })

  test('that ends in good order but before the reply does is cut all the same', async () => {
    const { clock, onRetry } = skippingClock()
    await withEndpoint(
      () => ({ events: [chunk({ content: 'partial ' })] }),
      async ({ baseUrl }) => {
        const model = createOpenAiModel({ model: 'm', baseUrl, clock })
        expect((await errorOf(ask(model, {}, { stream: true, onRetry }))).code).toBe('E_MODEL_TRANSPORT')
      },
    )
  })

  test('whose line is cut after it has said why it stopped is whole', async () => {
    await withEndpoint(
      () => ({ events: [chunk({ content: 'whole' }, 'stop')], end: 'cut' }),
      async ({ baseUrl }) => {
        expect((await ask(createOpenAiModel({ model: 'm', baseUrl }), {}, { stream: true })).content).toBe('whole')
      },
    )
  })

  test('that is silent after it has said why it stopped is whole after 5 s, and its line is closed', async () => {
    const clock = new ManualClock()
    await withEndpoint(
      () => ({ events: [chunk({ content: 'whole' }, 'stop')], end: 'silence' }),
      async (endpoint) => {
        const deltas: unknown[] = []
        const model = createOpenAiModel({ model: 'm', baseUrl: endpoint.baseUrl, clock })
        const asked = ask(model, {}, { stream: true, onDelta: (delta) => deltas.push(delta) })
        await until(() => deltas.length === 1)
        await clock.advance(4_999)
        expect(endpoint.openRequests).toBe(1)
        await clock.advance(1)
        expect(await asked).toEqual({ content: 'whole', finish: 'stop' })
        await until(() => endpoint.openRequests === 0)
        expect(endpoint.requests).toHaveLength(1)
      },
    )
  })

  test('that says that it is over, and is silent then, is whole at once, and its line is closed after 1 s', async () => {
    const clock = new ManualClock()
    await withEndpoint(
      () => ({ events: [chunk({ content: 'whole' }, 'stop'), '[DONE]'], end: 'silence' }),
      async (endpoint) => {
        const model = createOpenAiModel({ model: 'm', baseUrl: endpoint.baseUrl, clock })
        expect((await ask(model, {}, { stream: true })).content).toBe('whole')
        await clock.advance(999)
        await new Promise((resolve) => setTimeout(resolve, 10))
        expect(endpoint.openRequests).toBe(1)
        await clock.advance(1)
        await until(() => endpoint.openRequests === 0)
        expect(clock.sleeping).toBe(0)
      },
    )
  })

  test('leaves its line for the next request when it is over', async () => {
    await withEndpoint(
      () => ({ events: [chunk({ content: 'x' }, 'stop'), '[DONE]'] }),
      async (endpoint) => {
        const model = createOpenAiModel({ model: 'm', baseUrl: endpoint.baseUrl })
        for (let turn = 0; turn < 5; turn++) {
          await ask(model, {}, { stream: true })
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
        expect(endpoint.connections).toBe(1)
      },
    )
  })
})

describe('a warning', () => {
  const call = (index: number, id: string) =>
    chunk({ tool_calls: [{ index, ...wireCall(id, 'add', '{"a":1,"b":2}') }] })
  const warningsOf = async (events: readonly unknown[]): Promise<readonly string[]> => {
    const warnings: string[] = []
    await streamed(events, (message) => warnings.push(message))
    return warnings
  }

  test('tells of calls that were told apart although they came under one index', async () => {
    expect(await warningsOf([call(0, 'a'), call(0, 'b'), chunk({}, 'tool_calls'), '[DONE]'])).toEqual([
      expect.stringContaining('mixed up the indices'),
    ])
  })

  test('tells of the tail of a call that came under the index of another', async () => {
    const head = chunk({ tool_calls: [{ index: 0, ...wireCall('a', 'add', '{"a":1,') }] })
    const tail = chunk({ tool_calls: [{ index: 1, function: { arguments: '"b":2}' } }] })
    expect(await warningsOf([head, tail, chunk({}, 'tool_calls'), '[DONE]'])).toHaveLength(1)
  })

  test('tells of a stream that did not say why it stopped', async () => {
    expect(await warningsOf([chunk({ content: 'x' }), '[DONE]'])).toEqual([expect.stringContaining('not why')])
  })

  test('is not given of a stream in good order, nor of one without an index, an id or [DONE]', async () => {
    expect(await warningsOf([call(0, 'a'), call(1, 'b'), chunk({}, 'tool_calls'), '[DONE]'])).toEqual([])
    const bare = chunk({ tool_calls: [wireCall(undefined, 'add', '{}')] })
    expect(await warningsOf([bare, chunk({}, 'tool_calls')])).toEqual([])
  })

  test('tells of a stream that broke off when all of its reply was there', async () => {
    const warnings: string[] = []
    await withEndpoint(
      () => ({ events: [chunk({ content: 'whole' }, 'stop')], end: 'cut' }),
      async ({ baseUrl }) => {
        const onWarning = (message: string): number => warnings.push(message)
        await ask(createOpenAiModel({ model: 'm', baseUrl }), {}, { stream: true, onWarning })
      },
    )
    expect(warnings).toEqual([expect.stringContaining('broke off')])
  })
})

test('K22 the response does not depend on where the bytes of a stream are split', async () => {
  const text = 'こんにちは世界🌍完了'
  const events = [
    chunk({ role: 'assistant', reasoning_content: '考え🤔' }),
    chunk({ content: text }),
    chunk({ tool_calls: [{ index: 0, ...wireCall('c1', 'add', '{"a":"🌍') }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '界"}' } }] }),
    chunk({}, 'tool_calls'),
    { choices: null, usage: USAGE },
    '[DONE]',
  ]
  const stream = events.map(
    (event) => `: still here\ndata: ${typeof event === 'string' ? event : JSON.stringify(event)}\r\n\r\n`,
  )
  const bytes = new TextEncoder().encode(stream.join(''))
  let pieces: Uint8Array[] = []
  await withEndpoint(
    () => ({ pieces }),
    async ({ baseUrl }) => {
      const model = createOpenAiModel({ model: 'm', baseUrl })
      const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 30 })
      await fc.assert(
        fc.asyncProperty(sizes, async (cuts) => {
          pieces = splitBytes(bytes, cuts)
          expect(await ask(model, { tools: [add] }, { stream: true })).toEqual({
            content: text,
            reasoning: '考え🤔',
            toolCalls: [{ id: 'c1', name: 'add', arguments: '{"a":"🌍界"}' }],
            finish: 'tool_calls',
            usage: { inputTokens: 10, cachedTokens: 4, outputTokens: 5, reasoningTokens: 2, source: 'known' },
          })
        }),
        { numRuns: 60 },
      )
      pieces = splitBytes(bytes, [7])
      expect((await ask(model, {}, { stream: true })).content).toBe(text)
    },
  )
})

/** The bytes in pieces of these sizes, over and over. */
function splitBytes(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] as number
    pieces.push(bytes.subarray(at, at + size))
    at += size
  }
  return pieces
}
