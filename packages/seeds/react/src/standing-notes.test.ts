import type { Message } from '@harnesswright/core'
import { expect, test } from 'vitest'
import { standingNotes } from './standing-notes.js'

const said = (content: string, note?: string): Message => ({
  role: 'user',
  content,
  ...(note === undefined ? {} : { note }),
})

test('the newest plan and the newest review after it stand; older ones and other notes do not', () => {
  const messages = [
    said('task'),
    said('plan 1', 'plan'),
    said('review 1', 'review'),
    said('be brief', 'feedback'),
    said('review 2', 'review'),
  ]

  expect(standingNotes(messages).map(({ content }) => content)).toEqual(['plan 1', 'review 2'])
})

test('a review of an older plan does not stand', () => {
  const messages = [said('review 1', 'review'), said('plan 2', 'plan')]

  expect(standingNotes(messages).map(({ content }) => content)).toEqual(['plan 2'])
})

test('a review stands without a plan, and where there is neither nothing does', () => {
  expect(standingNotes([said('review', 'review')])).toHaveLength(1)
  expect(standingNotes([said('task'), said('summary', 'summary')])).toEqual([])
})
