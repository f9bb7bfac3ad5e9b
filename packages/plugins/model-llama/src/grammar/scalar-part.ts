import { FORMATS } from './formats.js'
import { choice, type Part, type RuleBook, row, text } from './grammar.js'
import { jsonInteger, jsonNumber, jsonString } from './json-rules.js'
import { countOf, type Fields } from './schema-view.js'

/** Whole numbers of a range are written out up to so many. */
const MAX_WRITTEN = 100

/** A string with its lengths, or of a format whose form is simple. */
export function stringPart(fields: Fields, book: RuleBook): Part {
  const min = countOf(fields['minLength'])
  const max = countOf(fields['maxLength'])
  const format = FORMATS.get(String(fields['format']))
  if (format !== undefined && min === undefined && max === undefined) return row(text('"'), format, text('"'))
  return jsonString(book, min, max)
}

/** A whole number: a small range as the numbers themselves, else by its sign and digits. Undefined where none fits. */
export function integerPart(fields: Fields): Part | undefined {
  const { least, most } = boundsOf(fields)
  if (least > most) return undefined
  if (most - least < MAX_WRITTEN) {
    return choice(...Array.from({ length: most - least + 1 }, (_, index) => text(String(least + index))))
  }
  const isBounded = Number.isFinite(most) && Number.isFinite(least)
  const digits = Math.max(...[least, most].map((bound) => Math.abs(bound).toFixed(0).length))
  return jsonInteger(least < 0, isBounded ? digits : undefined)
}

/** A number without an exponent. */
export function numberPart(fields: Fields): Part {
  return jsonNumber(boundsOf(fields).least < 0)
}

/** The whole numbers between which a value is. */
function boundsOf(fields: Fields): { readonly least: number; readonly most: number } {
  const bound = (name: string, none: number): number => {
    const value = fields[name]
    return typeof value === 'number' ? value : none
  }
  const { NEGATIVE_INFINITY: lowest, POSITIVE_INFINITY: highest } = Number
  return {
    least: Math.max(Math.ceil(bound('minimum', lowest)), Math.floor(bound('exclusiveMinimum', lowest)) + 1),
    most: Math.min(Math.floor(bound('maximum', highest)), Math.ceil(bound('exclusiveMaximum', highest)) - 1),
  }
}
