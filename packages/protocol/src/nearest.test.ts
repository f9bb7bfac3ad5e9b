import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editDistance, isMisspelling, nearestNames } from './nearest.js'

describe('editDistance', () => {
  test.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['memory', 'memroy', 1],
    ['ab', 'ba', 1],
    ['ca', 'abc', 3],
  ])('between "%s" and "%s" is %i', (a, b, edits) => {
    expect(editDistance(a, b)).toBe(edits)
  })

  test('is symmetric, and at most the longer length', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        const edits = editDistance(a, b)
        expect(edits).toBe(editDistance(b, a))
        expect(edits).toBeLessThanOrEqual(Math.max(a.length, b.length))
        expect(edits === 0).toBe(a === b)
      }),
    )
  })
})

describe('nearestNames', () => {
  test('gives the three most alike, the most alike first', () => {
    const names = ['steps', 'read_file', 'tokens', 'budgets', 'x', 'budget']

    expect(nearestNames('budgte', names)).toEqual(['budget', 'budgets', expect.any(String)])
  })

  test('puts names that hold the wanted one first, whatever their length', () => {
    const names = ['@h/x#memory', '@harnesswright/seed-resum#memory', '@harnesswright/seed-react#memory']

    expect(nearestNames('seed-resum#memory', names)[0]).toBe('@harnesswright/seed-resum#memory')
  })

  test('takes upper and lower case as the same, and each candidate once', () => {
    expect(nearestNames('READ_FILE', ['write_file', 'read_file', 'read_file'], 2)).toEqual(['read_file', 'write_file'])
  })

  test('gives what there is when there is less', () => {
    expect(nearestNames('x', [])).toEqual([])
    expect(nearestNames('x', ['yy'])).toEqual(['yy'])
  })

  test('does not depend on the order of the candidates', () => {
    const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 4 })
    fc.assert(
      fc.property(fc.string({ maxLength: 6 }), names, (name, candidates) => {
        expect(nearestNames(name, candidates.toReversed())).toEqual(nearestNames(name, candidates))
      }),
    )
  })

  test('finds the candidate itself first', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1 }), (names) => {
        for (const name of names) expect(nearestNames(name, names)[0]).toBe(name)
      }),
    )
  })

  test('bounds its work for a very long name', () => {
    const started = performance.now()
    nearestNames('a'.repeat(200_000), ['a'.repeat(200_000), 'b'.repeat(200_000)])
    expect(performance.now() - started).toBeLessThan(3_000)
  })
})

describe('isMisspelling', () => {
  test.each([
    ['memry', 'memory', true],
    ['Memory', 'memory', true],
    ['nmae', 'name', true],
    ['uses', 'use', true],
    ['action', 'memory', false],
    ['name', 'use', false],
    ['plan', 'planning', false],
  ])('%s for %s: %s', (name, of, isOne) => {
    expect(isMisspelling(name, of)).toBe(isOne)
  })
})
