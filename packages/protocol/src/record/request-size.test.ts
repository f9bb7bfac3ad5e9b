import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message, ModelInfo, ModelRequest, Tool } from '../types/index.js'
import { RequestSizes, type SizeOptions } from './request-size.js'

const model: ModelInfo = { id: 'scripted', supports: {} }
const sizesOf = (options: SizeOptions = {}): RequestSizes => new RequestSizes(options)
const requestOf = (...messages: readonly Message[]): ModelRequest => ({ purpose: 'act', messages })
const user = (content: string): Message => ({ role: 'user', content })

const anyMessage: fc.Arbitrary<Message> = fc.record(
  {
    role: fc.constant('assistant' as const),
    content: fc.string({ unit: 'grapheme' }),
    reasoning: fc.string(),
    toolCalls: fc.array(fc.record({ id: fc.string(), name: fc.string(), arguments: fc.json() }), { maxLength: 3 }),
  },
  { requiredKeys: ['role', 'content'] },
)

describe('the bound of a request', () => {
  test('is at least the bytes of all that is said in it, so that no request can be more tokens', () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 5 }), (messages) => {
        const said = messages.map(({ content, reasoning = '', toolCalls = [] }) => [
          content,
          reasoning,
          ...toolCalls.map((call) => call.id + call.name + call.arguments),
        ])
        const bytes = Buffer.byteLength(said.flat().join(''))

        expect(sizesOf().bound(requestOf(...messages), model)).toBeGreaterThanOrEqual(bytes + 16 * messages.length)
      }),
    )
  })

  test('counts tools and the schema of the reply', () => {
    const tool: Tool = { name: 'look', description: 'd'.repeat(100), parameters: { type: 'object' }, execute: () => '' }
    const bare = sizesOf().bound(requestOf(user('x')), model)

    expect(sizesOf().bound({ ...requestOf(user('x')), tools: [tool] }, model)).toBeGreaterThanOrEqual(bare + 100 + 16)
    expect(sizesOf().bound({ ...requestOf(user('x')), schema: { a: 'y'.repeat(50) } }, model)).toBeGreaterThan(
      bare + 50,
    )
  })

  test('counts all of a tool, and content in parts', () => {
    const tool: Tool = { name: 'look', description: 'd', parameters: { enum: ['v'.repeat(200)] }, execute: () => '' }
    const parts: Message = { role: 'user', content: [{ type: 'text', text: 'x'.repeat(300) }] }
    const bytes = Buffer.byteLength(`lookd${JSON.stringify(tool.parameters)}${JSON.stringify(parts.content)}`)

    expect(sizesOf().bound({ ...requestOf(parts), tools: [tool] }, model)).toBe(bytes + 2 * 16)
  })

  test('shrinks to what the model has reported and a quarter more, and never below the highest it has reported', () => {
    const sizes = sizesOf()
    const long = requestOf(user('x'.repeat(1_000)))
    sizes.learn(sizes.bytesOf(long), model, 250)
    sizes.learn(sizes.bytesOf(long), model, 200)

    expect(sizes.bound(long, model)).toBe(Math.ceil(250 * 1.25) + 16)
    sizes.learn(sizes.bytesOf(long), model, 400)
    expect(sizes.bound(long, model)).toBe(500 + 16)
  })

  test('stays that of the bytes with a strict budget, and where nothing was reported', () => {
    const strict = sizesOf({ budget: 'strict' })
    const long = requestOf(user('x'.repeat(1_000)))
    strict.learn(strict.bytesOf(long), model, 250)
    const lax = sizesOf()
    lax.learn(lax.bytesOf(long), model, null)

    expect(strict.bound(long, model)).toBe(1_016)
    expect(lax.bound(long, model)).toBe(1_016)
  })

  test('of one model says nothing of another', () => {
    const sizes = sizesOf()
    const long = requestOf(user('x'.repeat(1_000)))
    sizes.learn(sizes.bytesOf(long), model, 250)

    expect(sizes.bound(long, { id: 'other', supports: {} })).toBe(1_016)
  })

  test('is what the tokeniser of the environment counts, where there is one', () => {
    const sizes = sizesOf({ countTokens: (text, id) => (id === 'scripted' ? text.length * 2 : 0) })

    expect(sizes.bound(requestOf(user('abc'), user('d')), model)).toBe(2 * 4 + 2 * 16)
  })
})

describe('the estimate of messages', () => {
  const thousand = user('x'.repeat(1_000))

  test('is three tenths of a token a byte before anything was reported, and four a message', () => {
    expect(sizesOf().estimate([thousand, thousand], model)).toBe(608)
  })

  test('follows the highest share that the model has reported', () => {
    const sizes = sizesOf()
    sizes.learn(sizes.bytesOf(requestOf(thousand)), model, 250)

    expect(sizes.estimate([thousand], model)).toBe(254)
  })

  test('is what the tokeniser of the environment counts, where there is one', () => {
    expect(sizesOf({ countTokens: (text) => text.length }).estimate([user('abc')], model)).toBe(7)
  })
})
