import type { Message } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { lastToSummarise, restart } from './restart.js'

const of = (step: number | undefined, content: string, note?: string): Message => ({
  role: 'user',
  content,
  ...(step === undefined ? {} : { step }),
  ...(note === undefined ? {} : { note }),
})
const summary: Message = { role: 'user', content: 'summary', covers: [1, 2] }
const contents = (messages: readonly Message[]) => messages.map(({ content }) => content)

const view = [
  of(undefined, 'system'),
  of(undefined, 'task'),
  of(1, 'plan', 'plan'),
  of(1, 'step 1'),
  of(2, 'review', 'review'),
  of(2, 'step 2'),
  of(undefined, 'of another memory'),
  of(3, 'step 3'),
]

describe('a view starts anew', () => {
  test('from the summary, after what is of no step, with plan and review and the steps that are not summarised', () => {
    const anew = restart(view, { through: 2, message: summary, keepsPlan: true })

    expect(contents(anew)).toEqual(['system', 'task', 'of another memory', 'plan', 'review', 'summary', 'step 3'])
  })

  test('without plan and review where they are not kept', () => {
    const anew = restart(view, { through: 2, message: summary, keepsPlan: false })

    expect(contents(anew)).toEqual(['system', 'task', 'of another memory', 'summary', 'step 3'])
  })

  test('with the summary at the end where every step is summarised', () => {
    expect(contents(restart(view, { through: 3, message: summary, keepsPlan: false })).at(-1)).toBe('summary')
  })
})

describe('the last step to summarise', () => {
  const sizes = (...tokens: readonly number[]) => ({
    steps: tokens.map((_, index) => index + 1),
    sizeOf: (step: number) => tokens[step - 1] ?? 0,
  })

  test.each([
    ['leaves as many of the newest as are wanted', [10, 10, 10, 10], 2, 100, 2],
    ['leaves fewer where they have no room', [10, 10, 60, 60], 3, 100, 3],
    ['leaves the newest, however large it is', [10, 10, 900], 2, 100, 2],
    ['is none where only the newest is there', [10], 2, 100, undefined],
    ['is none where all are to stay', [10, 10], 2, 100, undefined],
    ['is the newest where none is to stay', [10, 10], 0, 100, 2],
    ['is none without steps', [], 0, 100, undefined],
  ])('%s', (_what, tokens, keep, roomTokens, last) => {
    const { steps, sizeOf } = sizes(...tokens)

    expect(lastToSummarise(steps, { keep, roomTokens, sizeOf })).toBe(last)
  })
})
