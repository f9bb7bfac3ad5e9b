import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelRequest } from '@harnesswright/core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngineHolder } from '../src/engine/engine-holder.js'
import { createLlamaModel, type LlamaModel } from '../src/index.js'
import { ask, lookUp, said } from './support/ask.js'
import { aFolder } from './support/folder.js'
import { LOADING_MS, noLlama, withLlama } from './support/llama-here.js'
import { makeGguf } from './support/make-gguf.js'
import { fitting } from './support/schemas.js'

const CONTEXT = 1_024
/** Bytes that are no text, which only noise says: a grammar counts some of them as one character. */
const BROKEN = /\ufffd/
const answer = {
  title: 'answer',
  type: 'object',
  properties: {
    city: { type: 'string', maxLength: 10 },
    people: { type: 'integer', minimum: 0 },
    big: { type: 'boolean' },
  },
  required: ['city', 'people', 'big'],
  additionalProperties: false,
}
const ajv = new Ajv2020({
  strict: false,
  ownProperties: true,
  validateFormats: false,
  validateSchema: false,
  meta: false,
})

describe.skipIf(noLlama !== undefined)(withLlama('a model in this process'), { timeout: LOADING_MS }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'model-llama-'))
  let model: LlamaModel

  beforeAll(async () => {
    const file = join(folder, 'tiny.gguf')
    makeGguf(file)
    model = createLlamaModel({ file, threads: 1, contextTokens: CONTEXT })
    await ask(model, { maxTokens: 1 })
  }, LOADING_MS)
  afterAll(async () => {
    await model?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('says the same for the same seed, and something else for another', async () => {
    const [first, again, other] = [await ask(model), await ask(model), await ask(model, { seed: 2 })]

    expect(first.response.content).not.toBe('')
    expect(again.response.content).toBe(first.response.content)
    expect(other.response.content).not.toBe(first.response.content)
    const coldest = await ask(model, { temperature: 0, seed: 5 })
    expect((await ask(model, { temperature: 0, seed: 6 })).response.content).toBe(coldest.response.content)
  })

  test('streams what it says: the pieces add up to the reply', async () => {
    const { response, deltas } = await ask(model)

    expect(deltas.length).toBeGreaterThan(5)
    expect(deltas.map(({ text }) => text).join('')).toBe(response.content)
  })

  test('counts its own tokens, and what it need not read again', async () => {
    const messages = said('Count these words, please.')
    const { response: first } = await ask(model, { messages, maxTokens: 10 })
    const { response: again } = await ask(model, { messages, maxTokens: 10 })
    const { response: longer } = await ask(model, {
      messages: [...messages, { role: 'assistant', content: first.content }, { role: 'user', content: 'And?' }],
    })

    expect(first).toMatchObject({ finish: 'length', usage: { outputTokens: 10, reasoningTokens: 0, source: 'known' } })
    const { inputTokens = null } = first.usage ?? {}
    expect(again.usage).toMatchObject({ inputTokens, cachedTokens: (inputTokens ?? 0) - 1 })
    expect(longer.usage?.inputTokens).toBeGreaterThan(inputTokens ?? 0)
    expect(longer.usage?.cachedTokens).toBeGreaterThan(0)
  })

  test('reads a conversation no second time for another one between, as many as are kept', async () => {
    const steps = said('Count these words, please. '.repeat(6))
    const longer = [...steps, { role: 'assistant', content: 'One.' }, { role: 'user', content: 'And?' }] as const
    const plan = [{ role: 'user', content: 'What is to be done next? '.repeat(6) }] as const
    const cachedWith = async (conversations: number): Promise<number> => {
      const file = join(aFolder(), 'tiny.gguf')
      makeGguf(file)
      const own = createLlamaModel({ file, threads: 1, contextTokens: 1_024, conversations })
      await ask(own, { messages: steps, maxTokens: 2 })
      await ask(own, { messages: plan, maxTokens: 2 })
      const { response } = await ask(own, { messages: longer, maxTokens: 2 })
      await own.close()
      return response.usage?.cachedTokens ?? 0
    }

    expect(await cachedWith(1)).toBeLessThan(30)
    expect(await cachedWith(2)).toBeGreaterThan(100)
  })

  test('ends at its own end token, or before a stop text', async () => {
    const { response: whole } = await ask(model)
    const stop = whole.content.slice(4, 7)
    const { response: stopped, deltas } = await ask(model, { stop: ['never said', stop] })

    expect(stopped.finish).toBe('stop')
    expect(stopped.content).toBe(whole.content.slice(0, whole.content.indexOf(stop)))
    expect(deltas.map(({ text }) => text).join('')).toBe(stopped.content)
    const { response: long } = await ask(model, { maxTokens: 900 })
    expect(long.finish).toBe('stop')
    expect(long.usage?.outputTokens).toBeLessThan(900)
  })

  test('replies with JSON of the schema, from noise', async () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const { response, warnings, deltas } = await ask(model, { schema: answer, maxTokens: 200, seed })
      expect(response.finish).toBe('stop')
      const isFit = ajv.validate(answer, JSON.parse(response.content))
      expect(isFit || BROKEN.test(response.content), response.content).toBe(true)
      expect(warnings).toHaveLength(isFit ? 0 : 1)
      expect(deltas.map(({ text }) => text).join('')).toBe(response.content)
    }
  })

  test('replies with JSON of any schema, or says that it was cut', async () => {
    await fc.assert(
      fc.asyncProperty(fitting, fc.nat(1_000), async ({ schema }, seed) => {
        const { response, warnings } = await ask(model, { schema, seed, maxTokens: 120 })
        if (response.finish === 'length') expect(warnings).toEqual([expect.stringMatching(/was cut/)])
        else if (warnings.length === 0) expect(ajv.validate(schema, JSON.parse(response.content))).toBe(true)
        else
          expect([response.content, ...warnings]).toEqual([
            expect.stringMatching(BROKEN),
            expect.stringMatching(/not fit/),
          ])
      }),
      { numRuns: 25 },
    )
  })

  test('says so when what a grammar cannot say does not hold', async () => {
    const schema = {
      type: 'object',
      properties: { code: { type: 'string', maxLength: 4, pattern: '^never$' } },
      required: ['code'],
    }
    const { response, warnings } = await ask(model, { schema, maxTokens: 60 })

    expect(JSON.parse(response.content)).toHaveProperty('code')
    expect(warnings).toEqual(['The reply does not fit its schema: /code must match pattern "^never$".'])
    expect(response.metadata).toMatchObject({ warnings })
  })

  test('calls a tool of any name where a call is demanded, with arguments that fit', async () => {
    for (const choice of ['required', { tool: lookUp.name }] as const) {
      const { response, deltas } = await ask(model, { tools: [lookUp], choice, maxTokens: 200 })
      const [call] = response.toolCalls ?? []

      expect(response).toMatchObject({ content: '', finish: 'tool_calls' })
      expect(response.toolCalls).toHaveLength(1)
      expect(call?.name).toBe(lookUp.name)
      expect(ajv.validate(lookUp.parameters, JSON.parse(call?.arguments ?? ''))).toBe(true)
      expect(deltas[0]).toEqual({ call: { index: 0, name: lookUp.name } })
      expect(
        deltas
          .slice(1)
          .map((delta) => delta.call?.arguments)
          .join(''),
      ).toBe(call?.arguments)
    }
  })

  test('makes several calls in one reply only where that is wanted', async () => {
    const many = { tools: [lookUp], choice: 'required', maxTokens: 180 } as const
    const counts = await Promise.all(
      [1, 2, 3, 4].map(async (seed) => {
        const { response } = await ask(model, { ...many, parallelToolCalls: true, seed })
        const ids = (response.toolCalls ?? []).map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        return ids.length
      }),
    )

    expect(Math.max(...counts)).toBeGreaterThan(1)
    expect((await ask(model, { ...many, parallelToolCalls: false })).response.toolCalls).toHaveLength(1)
  })

  test('K29 whose call is cut says so, and hands over what there is of it', async () => {
    const { response } = await ask(model, { tools: [lookUp], choice: 'required', maxTokens: 70 })

    expect(response.finish).toBe('length')
    expect(response.toolCalls?.[0]?.name).toBe(lookUp.name)
    expect(() => JSON.parse(response.toolCalls?.[0]?.arguments ?? '')).toThrow()
  })

  test('refuses what does not fit its context, before it is read, and answers in what room there is', async () => {
    const words = (count: number): Partial<ModelRequest> => ({ messages: said('word '.repeat(count)), maxTokens: 500 })
    const overflow = expect.objectContaining({
      code: 'E_MODEL_CONTEXT_OVERFLOW',
      details: { inputTokens: expect.any(Number), contextWindow: CONTEXT },
      message: expect.stringMatching(/has \d+ tokens; the context window of tiny holds 1024/),
    })

    await expect(ask(model, words(2_000))).rejects.toEqual(overflow)
    const { response } = await ask(model, { ...words(175), seed: 3 })
    const { inputTokens, outputTokens } = response.usage ?? {}
    expect((inputTokens ?? 0) + (outputTokens ?? 0)).toBeLessThanOrEqual(CONTEXT)
    expect(inputTokens).toBeGreaterThan(CONTEXT - 500)
  })

  test('refuses a schema that fits nothing, or refers to nothing', async () => {
    const refused = expect.objectContaining({ code: 'E_MODEL_BAD_REQUEST' })

    await expect(ask(model, { schema: { enum: [] } })).rejects.toEqual(refused)
    await expect(ask(model, { tools: [{ ...lookUp, parameters: { $ref: '#/$defs/x' } }] })).rejects.toEqual(refused)
    expect((await ask(model)).response.content).not.toBe('')
  })

  test('says that it does not see pictures', async () => {
    const messages = [{ role: 'user', content: [{ type: 'image', url: 'data:image/png;base64,AAAA' }] }] as const
    const { warnings } = await ask(model, { messages })

    expect(warnings).toEqual([expect.stringMatching(/pictures/)])
  })

  test('K36 with a signal that is aborted already does nothing', async () => {
    await expect(ask(model, {}, AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
  })

  test('is aborted while it speaks or reads, and answers the next one', async () => {
    const stop = new AbortController()
    const speaking = model.generate(
      { purpose: 'act', messages: said('Speak.'), maxTokens: 900, seed: 4 },
      { signal: stop.signal, onDelta: () => stop.abort(new Error('enough')) },
    )
    await expect(speaking).rejects.toThrow('enough')

    const reading = new AbortController()
    const read = ask(model, { messages: said('word '.repeat(150)), maxTokens: 1 }, reading.signal)
    queueMicrotask(() => reading.abort(new Error('too long')))
    await expect(read).rejects.toThrow('too long')

    const { response: after } = await ask(model)
    expect(after.content).not.toBe('')
  })

  test('tells no piece of a reply that was aborted', async () => {
    const stop = new AbortController()
    let told = 0
    const speaking = model.generate(
      { purpose: 'act', messages: said('Speak.'), maxTokens: 200, seed: 4 },
      {
        signal: stop.signal,
        onDelta: () => {
          told += 1
          stop.abort()
        },
      },
    )

    await expect(speaking).rejects.toThrow()
    await ask(model) // its turn comes when the other has ended
    expect(told).toBe(1)
  })

  test('answers one at a time, in the order of asking, and says how long a request waited', async () => {
    const order: number[] = []
    const asked = [1, 2, 3].map(async (seed) => {
      const { response } = await ask(model, { seed, maxTokens: 60 })
      order.push(seed)
      return response
    })
    const [first, second, third] = await Promise.all(asked)

    expect(order).toEqual([1, 2, 3])
    expect(first?.queuedMs ?? 0).toBeLessThanOrEqual(second?.queuedMs ?? 0)
    expect(third?.queuedMs).toBeGreaterThan(0)
    expect(first?.content).toBe((await ask(model, { seed: 1, maxTokens: 60 })).response.content)
  })

  test(
    'frees its memory when it is closed, and loads its file again when it is asked again',
    async () => {
      const before = await ask(model)
      await model.close()
      await model.close()

      expect((await ask(model)).response.content).toBe(before.response.content)
    },
    LOADING_MS,
  )
})

describe.skipIf(noLlama !== undefined)(withLlama('a file that does not load'), () => {
  test(
    'is an error, and is loaded when it is whole',
    async () => {
      const folder = aFolder()
      const whole = join(folder, 'whole.gguf')
      const file = join(folder, 'cut.gguf')
      makeGguf(whole)
      copyFileSync(whole, file)
      truncateSync(file, readFileSync(whole).length - 50_000)
      const model = createLlamaModel({ file, threads: 1 })

      await expect(ask(model)).rejects.toEqual(loadError(/does not load. llama\.cpp says: /))
      copyFileSync(whole, file)
      expect((await ask(model)).response.content).not.toBe('')
      await model.close()
    },
    LOADING_MS,
  )

  test(
    'when it ran before and fails is an error of the line, and is loaded anew',
    async () => {
      const file = join(aFolder(), 'tiny.gguf')
      makeGguf(file)
      const holder = createEngineHolder({ id: 'tiny', file, threads: 1, contextTokens: 512, conversations: 1 })
      const { signal } = new AbortController()
      const engines = new Set<unknown>()
      const failing = holder.use(signal, async (engine) => {
        engines.add(engine)
        throw new Error('no slot')
      })

      await expect(failing).rejects.toEqual(
        expect.objectContaining({
          code: 'E_MODEL_TRANSPORT',
          message: 'The model "tiny" failed while it ran: no slot',
        }),
      )
      await holder.use(signal, async (engine) => engines.add(engine))
      expect(engines.size).toBe(2)
      await holder.close()
    },
    LOADING_MS,
  )
})

function loadError(message: RegExp): unknown {
  return expect.objectContaining({ code: 'E_LLAMA_LOAD', message: expect.stringMatching(message) })
}
