import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addFold, entriesOf, type Fold, faultOfRange, nameEntries, type Range } from './entries.js'

const fold = (first: number, last: number): Fold => ({ first, last, text: 'x' })
const entries = (steps: number, folds: readonly Fold[] = [], covered: readonly Range[] = []) =>
  entriesOf({ steps, folds, covered })

describe('entries', () => {
  test('are steps, and folds in place of theirs', () => {
    expect(nameEntries(entries(6, [fold(2, 4)]))).toBe('1, 2 to 4, 5, 6')
  })

  test('are not what another memory stands for, nor a fold of which it stands for a part', () => {
    expect(nameEntries(entries(8, [fold(2, 4), fold(6, 7)], [[1, 3]]))).toBe('4, 5, 6 to 7, 8')
  })

  test('of a long history are named at both ends', () => {
    expect(nameEntries(entries(60))).toMatch(/^1, 2, .*, 20, … 41, .*, 60$/)
  })
})

describe('a range', () => {
  test.each<[string, Range, readonly Fold[], RegExp | undefined]>([
    ['of steps', [2, 4], [], undefined],
    ['of one step', [5, 5], [], undefined],
    ['of a fold and steps', [1, 5], [fold(2, 4)], undefined],
    ['of a fold alone', [2, 4], [fold(2, 4)], undefined],
    ['that ends within a fold (D15.2)', [1, 3], [fold(2, 4)], /cuts through the fold of steps 2 to 4/],
    ['that begins within a fold (D15.2)', [3, 6], [fold(2, 4)], /cuts through the fold of steps 2 to 4/],
    ['within a fold', [3, 3], [fold(2, 4)], /cuts through the fold of steps 2 to 4/],
    ['that goes beyond the last step', [5, 7], [], /steps 5 to 7 are not all there/],
    ['that begins before the first', [0, 2], [], /steps 0 to 2 are not all there/],
    ['that is turned round', [4, 2], [], /the first step, 4, comes after the last one, 2/],
  ])('%s', (_what, range, folds, fault) => {
    const found = faultOfRange(range, entries(6, folds))

    if (fault === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(fault)
  })

  test('that is refused is answered with what can be folded', () => {
    expect(faultOfRange([1, 3], entries(6, [fold(2, 4)]))).toMatch(/to the last of one: 1, 2 to 4, 5, 6$/)
    expect(faultOfRange([1, 1], [])).toBe('there is no step to fold yet')
  })

  test('with a step that another memory stands for is refused', () => {
    expect(faultOfRange([2, 5], entries(6, [], [[1, 3]]))).toMatch(/not all there/)
  })
})

test('a fold takes the place of those inside it, and folds stay in order', () => {
  const folds = addFold(addFold(addFold([], fold(5, 6)), fold(1, 2)), fold(4, 6))

  expect(folds.map(({ first, last }) => [first, last])).toEqual([
    [1, 2],
    [4, 6],
  ])
})

test('whatever is folded, every step is in one entry, and a fold that is taken leaves its steps to no other', () => {
  const ranges = fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 8 })), { maxLength: 12 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), ranges, (steps, list) => {
      let folds: readonly Fold[] = []
      for (const [first, more] of list) {
        if (faultOfRange([first, first + more], entries(steps, folds)) === undefined)
          folds = addFold(folds, fold(first, first + more))
      }
      const inEntries = entries(steps, folds).flatMap(({ first, last }) =>
        Array.from({ length: last - first + 1 }, (_, index) => first + index),
      )

      expect(inEntries).toEqual(Array.from({ length: steps }, (_, index) => index + 1))
    }),
  )
})
