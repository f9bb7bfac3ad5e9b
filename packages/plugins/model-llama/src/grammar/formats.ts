import { charOf, choice, optional, type Part, repeat, row, text } from './grammar.js'

const digits = (count: number): Part => repeat(charOf('0-9'), count, count)
const hex = (count: number): Part => repeat(charOf('0-9a-f'), count, count)

const month = choice(row(text('0'), charOf('1-9')), row(text('1'), charOf('0-2')))
const day = choice(row(text('0'), charOf('1-9')), row(charOf('12'), charOf('0-9')), row(text('3'), charOf('01')))
const date = row(digits(4), text('-'), month, text('-'), day)

const hour = choice(row(charOf('01'), charOf('0-9')), row(text('2'), charOf('0-3')))
const sixty = row(charOf('0-5'), charOf('0-9'))
const zone = choice(text('Z'), row(choice(text('+'), text('-')), hour, text(':'), sixty))
const time = row(hour, text(':'), sixty, text(':'), sixty, optional(text('.'), repeat(charOf('0-9'), 1, 6)), zone)

const uuid = row(hex(8), repeat(row(text('-'), hex(4)), 3, 3), text('-'), hex(12))

/** What a string of a format holds, for the formats whose form is simple. */
export const FORMATS: ReadonlyMap<string, Part> = new Map([
  ['date', date],
  ['time', time],
  ['date-time', row(date, text('T'), time)],
  ['uuid', uuid],
])
