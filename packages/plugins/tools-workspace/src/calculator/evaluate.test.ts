import fc from 'fast-check'
import { expect, test } from 'vitest'
import { catchError } from '../../test/thrown.js'
import { evaluate } from './evaluate.js'
import { formatNumber } from './format-number.js'

const calculate = (expression: string) => formatNumber(evaluate(expression))

test.each([
  ['1 + 2 * 3', '7'],
  ['(1 + 2) * 3', '9'],
  ['10 - 4 - 3', '3'],
  ['100 / 10 / 2', '5'],
  ['7 % 4', '3'],
  ['-7 % 4', '-3'],
  ['2 ^ 3 ^ 2', '512'],
  ['-2 ^ 2', '-4'],
  ['(-2) ^ 2', '4'],
  ['2 ^ -1', '0.5'],
  ['2 ** 3', '8'],
  ['6 × 7 ÷ 2 − 1', '20'],
  ['--5', '5'],
  ['+5', '5'],
  ['.5 + 1.', '1.5'],
  ['1e3 + 2.5E-1', '1000.25'],
  ['sqrt(16) + abs(-3)', '7'],
  ['SUM(1, 2, 3.5)', '6.5'],
  ['min(3, 1, 2) - max(1, 5)', '-4'],
  ['floor(-1.5) + ceil(1.2)', '0'],
  ['0 * -1', '0'],
  ['  12  ', '12'],
])('%s is %s', (expression, expected) => {
  expect(calculate(expression)).toBe(expected)
})

test.each([
  ['0.1 + 0.2', '0.3'],
  ['19.99 * 3', '59.97'],
  ['1.1 * 1.1', '1.21'],
  ['round(2.675, 2)', '2.68'],
  ['round(1.005, 2)', '1.01'],
  ['round(-2.5)', '-3'],
  ['round(1234.5, -2)', '1200'],
  ['round(1e21, 2)', '1e+21'],
  ['ceil(0.1 * 3 * 10)', '3'],
  ['floor(0.3 / 0.1)', '3'],
  ['1 / 3', '0.333333333333'],
  ['9007199254740991 - 1', '9007199254740990'],
  ['2 ^ 70', '1.18059162072e+21'],
])('%s is written as %s, without the noise of binary fractions', (expression, expected) => {
  expect(calculate(expression)).toBe(expected)
})

test.each([
  ['', 'The end at position 1'],
  ['   ', 'The end at position 1'],
  ['1 +', 'The end at position 4'],
  ['1 + * 2', '"*" at position 5'],
  ['(1 + 2', 'The end at position 7'],
  ['1 + 2)', '")" at position 6'],
  ['1 2', '"2" at position 3'],
  ['3 $ 4', '"$" at position 3'],
  ['a + 1', '"a" at position 1'],
  ['1 + constructor(2)', '"constructor" at position 5'],
  ['process.exit()', '"." at position 8'],
  ['sqrt 4', '"4" at position 6'],
  ['sqrt(-1)', 'At position 1'],
  ['sqrt()', 'sqrt at position 1 takes 1 values, not 0'],
  ['round(1, 2, 3)', 'round at position 1 takes 1 to 2 values, not 3'],
  ['min()', 'min at position 1 takes 1 or more values, not 0'],
  ['round(1, 0.5)', 'At position 1'],
  ['1 / 0', 'Division by zero at position 3'],
  ['5 % (2 - 2)', 'Division by zero at position 3'],
  ['10 ^ 400', '"^" at position 4'],
  ['(-1) ^ 0.5', '"^" at position 6'],
  ['1e999', '"1e999" at position 1'],
  ['1,5', '"," at position 2'],
  ['💰 + 1', '"💰" at position 1'],
])('%s is refused with the position of the fault', async (expression, words) => {
  const error = await catchError(() => evaluate(expression))

  expect(error.code).toBe('E_WORKSPACE_EXPRESSION')
  expect(error.message).toContain(words)
})

test('a hundred levels are read and more are refused', async () => {
  const nest = (levels: number) => `${'('.repeat(levels)}1${')'.repeat(levels)}`

  expect(evaluate(nest(100))).toBe(1)
  expect((await catchError(() => evaluate(nest(101)))).message).toContain('More than 100 levels')
  expect((await catchError(() => evaluate(`${'-'.repeat(101)}1`))).message).toContain('More than 100 levels')
})

test('nesting without end and endless text are refused, not run out of stack', async () => {
  for (const expression of ['('.repeat(1000), '-'.repeat(1000), `2${'^2'.repeat(900)}`, '1+'.repeat(2000)]) {
    expect((await catchError(() => evaluate(expression))).code).toBe('E_WORKSPACE_EXPRESSION')
  }
})

type Expression = { readonly text: string; readonly value: number }

const expressions = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.integer({ min: 0, max: 1000 }).map((value) => ({ text: String(value), value })),
    fc.tuple(tie('expression'), fc.constantFrom('+', '-', '*'), tie('expression')).map(([left, sign, right]) => ({
      text: `(${left.text}${sign} ${right.text})`,
      value:
        sign === '+' ? left.value + right.value : sign === '-' ? left.value - right.value : left.value * right.value,
    })),
    tie('expression').map(({ text, value }) => ({ text: `-${text}`, value: -value })),
    tie('expression').map(({ text, value }) => ({ text: `abs(${text})`, value: Math.abs(value) })),
  ),
})).expression

test('an expression has the value of the tree it was written from', () => {
  fc.assert(
    fc.property(expressions, ({ text, value }) => {
      fc.pre(text.length <= 2000)
      expect(evaluate(text)).toBe(value)
    }),
  )
})

test('a sum of prices in cents is exact to the cent', () => {
  const prices = fc.array(fc.integer({ min: 0, max: 99_999_999 }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(prices, (cents) => {
      const expression = cents.map((price) => (price / 100).toFixed(2)).join(' + ')
      const total = cents.reduce((sum, price) => sum + price, 0)
      expect(Math.round(Number(calculate(expression)) * 100)).toBe(total)
    }),
  )
})
