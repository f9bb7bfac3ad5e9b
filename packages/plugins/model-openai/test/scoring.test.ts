import { describe, expect, test } from 'vitest'
import { createOpenAiModel, PRESETS } from '../src/index.js'
import type { TextScoring } from '../src/scoring/text-scorer.js'
import { type Answer, type Endpoint, type Received, type Script, withEndpoint } from './support/endpoint.js'

/** Ids of the tokens of a text: of its words, as no server is asked here. */
const idsOf = (text: string): readonly number[] => text.split(' ').map((word) => 1_000 + word.length)
/** What the chat template makes of the messages. */
const PROMPT = [1, 7, 7, 2]
const LOGPROBS = [-0.5, -1.25, -0.25]

/** Answers as the documents of vLLM say. No real one was met. */
function vllm({ path, body }: Received): Answer {
  if (path === '/tokenize') {
    const tokens = body.messages === undefined ? idsOf(body.prompt) : PROMPT
    return { json: { count: tokens.length, max_model_len: 4_096, tokens } }
  }
  const places = (body.prompt as readonly number[]).map((id, at) => {
    const logprob = LOGPROBS[at - PROMPT.length] ?? -9
    return at === 0 ? null : { [id]: { logprob, rank: 1, decoded_token: 'x' } }
  })
  const choice = { index: 0, text: 'y', finish_reason: 'length', logprobs: null, prompt_logprobs: places }
  return { json: { choices: [choice], usage: { prompt_tokens: body.prompt.length, completion_tokens: 1 } } }
}

/** Answers as the documents of SGLang say. No real one was met. */
function sglang({ path, body }: Received): Answer {
  if (path === '/tokenize') return { json: { tokens: idsOf(body.prompt), count: 3, max_model_len: 4_096 } }
  if (path === '/v1/chat/completions') {
    const choice = { index: 0, message: { role: 'assistant', content: 'y' }, finish_reason: 'length' }
    const usage = { prompt_tokens: PROMPT.length, completion_tokens: 1 }
    return { json: { choices: [{ ...choice, prompt_token_ids: PROMPT }], usage } }
  }
  const ids = body.input_ids as readonly number[]
  const from = body.logprob_start_len as number
  const places = ids.slice(from).map((id, at) => [at === 0 ? null : LOGPROBS[at - 1], id, null])
  const told = { prompt_tokens: ids.length, completion_tokens: 1, cached_tokens: 3, input_token_logprobs: places }
  return { json: { text: 'y', meta_info: told } }
}

const request = {
  purpose: 'score',
  messages: [{ role: 'user', content: 'Say it.' }],
  schema: { title: 'reply', type: 'object' },
  maxTokens: 500,
} as const
const TEXT = 'one three seventh'

function scorerAt({ baseUrl }: Pick<Endpoint, 'baseUrl'>, preset: 'vllm' | 'sglang', more: object = {}): TextScoring {
  return createOpenAiModel({ model: 'm', baseUrl, preset, apiKey: 'secret-of-host', ...more }) as TextScoring
}

const signal = new AbortController().signal
const score = (of: TextScoring, text = TEXT) => of.scoreText(request, text, { signal })

describe('how likely a model finds a text', () => {
  test('is asked of vLLM by the tokens of the chat template and those of the text', async () => {
    await withEndpoint(vllm, async (endpoint) => {
      const usage = { inputTokens: 7, cachedTokens: null, outputTokens: 1, reasoningTokens: null, source: 'known' }

      expect(await score(scorerAt(endpoint, 'vllm'))).toEqual({ sum: -2, tokens: 3, usage })
      expect(endpoint.requests.map(({ path }) => path)).toEqual(['/tokenize', '/tokenize', '/v1/completions'])
      expect(endpoint.requests.map(({ body }) => body)).toEqual([
        { model: 'm', messages: request.messages, add_generation_prompt: true },
        { model: 'm', prompt: TEXT, add_special_tokens: false },
        { model: 'm', prompt: [...PROMPT, ...idsOf(TEXT)], max_tokens: 1, temperature: 0, prompt_logprobs: 0 },
      ])
      expect(endpoint.requests.every(({ headers }) => headers.authorization === 'Bearer secret-of-host')).toBe(true)
    })
  })

  test('is asked of SGLang by the tokens that a chat completion tells, and of its own interface', async () => {
    await withEndpoint(sglang, async (endpoint) => {
      const usage = { inputTokens: 11, cachedTokens: 3, outputTokens: 2, reasoningTokens: null, source: 'known' }

      expect(await score(scorerAt(endpoint, 'sglang'))).toEqual({ sum: -2, tokens: 3, usage })
      expect(endpoint.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/tokenize', '/generate'])
      expect(endpoint.requests[0]?.body).toEqual({
        model: 'm',
        messages: request.messages,
        max_tokens: 1,
        temperature: 0,
        return_prompt_token_ids: true,
      })
      expect(endpoint.requests[2]?.body).toEqual({
        input_ids: [...PROMPT, ...idsOf(TEXT)],
        sampling_params: { max_new_tokens: 1, temperature: 0 },
        return_logprob: true,
        logprob_start_len: 3,
      })
    })
  })

  test.each([
    ['vllm', vllm],
    ['sglang', sglang],
  ] as const)('asks %s for the tokens of a prompt once, for all texts after it', async (preset, script) => {
    await withEndpoint(script, async (endpoint) => {
      const scorer = scorerAt(endpoint, preset)
      await score(scorer)
      await score(scorer, 'a b c')

      expect(endpoint.requests.filter(({ body }) => body.messages !== undefined)).toHaveLength(1)
    })
  })

  test('passes on what the host says of the chat template', async () => {
    await withEndpoint(vllm, async (endpoint) => {
      const chat_template_kwargs = { enable_thinking: false }
      await score(scorerAt(endpoint, 'vllm', { body: { chat_template_kwargs, logprobs: true } }))

      expect(endpoint.requests[0]?.body).toMatchObject({ chat_template_kwargs })
      expect(endpoint.requests[0]?.body).not.toHaveProperty('logprobs')
    })
  })

  const without = (script: (received: Received) => Answer, path: string, json: object): Script => {
    return (received) => (received.path === path ? { json } : script(received))
  }
  const notFound = { status: 404, json: { detail: 'Not Found' } }
  test.each([
    ['vllm', 'there is no such path', () => notFound, '404: Not Found'],
    ['vllm', 'tokens are missing', without(vllm, '/tokenize', {}), 'without "tokens"'],
    [
      'vllm',
      'the field is missing',
      without(vllm, '/v1/completions', { choices: [{ text: '' }] }),
      '"prompt_logprobs"',
    ],
    ['sglang', 'it is older', without(sglang, '/v1/chat/completions', { choices: [{}] }), '"prompt_token_ids"'],
    ['sglang', 'the field is missing', without(sglang, '/generate', { meta_info: {} }), '"input_token_logprobs"'],
    [
      'sglang',
      'it tells of other tokens',
      without(sglang, '/generate', { meta_info: { input_token_logprobs: [-1, -1, -1].map((one) => [one, 5, null]) } }),
      '"input_token_logprobs"',
    ],
  ] as const)('is asked of %s once where %s', async (preset, _, script, why) => {
    await withEndpoint(script as Script, async (endpoint) => {
      const scorer = scorerAt(endpoint, preset)
      const refused = expect.objectContaining({ code: 'E_MODEL_BAD_REQUEST', message: expect.stringContaining(why) })
      await expect(score(scorer)).rejects.toEqual(refused)
      const { length } = endpoint.requests
      await expect(score(scorer)).rejects.toEqual(refused)

      expect(endpoint.requests).toHaveLength(length)
    })
  })

  test('is asked again where only the key was refused, and the key is not told', async () => {
    const denied = { status: 401, json: { error: { message: 'no such key: secret-of-host' } } }
    await withEndpoint(
      () => denied,
      async (endpoint) => {
        const scorer = scorerAt(endpoint, 'vllm')
        const refused = expect.objectContaining({
          code: 'E_MODEL_AUTH',
          message: expect.not.stringContaining('secret-of-host'),
        })
        await expect(score(scorer)).rejects.toEqual(refused)
        await expect(score(scorer)).rejects.toEqual(refused)

        expect(endpoint.requests).toHaveLength(2)
      },
    )
  })

  test('ends at once where it is aborted, and closes the line', async () => {
    await withEndpoint(
      () => ({ end: 'silence' }),
      async (endpoint) => {
        const stop = new AbortController()
        const scored = scorerAt(endpoint, 'vllm').scoreText(request, TEXT, { signal: stop.signal })
        while (endpoint.openRequests === 0) await new Promise((resolve) => setTimeout(resolve, 2))
        stop.abort(new Error('enough'))

        await expect(scored).rejects.toThrow('enough')
        while (endpoint.openRequests > 0) await new Promise((resolve) => setTimeout(resolve, 2))
      },
    )
  })

  test('ends at once where it is aborted before the line is open', async () => {
    await withEndpoint(
      () => ({ end: 'silence' }),
      async (endpoint) => {
        const stop = new AbortController()
        const scored = scorerAt(endpoint, 'vllm').scoreText(request, TEXT, { signal: stop.signal })
        stop.abort(new Error('enough'))

        await expect(scored).rejects.toThrow('enough')
        expect(endpoint.requests).toEqual([])
      },
    )
  })

  test('ends for who aborts it alone, though others score after the same prompt', async () => {
    const stop = new AbortController()
    const aborting: Script = (received) => {
      if (received.body.messages !== undefined) stop.abort(new Error('enough'))
      return vllm(received)
    }
    await withEndpoint(aborting, async (endpoint) => {
      const scorer = scorerAt(endpoint, 'vllm')
      const aborted = scorer.scoreText(request, TEXT, { signal: stop.signal })
      const other = score(scorer)

      await expect(aborted).rejects.toThrow('enough')
      expect(await other).toMatchObject({ sum: -2 })
    })
  })

  test('is not told of presets that say no way to ask', () => {
    const scoring = Object.values(PRESETS).flatMap(({ name, ...preset }) => ('scoring' in preset ? [name] : []))

    expect(scoring).toEqual(['vllm', 'sglang'])
    expect(createOpenAiModel({ model: 'm' })).not.toHaveProperty('scoreText')
  })
})
