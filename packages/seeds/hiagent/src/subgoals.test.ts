import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { begin, conclude, nameSteps, noSubgoals, type Subgoals, splitAt } from './subgoals.js'

describe('a sub-goal', () => {
  test('that begins closes the one before with the step before', () => {
    const { closed, current } = begin(begin(noSubgoals(), 'read', 1), 'write', 4)

    expect(closed).toEqual([{ number: 1, goal: 'read', first: 1, last: 3, summary: '' }])
    expect(current).toEqual({ number: 2, goal: 'write', first: 4 })
  })

  test('of no step yet gets other words', () => {
    expect(begin(begin(noSubgoals(), 'read', 1), 'look', 1)).toEqual({
      closed: [],
      current: { number: 1, goal: 'look', first: 1 },
    })
  })

  test('that is not named is one all the same', () => {
    expect(begin(noSubgoals(), 'read', 3).closed).toEqual([{ number: 1, goal: '', first: 1, last: 2, summary: '' }])
  })

  test('that grew too long goes on under its name', () => {
    const { closed, current } = splitAt(begin(noSubgoals(), 'read', 1), 6, 'half is read')

    expect(closed[0]).toEqual({ number: 1, goal: 'read', first: 1, last: 6, summary: 'half is read' })
    expect(current).toEqual({ number: 2, goal: 'read', first: 7 })
  })

  test('is named by its steps', () => {
    expect([nameSteps({ first: 2, last: 2 }), nameSteps({ first: 2, last: 5 })]).toEqual(['step 2', 'steps 2 to 5'])
  })
})

test('whatever begins and ends, every step is of one sub-goal, and their numbers count up', () => {
  const change = fc.record({
    kind: fc.constantFrom('begin', 'split', 'conclude'),
    steps: fc.integer({ min: 0, max: 3 }),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      let step = 1
      let all: Subgoals = noSubgoals()
      for (const { kind, steps } of changes) {
        step += steps
        if (kind === 'begin') all = begin(all, `from ${step}`, step)
        else if (kind === 'conclude') all = conclude(all, all.closed.length, 'done')
        else if (step > all.current.first) all = splitAt(all, step - 1, 'so far')
      }
      const ends = [...all.closed, { ...all.current, last: Number.POSITIVE_INFINITY }]
      expect(ends.map(({ number }) => number)).toEqual(ends.map((_, at) => at + 1))
      expect(ends.map(({ first }) => first)).toEqual([1, ...ends.slice(0, -1).map(({ last }) => last + 1)])
    }),
  )
})
