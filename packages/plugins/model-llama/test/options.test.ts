import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createLlamaModel, findWeights, type LlamaModelOptions } from '../src/index.js'
import { aFolder } from './support/folder.js'
import { makeGguf } from './support/make-gguf.js'

function aFile(contextTokens = 4_096): string {
  const file = join(aFolder(), 'some-model.gguf')
  makeGguf(file, { contextTokens })
  return file
}

const refusal = (code: string, message: RegExp) =>
  expect.objectContaining({ code, message: expect.stringMatching(message) }) as unknown as Error // a matcher

describe('a model of a file', () => {
  test('is known without being loaded: its name, its context, what it can do, and that nobody asks money for it', () => {
    const file = aFile()

    expect(createLlamaModel({ file })).toMatchObject({
      id: 'some-model',
      file,
      contextWindow: 4_096,
      maxOutputTokens: 1_024,
      supports: { tools: true, jsonSchema: true, stream: true, parallelToolCalls: true },
      price: { input: 0, output: 0 },
    })
  })

  test('has the context it was trained with, up to 8,192 tokens, unless it is told otherwise', () => {
    expect(createLlamaModel({ file: aFile(40_960) }).contextWindow).toBe(8_192)
    expect(createLlamaModel({ file: aFile(40_960), contextTokens: 32_000 }).contextWindow).toBe(32_000)
    const small = createLlamaModel({ file: aFile(), contextTokens: 1_000, id: 'mine' })
    expect(small).toMatchObject({ id: 'mine', contextWindow: 1_000, maxOutputTokens: 500 })
  })

  test('is refused a context that it was not trained with', () => {
    expect(() => createLlamaModel({ file: aFile(), contextTokens: 5_000 })).toThrow(
      refusal('E_LLAMA_OPTIONS', /"contextTokens" is 5000: the model was trained with 4096/),
    )
  })

  test.each<[string, Partial<LlamaModelOptions>]>([
    ['contextTokens', { contextTokens: 10 }],
    ['contextTokens', { contextTokens: Number.NaN }],
    ['conversations', { conversations: 0 }],
    ['conversations', { conversations: 17 }],
    ['threads', { threads: 0 }],
    ['threads', { threads: 1.5 }],
    ['maxOutputTokens', { maxOutputTokens: -1 }],
    ['seed', { seed: -1 }],
    ['seed', { seed: 2 ** 32 }],
    ['sampling.temperature', { sampling: { temperature: -0.1 } }],
    ['sampling.topP', { sampling: { topP: 2 } }],
    ['sampling.topK', { sampling: { topK: 0.5 } }],
    ['sampling.minP', { sampling: { minP: '1' as unknown as number } }],
    ['sampling.repeatPenalty', { sampling: { repeatPenalty: 0 } }],
  ])('refuses a %s that means nothing: %j', (name, options) => {
    expect(() => createLlamaModel({ file: aFile(), ...options })).toThrow(
      refusal('E_LLAMA_OPTIONS', new RegExp(`^"${name}" is .* was expected`)),
    )
  })

  test('is named once, by a file or by weights with their folder', () => {
    expect(() => createLlamaModel({})).toThrow(refusal('E_LLAMA_OPTIONS', /Nothing names/))
    expect(() => createLlamaModel({ weights: 'qwen3-0.6b' })).toThrow(refusal('E_LLAMA_OPTIONS', /Nothing names/))
    expect(() => createLlamaModel({ file: 'x', weights: 'qwen3-0.6b', folder: '.' })).toThrow(
      refusal('E_LLAMA_OPTIONS', /both name/),
    )
    expect(() => createLlamaModel({ file: join(aFolder(), 'none.gguf') })).toThrow(
      refusal('E_LLAMA_FILE', /no model file/),
    )
  })

  test('by the name of weights is refused where they are not, with their size and licence', () => {
    const refused = expect.objectContaining({
      code: 'E_LLAMA_NOT_FETCHED',
      hint: expect.stringMatching(/387 MB, Apache-2.0 .*fetchWeights\('smollm2-360m-instruct'/),
    })

    expect(() => createLlamaModel({ weights: 'smollm2-360m-instruct', folder: aFolder() })).toThrow(refused)
    expect(() => createLlamaModel({ weights: 'qwen', folder: '.' })).toThrow(refusal('E_LLAMA_WEIGHTS', /"qwen"/))
  })

  test('by the name of weights has that name, where they are', () => {
    const { fileName, bytes } = findWeights('smollm2-135m-instruct')
    const folder = aFolder()
    makeGguf(join(folder, fileName))
    truncateSync(join(folder, fileName), bytes) // as long as the true file; what was never written takes no room

    expect(createLlamaModel({ weights: 'smollm2-135m-instruct', folder })).toMatchObject({
      id: 'smollm2-135m-instruct',
      file: join(folder, fileName),
    })
  })
})
