import type { Message } from '@harnesswright/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Replaced, replaceSteps } from './replace-steps.js'

const of = (step: number | undefined, content: string, note?: string): Message => ({
  role: 'user',
  content,
  ...(step === undefined ? {} : { step }),
  ...(note === undefined ? {} : { note }),
})
const contents = (messages: readonly Message[]) => messages.map(({ content }) => content)

const view = [
  of(undefined, 'task'),
  of(1, 'plan', 'plan'),
  of(1, 'step 1'),
  of(2, 'step 2'),
  of(3, 'step 3'),
  of(undefined, 'of another memory'),
  of(4, 'step 4'),
]
const note = (first: number, last: number): Replaced => ({ first, last, message: of(undefined, `${first} to ${last}`) })

describe('steps that are replaced', () => {
  test('give way to one message where the first of them stood; what is of no step stays', () => {
    expect(contents(replaceSteps(view, [note(2, 3)]))).toEqual([
      'task',
      'plan',
      'step 1',
      '2 to 3',
      'of another memory',
      'step 4',
    ])
  })

  test('leave behind what is kept', () => {
    const kept = replaceSteps(view, [note(1, 2)], (message) => message.note === 'plan')

    expect(contents(kept)).toEqual(['task', '1 to 2', 'plan', 'step 3', 'of another memory', 'step 4'])
  })

  test('just go where nothing takes their place', () => {
    expect(contents(replaceSteps(view, [{ first: 1, last: 4 }]))).toEqual(['task', 'of another memory'])
  })

  test('are not told where none of them is in view', () => {
    expect(replaceSteps(view, [note(7, 9)])).toEqual(view)
  })
})

test('whatever is replaced, no step of it is left and every other message stays in its place', () => {
  const steps = fc.array(fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }), { maxLength: 20 })
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 4 }), (list, first, more) => {
      const messages = list.map((step, at) => of(step, `${at}`))
      const last = first + more
      const isGone = ({ step }: Message): boolean => step !== undefined && first <= step && step <= last
      const replaced = replaceSteps(messages, [note(first, last)])

      expect(replaced.filter(({ content }) => content !== `${first} to ${last}`)).toEqual(
        messages.filter((message) => !isGone(message)),
      )
      expect(replaced.length).toBe(
        messages.filter((message) => !isGone(message)).length + (messages.some(isGone) ? 1 : 0),
      )
    }),
  )
})
