import { HarnessError } from '@harnesswright/core'
import type { EngineOptions } from './engine.js'
import { messageOf } from './message-of.js'

/** The error of a model file that did not load. `complaints` are what llama.cpp said meanwhile. */
export function loadError(options: EngineOptions, cause: unknown, complaints: string): HarnessError {
  const { file, contextTokens, conversations, threads } = options
  const details = { file, contextTokens, conversations, threads }
  // Classes of the package are told by their name: it may be there in more than one copy.
  if (cause instanceof Error && cause.constructor.name === 'InsufficientMemoryError') {
    return new HarnessError('E_LLAMA_LOAD', {
      message: `There is not enough memory for the model with a context of ${conversations} × ${contextTokens} tokens.`,
      hint: 'Give a smaller "contextTokens", fewer "conversations", or a smaller model.',
      details,
      cause,
    })
  }
  const why = [messageOf(cause), complaints].filter((text) => text !== '').join(': ')
  return new HarnessError('E_LLAMA_LOAD', {
    message: `The model file does not load. llama.cpp says: ${why}`,
    hint: 'Check that the file is whole, and of a kind that this version of llama.cpp knows.',
    details,
    cause,
  })
}
