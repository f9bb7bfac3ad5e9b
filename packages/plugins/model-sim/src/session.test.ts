import { expect, test } from 'vitest'
import type { Measure } from './measure.js'
import { createSessions } from './session.js'

function aMeasure(messages: readonly number[], tools: readonly number[] = []): Measure {
  const element = (hash: number) => ({ hash, tokens: 600 })
  return {
    tokens: 600 * (messages.length + tools.length),
    contents: 1,
    tools: tools.map(element),
    messages: messages.map(element),
  }
}

test('the whole messages that two requests of a session share in front are cached', () => {
  const sessions = createSessions()
  sessions.enter('a', aMeasure([1, 2, 3]), 1)

  expect(sessions.enter('a', aMeasure([1, 2, 9, 4]), 2).cachedTokens).toBe(1_200)
})

test('a prefix of less than 1,024 tokens is not cached, nor is that of another session', () => {
  const sessions = createSessions()
  sessions.enter('a', aMeasure([1, 2]), 1)

  expect(sessions.enter('a', aMeasure([1, 9]), 2).cachedTokens).toBe(0)
  expect(sessions.enter('b', aMeasure([1, 2]), 3).cachedTokens).toBe(0)
})

test('other tools in front cost the whole cache; a request without tools is compared by its messages', () => {
  const sessions = createSessions()
  sessions.enter('a', aMeasure([1, 2, 3], [7, 8]), 1)
  sessions.enter('b', aMeasure([1, 2, 3], [7, 8]), 1)
  sessions.enter('c', aMeasure([1, 2, 3], [7, 8]), 1)

  expect(sessions.enter('a', aMeasure([1, 2, 3], [7]), 2).cachedTokens).toBe(0)
  expect(sessions.enter('b', aMeasure([1, 2, 3]), 2).cachedTokens).toBe(1_800)
  expect(sessions.enter('c', aMeasure([1, 2, 3], [7, 8]), 2).cachedTokens).toBe(3_000)
})

test('only a literal repeat in a row counts as one', () => {
  const sessions = createSessions()
  const repeats = [5, 5, 5, 6, 5].map((digest) => sessions.enter('a', aMeasure([1]), digest).repeats)

  expect(repeats).toEqual([0, 1, 2, 0, 0])
})

test('without a session nothing is remembered', () => {
  const sessions = createSessions()
  sessions.enter(undefined, aMeasure([1, 2, 3]), 5)

  expect(sessions.enter(undefined, aMeasure([1, 2, 3]), 5)).toEqual({ cachedTokens: 0, repeats: 0 })
})
