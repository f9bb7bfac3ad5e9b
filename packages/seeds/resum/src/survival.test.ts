import type { Message } from '@harnesswright/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Summarised, type Survival, survivalOf } from './survival.js'

/** The check of a summary of a task that names X-1. */
function check(about: Omit<Summarised, 'head'>, mostChars: number): Survival {
  return survivalOf({ head: [{ role: 'user', content: 'What is X-1?' }], ...about }, mostChars)
}

const said = (content: string, args?: string): Message => ({
  role: 'assistant',
  content,
  ...(args === undefined ? {} : { toolCalls: [{ id: 'c1', name: 'read', arguments: args }] }),
})
const seen = (content: string): Message => ({ role: 'tool', callId: 'c1', content })

describe('what a summary lost', () => {
  test('are the sentences in which the model took up an identifier that it had observed', () => {
    const steps = [
      said('Reading on.'),
      seen('I-101 pump 3, I-102 press 4, I-999 noise'),
      said('I-101 is pump 3. I-102 is press 4; more to come.\nNext: the second page.'),
    ]

    expect(check({ steps, former: '', summary: 'I-101 is pump 3.' }, 500).lost).toEqual(['I-102 is press 4;'])
  })

  test('is not what only an observation named, nor what the model made up', () => {
    const steps = [seen('I-101, I-102'), said('I guess that I-777 is next.')]

    expect(check({ steps, former: '', summary: 'Nothing yet.' }, 500).lost).toEqual([])
  })

  test('is also what stood in the summary before, and what that one had lost', () => {
    const former = 'I-101 is pump 3.\nI-102 is press 4.'

    expect(check({ steps: [], former, summary: 'I-102 is press 4.' }, 500).lost).toEqual(['I-101 is pump 3.'])
  })

  test('is told once, in its last words, in the order of these', () => {
    const steps = [
      seen('I-101 I-102'),
      said('I-101 is a pump.'),
      said('I-102 is a press.'),
      said('I-101 is pump 3 of hall B.'),
    ]

    expect(check({ steps, former: '', summary: 'x' }, 500).lost).toEqual([
      'I-102 is a press.',
      'I-101 is pump 3 of hall B.',
    ])
  })

  test('is kept while there is room for it, the latest first', () => {
    const steps = [seen('I-101 I-102 I-103'), said('I-101 is one.\nI-102 is two.\nI-103 is three.')]

    expect(check({ steps, former: '', summary: 'x' }, 30).lost).toEqual(['I-102 is two.', 'I-103 is three.'])
    expect(check({ steps, former: '', summary: 'x' }, 0).lost).toEqual([])
  })
})

describe('what a summary made up', () => {
  test('are identifiers that stand nowhere in the steps, and not in the task', () => {
    const steps = [said('I-101 is 12 minutes.', '{"path":"log/part-01.txt"}'), seen('I-102')]
    const summary = 'I-101, I-102 and I-103 are told in log/part-01.txt; I-100 before; X-1 is one; 14 in all.'

    expect(check({ steps, former: 'I-100', summary }, 500).unknown).toEqual(['I-103'])
  })
})

test('whatever is summarised, a summary and what it lost hold every identifier that the model took up', () => {
  const identifier = fc.integer({ min: 100, max: 130 }).map((number) => `I-${number}`)
  const step = fc.record({
    seen: fc.array(identifier, { maxLength: 4 }),
    taken: fc.array(identifier, { maxLength: 4 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 6 }), fc.array(identifier), fc.array(identifier), (list, before, kept) => {
      const steps = list.flatMap((one) => [
        seen(one.seen.join(' ')),
        said(one.taken.map((id) => `${id} is known.`).join(' ')),
      ])
      const former = before.map((id) => `${id} was known.`).join('\n')
      const summary = kept.join(', ')
      const { lost, unknown } = check({ steps, former, summary }, 10_000)
      const observed = [...before, ...list.flatMap((one) => one.seen)]
      const taken = [...before, ...list.flatMap((one) => one.taken)]

      const text = [summary, ...lost].join('\n')
      for (const id of taken.filter((one) => observed.includes(one))) expect(text).toContain(id)
      expect(new Set(lost).size).toBe(lost.length)
      for (const id of unknown) expect([...observed, ...taken]).not.toContain(id)
    }),
  )
})
