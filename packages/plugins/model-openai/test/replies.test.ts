import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import type { Delta } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { createOpenAiModel } from '../src/index.js'
import { withEndpoint } from './support/endpoint.js'
import { until } from './support/manual-clock.js'
import { add, answerWith, ask, chunk, completion, errorOf, USAGE, wireCall } from './support/wire.js'

/** Events as they go over the wire. */
function sseText(events: readonly unknown[]): string {
  return events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')
}

describe.each([{ stream: false }, { stream: true }])('a reply, stream: $stream', ({ stream }) => {
  test('is read with its text, finish and counts, cached and reasoning tokens among them', async () => {
    await withEndpoint(
      () => answerWith({ content: 'Good day.' }, { stream }),
      async ({ baseUrl, requests }) => {
        const response = await ask(createOpenAiModel({ model: 'm', baseUrl, apiKey: 'secret-key' }), {}, { stream })
        expect(response).toEqual({
          content: 'Good day.',
          finish: 'stop',
          usage: { inputTokens: 10, cachedTokens: 4, outputTokens: 5, reasoningTokens: 2, source: 'known' },
        })
        expect(requests).toHaveLength(1)
        expect(requests[0]?.headers.authorization).toBe('Bearer secret-key')
      },
    )
  })

  test('with native calls has them in order with ids, names and the text of their arguments', async () => {
    const calls = [wireCall('c1', 'add', '{"a":1,"b":2}'), wireCall('c2', 'add', '{"a":3,"b":4}')]
    await withEndpoint(
      () => answerWith({ content: null, tool_calls: calls }, { stream }),
      async ({ baseUrl }) => {
        const response = await ask(createOpenAiModel({ model: 'm', baseUrl }), { tools: [add] }, { stream })
        expect(response.content).toBe('')
        expect(response.finish).toBe('tool_calls')
        expect(response.toolCalls).toEqual([
          { id: 'c1', name: 'add', arguments: '{"a":1,"b":2}' },
          { id: 'c2', name: 'add', arguments: '{"a":3,"b":4}' },
        ])
      },
    )
  })

  test('K56 without counts has none: they never become 0', async () => {
    await withEndpoint(
      () => answerWith({ content: 'x' }, { stream, usage: null }),
      async ({ baseUrl }) => {
        const response = await ask(createOpenAiModel({ model: 'm', baseUrl }), {}, { stream })
        expect(response.usage).toBeUndefined()
      },
    )
  })

  test('K56 of which only a part is counted says that the rest is unknown', async () => {
    await withEndpoint(
      () => answerWith({ content: 'x' }, { stream, usage: { prompt_tokens: 7, completion_tokens: null } }),
      async ({ baseUrl }) => {
        const { usage } = await ask(createOpenAiModel({ model: 'm', baseUrl }), {}, { stream })
        expect(usage).toEqual({
          inputTokens: 7,
          cachedTokens: null,
          outputTokens: null,
          reasoningTokens: null,
          source: 'unknown',
        })
      },
    )
  })

  test('K16 that is only reasoning has it as reasoning, and no content', async () => {
    await withEndpoint(
      () => answerWith({ content: '', reasoning: 'The answer is 4.' }, { stream }),
      async ({ baseUrl }) => {
        const response = await ask(createOpenAiModel({ model: 'm', baseUrl }), {}, { stream })
        expect(response).toMatchObject({ content: '', reasoning: 'The answer is 4.', finish: 'stop' })
        expect(response.toolCalls).toBeUndefined()
      },
    )
  })

  test('K31 whose content is null and that calls nothing is an empty reply', async () => {
    await withEndpoint(
      () => answerWith({ content: null }, { stream }),
      async ({ baseUrl }) => {
        const response = await ask(createOpenAiModel({ model: 'm', baseUrl }), {}, { stream })
        expect(response).toMatchObject({ content: '', finish: 'stop' })
      },
    )
  })

  test('K24 with calls that have no id leaves it to the kernel to give them one', async () => {
    const calls = [wireCall(undefined, 'add', '{"a":1,"b":2}'), wireCall(undefined, 'add', '{"a":3,"b":4}')]
    await withEndpoint(
      () => answerWith({ tool_calls: calls }, { stream }),
      async ({ baseUrl }) => {
        const { toolCalls } = await ask(createOpenAiModel({ model: 'm', baseUrl }), { tools: [add] }, { stream })
        expect(toolCalls?.map((call) => [call.id, call.arguments])).toEqual([
          ['', '{"a":1,"b":2}'],
          ['', '{"a":3,"b":4}'],
        ])
      },
    )
  })

  test('K25 with two calls of one id has both', async () => {
    const calls = [wireCall('same', 'add', '{"a":1,"b":2}'), wireCall('same', 'add', '{"a":3,"b":4}')]
    await withEndpoint(
      () => answerWith({ tool_calls: calls }, { stream }),
      async ({ baseUrl }) => {
        const { toolCalls } = await ask(createOpenAiModel({ model: 'm', baseUrl }), { tools: [add] }, { stream })
        expect(toolCalls?.map((call) => call.arguments)).toEqual(['{"a":1,"b":2}', '{"a":3,"b":4}'])
      },
    )
  })

  test('K29 that was cut by its length says so, also with a call that looks whole', async () => {
    const calls = [wireCall('c1', 'add', '{"a":1,"b":2}')]
    await withEndpoint(
      () => answerWith({ tool_calls: calls }, { stream, finish: 'length' }),
      async ({ baseUrl }) => {
        const response = await ask(createOpenAiModel({ model: 'm', baseUrl }), { tools: [add] }, { stream })
        expect(response.finish).toBe('length')
        expect(response.toolCalls).toHaveLength(1)
      },
    )
  })

  test('with arguments that are an object instead of its text has the text', async () => {
    const calls = [{ id: 'c1', function: { name: 'add', arguments: { a: 1, b: 2 } } }]
    await withEndpoint(
      () => answerWith({ tool_calls: calls }, { stream }),
      async ({ baseUrl }) => {
        const { toolCalls } = await ask(createOpenAiModel({ model: 'm', baseUrl }), { tools: [add] }, { stream })
        expect(toolCalls).toEqual([{ id: 'c1', name: 'add', arguments: '{"a":1,"b":2}' }])
      },
    )
  })

  test('that refuses has the refusal as its content', async () => {
    await withEndpoint(
      () => answerWith({ content: null, refusal: 'I will not.' }, { stream }),
      async ({ baseUrl }) => {
        const response = await ask(createOpenAiModel({ model: 'm', baseUrl }), {}, { stream })
        expect(response).toMatchObject({ content: 'I will not.', finish: 'refusal' })
      },
    )
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('that is packed as %s although it was asked not to is read', async (coding, pack) => {
    const { json, events = [] } = answerWith({ content: 'packed' }, { stream })
    const text = stream ? sseText(events) : JSON.stringify(json)
    const type = stream ? 'text/event-stream' : 'application/json'
    await withEndpoint(
      () => ({ pieces: [pack(Buffer.from(text))], headers: { 'content-encoding': coding, 'content-type': type } }),
      async ({ baseUrl, requests }) => {
        expect((await ask(createOpenAiModel({ model: 'm', baseUrl }), {}, { stream })).content).toBe('packed')
        expect(requests[0]?.headers['accept-encoding']).toBe('identity')
      },
    )
  })

  test('tells simulated time only under the preset of the simulated models', async () => {
    const told = { harnesswright: { latency_ms: 1_234 } }
    const script = () =>
      stream
        ? { events: [chunk({ content: 'x' }, 'stop'), { choices: [], ...told }, '[DONE]'] }
        : { json: completion({ content: 'x' }, 'stop', told) }
    await withEndpoint(script, async ({ baseUrl }) => {
      const timeOf = async (preset: 'sim' | 'compatible') =>
        (await ask(createOpenAiModel({ model: 'm', baseUrl, preset }), {}, { stream })).latencyMs
      expect(await timeOf('sim')).toBe(1_234)
      expect(await timeOf('compatible')).toBeUndefined()
    })
  })

  test('comes through the fetch of the host when it gives one', async () => {
    let asked = ''
    const fetch = async (address: string): Promise<Response> => {
      asked = address
      const { json, events = [] } = answerWith({ content: 'hi' }, { stream })
      const text = stream ? sseText(events) : JSON.stringify(json)
      return new Response(text, { headers: { 'content-type': stream ? 'text/event-stream' : 'application/json' } })
    }
    const model = createOpenAiModel({ model: 'm', baseUrl: 'http://nowhere.invalid/v1', fetch })
    expect((await ask(model, {}, { stream })).content).toBe('hi')
    expect(asked).toBe('http://nowhere.invalid/v1/chat/completions')
  })
})

test('pieces of a stream are handed on as they come: texts, reasoning and calls with the names of the tools', async () => {
  const deltas: Delta[] = []
  const events = [
    chunk({ reasoning_content: 'Hm.' }),
    chunk({ content: 'Let ' }),
    chunk({ content: 'me.' }),
    chunk({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'add', arguments: '' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }),
    chunk({}, 'tool_calls'),
    '[DONE]',
  ]
  await withEndpoint(
    () => ({ events }),
    async ({ baseUrl }) => {
      const model = createOpenAiModel({ model: 'm', baseUrl })
      await ask(model, { tools: [add] }, { stream: true, onDelta: (delta) => deltas.push(delta) })
      expect(deltas).toEqual([
        { reasoning: 'Hm.' },
        { text: 'Let ' },
        { text: 'me.' },
        { call: { index: 0, name: 'add' } },
        { call: { index: 0, arguments: '{}' } },
      ])
    },
  )
})

test('what a listener throws ends the call with just that, and is no reason to ask again', async () => {
  const fault = new Error('the fault of the listener')
  const onDelta = (): never => {
    throw fault
  }
  for (const events of [[chunk({ content: 'a' }, 'stop'), '[DONE]'], [chunk({ content: 'a' })]])
    await withEndpoint(
      () => ({ events, end: events.length === 1 ? 'silence' : 'end' }),
      async (endpoint) => {
        const model = createOpenAiModel({ model: 'm', baseUrl: endpoint.baseUrl })
        expect(await errorOf(ask(model, {}, { stream: true, onDelta }))).toBe(fault)
        expect(endpoint.requests).toHaveLength(1)
        await until(() => endpoint.openRequests === 0)
      },
    )
})

test('an endpoint that does not stream when it is asked to is read all the same, and its pieces are handed on', async () => {
  const deltas: Delta[] = []
  await withEndpoint(
    () => ({ json: completion({ content: 'whole' }) }),
    async ({ baseUrl }) => {
      const response = await ask(
        createOpenAiModel({ model: 'm', baseUrl }),
        {},
        { stream: true, onDelta: (delta) => deltas.push(delta) },
      )
      expect(response.content).toBe('whole')
      expect(deltas).toEqual([{ text: 'whole' }])
    },
  )
})

test('an endpoint that streams when it is not asked to is read all the same', async () => {
  await withEndpoint(
    () => ({ events: [chunk({ content: 'streamed' }, 'stop'), '[DONE]'] }),
    async ({ baseUrl }) => {
      expect((await ask(createOpenAiModel({ model: 'm', baseUrl }))).content).toBe('streamed')
    },
  )
})

test('content in parts is read, thoughts as reasoning', async () => {
  const content = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'Hm.' }] },
    { type: 'text', text: 'Yes.' },
  ]
  await withEndpoint(
    () => ({ json: completion({ content }) }),
    async ({ baseUrl }) => {
      expect(await ask(createOpenAiModel({ model: 'm', baseUrl }))).toMatchObject({ content: 'Yes.', reasoning: 'Hm.' })
    },
  )
})

test.each([
  ['DeepSeek', { prompt_tokens: 9, completion_tokens: 3, prompt_cache_hit_tokens: 6, prompt_cache_miss_tokens: 3 }, 6],
  ['the usual place', USAGE, 4],
  ['none', { prompt_tokens: 9, completion_tokens: 3 }, null],
])('cached tokens are read where %s puts them', async (_, usage, cached) => {
  await withEndpoint(
    () => ({ json: completion({ content: 'x' }, 'stop', { usage }) }),
    async ({ baseUrl }) => {
      expect((await ask(createOpenAiModel({ model: 'm', baseUrl }))).usage?.cachedTokens).toBe(cached)
    },
  )
})

test('nothing in the environment is sent: what is for one endpoint is not for another', async () => {
  const names = [
    'OPENAI_API_KEY',
    'OPENAI_ADMIN_KEY',
    'OPENAI_ORG_ID',
    'OPENAI_PROJECT_ID',
    'OPENAI_BASE_URL',
    'OPENAI_LOG',
  ]
  const before = names.map((name) => [name, process.env[name]] as const)
  for (const name of names) process.env[name] = 'of-the-environment'
  try {
    await withEndpoint(
      () => ({ json: completion({ content: 'x' }) }),
      async ({ baseUrl, requests }) => {
        await ask(createOpenAiModel({ model: 'm', baseUrl }))
        expect(JSON.stringify(requests[0]?.headers)).not.toContain('of-the-environment')
      },
    )
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
})

test('nothing is said of this computer, and no key is sent when there is none', async () => {
  await withEndpoint(
    () => ({ json: completion({ content: 'x' }) }),
    async ({ baseUrl, requests }) => {
      await ask(createOpenAiModel({ model: 'm', baseUrl, headers: { 'x-team': 'blue' } }))
      const { headers } = requests[0] as (typeof requests)[0]
      expect(Object.keys(headers).filter((name) => /stainless|authorization|openai-/.test(name))).toEqual([])
      expect(headers['x-team']).toBe('blue')
    },
  )
})
