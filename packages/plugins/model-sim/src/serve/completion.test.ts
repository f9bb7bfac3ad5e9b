import type { ModelResponse } from '@harnesswright/core'
import { expect, test } from 'vitest'
import { completionBody, completionChunks } from './completion.js'

const usage = { inputTokens: 1, cachedTokens: 0, outputTokens: 2, reasoningTokens: 0, source: 'known' } as const

interface Chunk {
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string
      readonly tool_calls?: readonly {
        readonly index: number
        readonly id?: string
        readonly function: { readonly arguments: string }
      }[]
    }
  }[]
}

function chunksOf(response: Partial<ModelResponse>): readonly Chunk['choices'][number]['delta'][] {
  const completion = { id: 'a', model: 'm', response: { content: '', finish: 'stop', usage, ...response } }
  const chunks = completionChunks(completion, { isStream: true, includesUsage: false }) as readonly Chunk[]
  return chunks.map(({ choices: [choice] }) => choice?.delta ?? {})
}

test.each(['', 'a', 'ab\ncd', '😀', '😀𝔟x😀', 'x😀'.repeat(50)])(
  'a text is cut between characters, and is whole again: %j',
  (text) => {
    const pieces = chunksOf({ content: text }).map(({ content = '' }) => content)

    expect(pieces.join('')).toBe(text)
    expect(pieces.filter((piece) => /\p{Surrogate}/u.test(piece))).toEqual([])
  },
)

test('of several calls each has its index on every piece, and its id on the first', () => {
  const toolCalls = ['{"path":"a"}', ''].map((text, index) => ({ id: `c${index}`, name: 'read', arguments: text }))
  const deltas = chunksOf({ toolCalls, finish: 'tool_calls' }).flatMap(({ tool_calls: calls = [] }) => calls)
  const textOf = (index: number): string =>
    deltas.filter((delta) => delta.index === index).reduce((text, { function: part }) => text + part.arguments, '')

  expect([textOf(0), textOf(1)]).toEqual(['{"path":"a"}', ''])
  expect(deltas.filter(({ id }) => id !== undefined).map(({ index, id }) => [index, id])).toEqual([
    [0, 'c0'],
    [1, 'c1'],
  ])
})

test('a reply with neither text nor calls has an empty text, and one with calls alone has none', () => {
  const contentOf = (response: Partial<ModelResponse>): unknown =>
    completionBody({ id: 'a', model: 'm', response: { content: '', finish: 'stop', usage, ...response } })

  expect(contentOf({})).toMatchObject({ choices: [{ message: { content: '' } }] })
  expect(contentOf({ toolCalls: [{ id: 'c', name: 'read', arguments: '{}' }] })).toMatchObject({
    choices: [{ message: { content: null } }],
  })
})
