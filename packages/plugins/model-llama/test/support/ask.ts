import type { Delta, Message, Model, ModelRequest, ModelResponse, Tool } from '@harnesswright/core'

/** A tool that the random model can be made to call. */
export const lookUp: Tool = {
  name: 'files.look up/1',
  description: 'Looks up a word.',
  parameters: {
    type: 'object',
    properties: { word: { type: 'string', maxLength: 12 }, exact: { type: 'boolean' } },
    required: ['word'],
  },
  readOnly: true,
  execute: ({ word }: { word: string }) => `nothing is known of ${word.length} characters`,
}

/** What came of a request. */
export interface Asked {
  readonly response: ModelResponse
  readonly deltas: readonly Delta[]
  readonly warnings: readonly string[]
}

/** Asks a model, with defaults that suit the random one. */
export async function ask(model: Model, request: Partial<ModelRequest> = {}, signal?: AbortSignal): Promise<Asked> {
  const deltas: Delta[] = []
  const warnings: string[] = []
  const response = await model.generate(
    { purpose: 'act', messages: said('Hello there.'), maxTokens: 24, seed: 1, temperature: 1, ...request },
    {
      signal: signal ?? new AbortController().signal,
      onDelta: (delta) => deltas.push(delta),
      onWarning: (warning) => warnings.push(warning),
    },
  )
  return { response, deltas, warnings }
}

/** A short talk that ends with these words of the user. */
export function said(text: string): readonly Message[] {
  return [
    { role: 'system', content: 'You help.' },
    { role: 'user', content: text },
  ]
}
