import type { Token } from 'node-llama-cpp'
import { describe, expect, test } from 'vitest'
import { chooseHeld, type Held } from './choose-held.js'

const tokens = (text: string): Token[] => Array.from(text, (letter) => letter.charCodeAt(0) as Token)
const held = (...all: readonly (readonly [text: string, usedAt: number])[]): readonly Held[] =>
  all.map(([text, usedAt]) => ({ tokens: tokens(text), usedAt }))

describe('a request is read into the sequence', () => {
  test.each([
    ['that it goes on with, though another was used longer ago', held(['abcdef', 5], ['', 0]), 'abcdefgh', 0],
    ['that it goes on with the furthest', held(['abc', 1], ['abcde', 2]), 'abcdefgh', 1],
    ['that it shares most of, where only the end of that is another', held(['xyz', 1], ['abcdefXX', 2]), 'abcdefgh', 1],
    [
      'that was used longest ago, where it shares but the head of the others',
      held(['abcdefgh', 2], ['abzzzzzz', 1]),
      'ab123456',
      1,
    ],
    ['that is empty, before one is put out', held(['abcdefgh', 1], ['', 0]), 'ab123456', 1],
    ['that there is', held(['abc', 1]), 'xyz', 0],
  ])('%s', (_which, all, text, index) => {
    expect(chooseHeld(all, tokens(text))).toBe(index)
  })
})
