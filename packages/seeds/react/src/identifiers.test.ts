import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { identifiersIn, mainIdentifiers } from './identifiers.js'

describe('an identifier', () => {
  test('is a code, a path, an address or a number of three digits and more', () => {
    const text =
      'Order I-101 (file lists/halden.csv, see https://a.example/x?y=1) of ops@a.example costs 1,340.50 since 2026-01-31.'

    expect(identifiersIn(text)).toEqual([
      'I-101',
      'lists/halden.csv',
      'https://a.example/x?y=1',
      'ops@a.example',
      '340.50',
      '2026-01-31',
    ])
  })

  test.each([
    ['words', 'the pump and/or the press'],
    ['short numbers', 'pump 3 stood still for 14 minutes'],
    ['times of day', 'at 09:30 and 23:59:59'],
    ['data', `${'ab12'.repeat(30)} is a hash`],
    ['nothing', ''],
  ])('is not %s', (_what, text) => {
    expect(identifiersIn(text)).toEqual([])
  })

  test('is given once, in the order of the text', () => {
    expect(identifiersIn('B-2, then A-1, then B-2 again.')).toEqual(['B-2', 'A-1'])
  })

  test('in any script is one', () => {
    expect(identifiersIn('Заказ Ж-17, 部品A12')).toEqual(['Ж-17', '部品A12'])
  })
})

test('of many, those with letters come before bare numbers', () => {
  expect(mainIdentifiers('4711, 815, part X-1 and X-2', 3)).toEqual(['X-1', 'X-2', '4711'])
  expect(mainIdentifiers('X-1 and X-2', 0)).toEqual([])
})

test('whatever a text is, every identifier stands in it, once in the list, and what stands around makes no difference', () => {
  const texts = fc.oneof(fc.string({ maxLength: 60 }), fc.string({ unit: 'grapheme', maxLength: 60 }))
  fc.assert(
    fc.property(texts, (text) => {
      const found = identifiersIn(text)

      expect(new Set(found).size).toBe(found.length)
      expect(found.filter((identifier) => !text.includes(identifier))).toEqual([])
      expect(identifiersIn(`${text}\nthen (I-1234).`)).toEqual([...new Set([...found, 'I-1234'])])
    }),
  )
})

test('a long text is read in time that grows with its length alone', () => {
  const hostile = ['a.'.repeat(200_000), 'a1/'.repeat(150_000), '@.'.repeat(200_000), '1:'.repeat(200_000)]

  const at = performance.now()
  for (const text of hostile) identifiersIn(text)

  expect(performance.now() - at).toBeLessThan(2_000)
})
