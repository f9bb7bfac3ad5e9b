import { expect, test } from 'vitest'
import { loadError } from './load-error.js'

class InsufficientMemoryError extends Error {}

const options = { file: '/m.gguf', threads: 1, contextTokens: 4_096, conversations: 1 }

test('a model that does not load for want of memory is told apart from a broken file', () => {
  const memory = loadError(options, new InsufficientMemoryError('no room'), '')
  const broken = loadError(options, new Error('Failed to load model'), 'tensor data is not within the file bounds')

  expect(memory).toMatchObject({
    code: 'E_LLAMA_LOAD',
    details: options,
    hint: expect.stringContaining('contextTokens'),
  })
  expect(memory.message).toBe('There is not enough memory for the model with a context of 1 × 4096 tokens.')
  expect(broken.message).toMatch(/llama\.cpp says: Failed to load model: tensor data is not within the file bounds$/)
})
