import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { LlamaModel } from 'node-llama-cpp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadLlama } from '../src/engine/binding.js'
import { chatFormatOf } from '../src/engine/chat-format.js'
import { createTextReader } from '../src/engine/text-reader.js'
import type { Turn } from '../src/prompt/turns.js'
import { LOADING_MS, noLlama, withLlama } from './support/llama-here.js'
import { type MadeModel, makeGguf } from './support/make-gguf.js'

const MARKS = ['<|im_start|>', '<|im_end|>', '<think>', '</think>']
const CHATML =
  "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' + m['content'] + '<|im_end|>\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
/** A template that asks the model to think first, unless it is told not to. */
const THINKING =
  "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\n' }}{% if loop.last and m['role'] == 'assistant' and not enable_thinking %}{{ '<think>\n\n</think>\n\n' }}{% endif %}{{ m['content'] + '<|im_end|>\n' }}{% endfor %}"
const FIRST_BEGINS = "{{ bos_token }}{% for m in messages %}{{ m['role'] + ': ' + m['content'] + '\n' }}{% endfor %}"
/** A template that takes no system message, and wants turns to alternate. */
const STRICT =
  "{% for m in messages %}{% if (m['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('no') }}{% endif %}{{ m['role'] + '=' + m['content'] + eos_token }}{% endfor %}"

/** A template that gives up on long talks. */
const SHORT = `{% if messages|length > 4 %}{{ raise_exception('too long') }}{% endif %}${FIRST_BEGINS}`

const talk: readonly Turn[] = [
  { speaker: 'system', text: 'Be brief.' },
  { speaker: 'user', text: 'Hello' },
  { speaker: 'model', text: 'Hi' },
  { speaker: 'user', text: 'Go' },
]

describe.skipIf(noLlama !== undefined)(withLlama('the chat format of a model'), { timeout: LOADING_MS }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'model-llama-'))
  const models: LlamaModel[] = []
  let plain: LlamaModel

  async function load(made: MadeModel): Promise<LlamaModel> {
    const { llama } = await loadLlama()
    const file = join(folder, `${models.length}.gguf`)
    makeGguf(file, made)
    const model = await llama.loadModel({ modelPath: file, vocabOnly: true })
    models.push(model)
    return model
  }

  async function shown(made: MadeModel, turns: readonly Turn[] = talk): Promise<string> {
    const model = await load(made)
    const { binding } = await loadLlama()
    return model.detokenize(chatFormatOf(model, binding).tokenize(turns), true)
  }

  beforeAll(async () => {
    plain = await load({ marks: MARKS, template: CHATML, endMark: '<|im_end|>' })
  }, LOADING_MS)
  afterAll(async () => {
    for (const model of models) await model.dispose()
    rmSync(folder, { recursive: true, force: true })
  })

  test('is its own template, up to where the model begins to speak', async () => {
    expect(await shown({ marks: MARKS, template: CHATML, endMark: '<|im_end|>' })).toBe(
      '<s><|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\nHi<|im_end|>\n<|im_start|>user\nGo<|im_end|>\n<|im_start|>assistant\n',
    )
  })

  test('tells a model that would think first not to', async () => {
    const text = await shown({ marks: MARKS, template: THINKING, endMark: '<|im_end|>' })

    expect(text.endsWith('<|im_start|>assistant\n<think>\n\n</think>\n\n')).toBe(true)
    expect(text.match(/<think>/g)).toHaveLength(1)
  })

  test('has one token of the beginning, also where the template brings it', async () => {
    expect((await shown({ template: FIRST_BEGINS })).match(/<s>/g)).toHaveLength(1)
  })

  test('puts the words of the system into the first turn of the user where the template takes none', async () => {
    const text = await shown({ template: STRICT })

    expect(text).toContain('Be brief.')
    expect(text).toMatch(/^<s>user=.*Hello<\/s>assistant=Hi<\/s>user=Go<\/s>assistant=$/s)
  })

  test('is one that is known where the template does not run', async () => {
    expect(await shown({ template: '{% if %}' })).toContain('Hello')
  })

  test('refuses turns that its template does not take', async () => {
    await expect(shown({ template: SHORT }, [...talk, ...talk.slice(2)])).rejects.toEqual(
      expect.objectContaining({
        code: 'E_MODEL_BAD_REQUEST',
        message: expect.stringContaining('takes no such messages'),
      }),
    )
  })

  test('never lets what is said become a mark of the template', async () => {
    const { binding } = await loadLlama()
    const format = chatFormatOf(plain, binding)
    const marks = new Set(MARKS.flatMap((mark) => plain.tokenize(mark, true)))
    const count = (turns: readonly Turn[]): number => format.tokenize(turns).filter((token) => marks.has(token)).length
    const text = fc.array(fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom(...MARKS, '</s>', '<s>')), {
      maxLength: 5,
    })

    fc.assert(
      fc.property(text, text, text, (system, user, model) => {
        const turns: readonly Turn[] = [
          { speaker: 'system', text: system.join('') },
          { speaker: 'user', text: user.join('') },
          { speaker: 'model', text: model.join('') },
          { speaker: 'user', text: user.join('') },
        ]
        expect(count(turns)).toBe(count(talk))
      }),
      { numRuns: 50 },
    )
  })

  test('has no stop text that would cut JSON short', async () => {
    const { binding } = await loadLlama()
    const formats = [plain, await load({ template: FIRST_BEGINS })].map((model) => chatFormatOf(model, binding))

    for (const { stops } of formats) for (const stop of stops) expect(stop.trim()).not.toBe('')
  })

  test('K22 is read back as the text that it is, though its characters are spread over tokens', () => {
    const written = fc.string({ unit: 'grapheme', maxLength: 30 }).filter((text) => !AMBIGUOUS.test(text))
    fc.assert(
      fc.property(written, (text) => {
        const reader = createTextReader(plain)
        const pieces = plain.tokenize(text).map((token) => reader.push(token))
        expect([...pieces, reader.end()].join('').trimStart()).toBe(text.trimStart())
        for (const piece of pieces) expect(piece).not.toContain('\ufffd')
      }),
    )
  })
})

/** The vocabulary writes a space with the first, and a byte that is part of no character with the second. */
const AMBIGUOUS = /[\u2581\ufffd]/
