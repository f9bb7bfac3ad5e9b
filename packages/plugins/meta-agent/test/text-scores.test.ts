import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createScriptedModel } from '@harnesswright/core/testkit'
import { type ComposeOptions, type Composition, compose, explainComposition } from '@harnesswright/plugin-meta-agent'
import { createOpenAiModel } from '@harnesswright/plugin-model-openai'
import { describe, expect, test } from 'vitest'
import { anEnvironment, aReply, composedBy, seeds, task } from './composing.js'

/** Three manifests; the second is the likeliest by its mean, the third by its sum. */
const REPLIES = [
  aReply({ name: 'first' }),
  aReply({ name: 'second', planning: null }),
  aReply({ name: 'third', memory: null, planning: null }),
]
const LOGPROBS = [[-0.9, -0.9], [-0.2, -0.2, -0.2, -0.2, -0.2], [-0.5]]
/** What was told as it was written says otherwise: the first is the likeliest. */
const GENERATED = [-0.1, -0.4, -0.8]
const PROMPT = [11, 12]

interface Asked {
  readonly path: string
  readonly body: { readonly seed: number; readonly messages?: unknown; readonly prompt: string | readonly number[] }
}

interface Answer {
  readonly status: number
  readonly json: object
}

const asJson = (json: object, status = 200): Answer => ({ status, json })

/** A real server on a free port of the loopback address, while some work is done. */
async function withServer<T>(script: (asked: Asked) => Answer, work: (baseUrl: string) => Promise<T>): Promise<T> {
  const server = createServer((incoming, outgoing) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const { status, json } = script({ path: incoming.url ?? '', body: JSON.parse(Buffer.concat(parts).toString()) })
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** Proposes as any endpoint does, with log-probabilities of what it writes. */
function proposes({ body }: Asked, inputTokens = 100): Answer {
  const at = (body.seed - 1) % 3
  const message = { role: 'assistant', content: REPLIES[at] }
  const logprobs = { content: [{ token: 'x', logprob: GENERATED[at] }] }
  const usage = { prompt_tokens: inputTokens, completion_tokens: 50 }
  return asJson({ choices: [{ index: 0, message, finish_reason: 'stop', logprobs }], usage })
}

/** The tokens of a reply: ids that say which it is. */
const tokensOf = (text: string): readonly number[] => {
  const at = REPLIES.indexOf(text)
  return (LOGPROBS[at] ?? []).map((_, place) => 100 * (at + 1) + place)
}

/** A server that answers as the documents of vLLM say. No real one was met. */
function likeVllm(request: Asked): Answer {
  const { path, body } = request
  if (path.endsWith('/tokenize'))
    return asJson({ tokens: body.messages === undefined ? tokensOf(body.prompt as string) : PROMPT })
  if (!path.endsWith('/v1/completions')) return proposes(request)
  const ids = body.prompt as readonly number[]
  const places = ids.map((id, at) => {
    const logprob = at < PROMPT.length ? -5 : LOGPROBS[Math.floor(id / 100) - 1]?.[id % 100]
    return at === 0 ? null : { [id]: { logprob, rank: 1, decoded_token: 'x' } }
  })
  const usage = { prompt_tokens: ids.length, completion_tokens: 1 }
  return asJson({ choices: [{ index: 0, text: 'y', finish_reason: 'length', prompt_logprobs: places }], usage })
}

async function selectedAt(
  script: (asked: Asked) => Answer,
  { body, ...options }: Partial<ComposeOptions> & { readonly body?: { readonly logprobs: true } } = {},
): Promise<{ readonly composition: Composition; readonly asked: readonly string[] }> {
  const asked: string[] = []
  const heard = (request: Asked): Answer => {
    asked.push(request.path)
    return script(request)
  }
  const composition = await withServer(heard, async (baseUrl) => {
    const metaModel = createOpenAiModel({ model: 'composer', preset: 'vllm', baseUrl, ...(body && { body }) })
    return await compose(task, { env: anEnvironment(), catalog: seeds, metaModel, select: 'logprob', ...options })
  })
  return { composition, asked }
}

describe('the likeliest of several manifests', () => {
  test('is told by an endpoint that can be given a text, whatever it told as it wrote', async () => {
    const { composition } = await selectedAt(likeVllm, { body: { logprobs: true } })

    expect(composition.manifest.name).toBe('second')
    expect(composition.selection).toMatchObject({ how: 'logprob', source: 'prompt', chosen: 1, sums: [-1.8, -1, -0.5] })
    expect(composition.selection.scores).toEqual([-0.9, -0.2, -0.5])
    expect(composition.selection.reason).toMatch(/-0\.200, as a given text\.$/)
    expect(composition.spent.calls).toEqual({ compose: 3, score: 3 })
    expect(composition.spent.usage).toMatchObject({ inputTokens: 300 + 3 * 2 + 8, outputTokens: 153, source: 'known' })
  })

  test('needs nothing but texts: no log-probabilities of replies are asked for', async () => {
    const { composition } = await selectedAt(likeVllm)

    expect(composition.selection).toMatchObject({ source: 'prompt', chosen: 1 })
  })

  test('is told by what was said as it was written, where the endpoint cannot; it is asked once, and why is said', async () => {
    const { composition, asked } = await selectedAt(
      (request) => (request.path.endsWith('/tokenize') ? asJson({ detail: 'Not Found' }, 404) : proposes(request)),
      { body: { logprobs: true } },
    )

    expect(composition.selection).toMatchObject({ source: 'generation', chosen: 0, sums: GENERATED })
    expect(composition.selection.reason).toMatch(
      /as it was written; of given texts they are not known: .*404: Not Found/,
    )
    expect(explainComposition(composition).join('\n')).toContain('404: Not Found')
    expect(asked.filter((path) => path.endsWith('/tokenize'))).toHaveLength(1)
  })

  test('is told by what was said as it was written, where the field is missing', async () => {
    const { composition } = await selectedAt(
      (request) =>
        request.path.endsWith('/v1/completions') ? asJson({ choices: [{ text: 'y' }] }) : likeVllm(request),
      { body: { logprobs: true } },
    )

    expect(composition.selection).toMatchObject({ source: 'generation', chosen: 0 })
    expect(composition.selection.reason).toContain('without "prompt_logprobs"')
  })

  test('is the first where the endpoint tells neither, and why is said', async () => {
    const { composition } = await selectedAt((request) => {
      if (request.path.endsWith('/tokenize')) return asJson({ detail: 'Not Found' }, 404)
      const at = (request.body.seed - 1) % 3
      return asJson({ choices: [{ index: 0, message: { content: REPLIES[at] }, finish_reason: 'stop' }] })
    })

    expect(composition.selection).toMatchObject({ how: 'logprob', chosen: 0, scores: [null, null, null] })
    expect(composition.selection).not.toHaveProperty('source')
    expect(composition.selection.reason).toMatch(/told no log-probabilities.*404: Not Found/)
  })

  test('is not asked for where the limits do not pay for it', async () => {
    const { composition, asked } = await selectedAt((request) => proposes(request, 70_000), {
      body: { logprobs: true },
      env: anEnvironment({ tokens: 1_000_000 }),
    })

    expect(composition.selection.reason).toMatch(/the limits do not pay for it/)
    expect(asked.some((path) => path.endsWith('/tokenize'))).toBe(false)
  })

  test('is not asked of a model that cannot be given a text', async () => {
    const { selection } = await composedBy(createScriptedModel(REPLIES), { select: 'logprob' })

    expect(selection.reason).toContain('its model is none that can be given a text')
  })
})
