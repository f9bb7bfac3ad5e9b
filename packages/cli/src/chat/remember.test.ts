import type { Message } from '@harnesswright/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { remember, rememberedTokens } from './remember.js'

type Turn = readonly Message[]

const words = (size: number): string => 'word '.repeat(size)

/** A turn of one call, with a result of so many words. */
function turnOf(name: string, size: number): Turn {
  return [
    { role: 'user', content: `question ${name}` },
    { role: 'assistant', content: '', toolCalls: [{ id: `c${name}`, name: 'read_file', arguments: '{}' }] },
    { role: 'tool', callId: `c${name}`, content: words(size) },
    { role: 'assistant', content: `answer ${name}` },
  ]
}

const turns = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 900 })), { minLength: 1, maxLength: 12 })
  .map((sizes) => sizes.map((size, index) => turnOf(String(index + 1), size)))

const MOST = 400
/** As the kernel estimates them, less what stands around. */
const tokensOf = (messages: Turn): number =>
  messages.reduce((sum, { content, toolCalls = [] }) => {
    return sum + (String(content).length + (toolCalls.length === 0 ? 0 : JSON.stringify(toolCalls).length)) * 0.3 + 4
  }, 0)
/** The line on the turns that are left out. */
const NOTE_TOKENS = 25

describe('what the next turn is told of those before it', () => {
  test('is all of them while they fit', () => {
    const said = [turnOf('1', 10), turnOf('2', 10)]

    expect(remember(said, MOST)).toEqual(said.flat())
    expect(remember([], MOST)).toEqual([])
  })

  test('is a valid history that begins with a question and fits, whatever was said', () => {
    fc.assert(
      fc.property(turns, (said) => {
        const told = remember(said, MOST)

        expect(told[0]?.role).toBe('user')
        expect(told.at(-1)?.role).toBe('assistant')
        expect(told.every(({ role }, index) => role !== 'user' || told[index - 1]?.role !== 'user')).toBe(true)
        expect(told.flatMap(({ callId }) => callId ?? [])).toEqual(
          told.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id)),
        )
        expect(tokensOf(told)).toBeLessThanOrEqual(MOST + NOTE_TOKENS)
      }),
    )
  })

  test('ends in the newest question and answer', () => {
    fc.assert(
      fc.property(turns, (said) => {
        const told = remember(said, MOST).map(({ content }) => content)

        expect(told.at(-1)).toBe(`answer ${said.length}`)
        expect(told.some((content) => String(content).includes(`question ${said.length}`))).toBe(true)
      }),
    )
  })

  test('is what it was a turn before and that turn, except where it is cut, and after a cut half of the room is free', () => {
    fc.assert(
      fc.property(turns, (said) => {
        const before = remember(said.slice(0, -1), MOST)
        const now = remember(said, MOST)
        const isLonger = JSON.stringify(now) === JSON.stringify([...before, ...(said.at(-1) ?? [])])

        if (!isLonger) expect(tokensOf(now)).toBeLessThanOrEqual(MOST / 2 + NOTE_TOKENS)
      }),
    )
  })

  test('says how many turns are left out, in the words of the first question that is left', () => {
    const said = Array.from({ length: 60 }, (_, index) => turnOf(String(index + 1), 0))
    const [first] = remember(said, MOST)

    expect(first?.content).toMatch(/^\[\d+ earlier turns of this conversation left out\]\n\nquestion \d+$/)
  })

  test('is cut in the middle where one message alone is too long', () => {
    const [question] = remember(
      [
        [
          { role: 'user', content: `begin ${words(5_000)} end` },
          { role: 'assistant', content: 'ok' },
        ],
      ],
      MOST,
    )

    expect(question?.content).toMatch(/^begin [\s\S]*\n\[… \d+ characters left out …\]\n[\s\S]* end$/)
  })
})

test.each([
  [undefined, 8_000],
  [128_000, 8_000],
  [16_000, 4_000],
])('a model with a window of %s tokens is told at most %i of earlier turns', (contextWindow, tokens) => {
  expect(rememberedTokens(contextWindow === undefined ? {} : { contextWindow })).toBe(tokens)
})
