import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchLiteral } from './match-literal.js'

test('a line is found once, with the place of its first match', () => {
  expect([...matchLiteral('ab', 'xab ab\n\nab\nb')]).toEqual([
    { line: 0, column: 1 },
    { line: 2, column: 0 },
  ])
})

test('the lines found are those that include the query', () => {
  const content = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 40 })
  const query = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(content, query, (text, wanted) => {
      const expected = text.split('\n').flatMap((line, index) => {
        const column = line.indexOf(wanted)
        return column < 0 ? [] : [{ line: index, column }]
      })
      expect([...matchLiteral(wanted, text)]).toEqual(expected)
    }),
  )
})
