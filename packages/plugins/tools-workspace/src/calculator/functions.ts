// What a number in decimal notation stands for: 2.675 and not 2.67499999999999982236431605997495353221893310546875.
const toDecimal = (value: number): number => Number(value.toPrecision(15))

function roundTo(value: number, digits: number): number {
  const size = Math.abs(toDecimal(value))
  const shifted = Math.round(shift(size, digits))
  return Math.sign(value) * shift(shifted, -digits)
}

// by exponent, as a product by a power of ten would not be exact
function shift(value: number, digits: number): number {
  const [mantissa = '', exponent = '0'] = String(value).split('e')
  return Number(`${mantissa}e${Number(exponent) + digits}`)
}

/** A function of the calculator. */
export interface NumberFunction {
  /** Least and most arguments. */
  readonly arity: readonly [least: number, most: number]
  /** The result, or words that say why there is none. */
  apply(...values: readonly number[]): number | string
}

const MANY = Number.POSITIVE_INFINITY

/** The functions by name. Halves are rounded away from zero. */
export const FUNCTIONS: ReadonlyMap<string, NumberFunction> = new Map<string, NumberFunction>([
  [
    'sqrt',
    { arity: [1, 1], apply: (value = 0) => (value < 0 ? 'the square root of a negative number' : Math.sqrt(value)) },
  ],
  ['abs', { arity: [1, 1], apply: (value = 0) => Math.abs(value) }],
  ['floor', { arity: [1, 1], apply: (value = 0) => Math.floor(toDecimal(value)) }],
  ['ceil', { arity: [1, 1], apply: (value = 0) => Math.ceil(toDecimal(value)) }],
  ['min', { arity: [1, MANY], apply: (...values) => Math.min(...values) }],
  ['max', { arity: [1, MANY], apply: (...values) => Math.max(...values) }],
  ['sum', { arity: [1, MANY], apply: (...values) => values.reduce((total, value) => total + value, 0) }],
  [
    'round',
    {
      arity: [1, 2],
      apply: (value = 0, digits = 0) =>
        Number.isInteger(digits) && Math.abs(digits) <= 15
          ? roundTo(value, digits)
          : 'rounding to a number of digits that is no integer from -15 to 15',
    },
  ],
])
