import { charNotOf, charOf, choice, optional, type Part, type RuleBook, repeat, row, text } from './grammar.js'

/** Digits of the whole part of a number: JavaScript reads all such numbers exactly. */
const MAX_DIGITS = 15

/** What stands between the fields of objects and the items of lists. */
export const COMMA: Part = text(', ')

/** Text of any JSON value, with one space after commas and colons, as models have seen it most. */
export function anyValue(book: RuleBook): Part {
  return book.once('any-value', () =>
    choice(anyObject(book), anyList(book), jsonString(book), jsonNumber(), text('true'), text('false'), text('null')),
  )
}

/** Text of any JSON object. */
export function anyObject(book: RuleBook): Part {
  return book.once('any-object', () => fieldsOf(book, anyValue(book)))
}

/** Text of any JSON list. */
export function anyList(book: RuleBook): Part {
  return book.once('any-list', () => listOf(anyValue(book), 0))
}

/** An object of any names, with values of one kind. */
export function fieldsOf(book: RuleBook, value: Part): Part {
  const field = row(jsonString(book), text(': '), value)
  return row(text('{'), optional(field, repeat(row(COMMA, field), 0)), text('}'))
}

/** A list of so many items of one kind. */
export function listOf(item: Part, min: number, max?: number): Part {
  if (max === 0) return text('[]')
  const most = max === undefined ? undefined : max - 1
  const items = row(item, repeat(row(COMMA, item), Math.max(0, min - 1), most))
  return row(text('['), min > 0 ? items : optional(items), text(']'))
}

/**
 * A JSON string of so many characters. Escapes by number are left out, so that no lone surrogate can be written; all other
 * characters can be written as they are.
 */
export function jsonString(book: RuleBook, min = 0, max?: number): Part {
  const char = book.once('json-char', () => choice(charNotOf('"\\\x00-\x1f\x7f'), row(text('\\'), charOf('"\\/bfnrt'))))
  return row(text('"'), repeat(char, min, max), text('"'))
}

/** A whole number with at most so many digits. */
export function jsonInteger(isSigned = true, digits: number = MAX_DIGITS): Part {
  const most = Math.min(Math.max(digits, 1), MAX_DIGITS)
  const amount = choice(text('0'), row(charOf('1-9'), repeat(charOf('0-9'), 0, most - 1)))
  return isSigned ? row(optional(text('-')), amount) : amount
}

/** A number without an exponent. */
export function jsonNumber(isSigned = true): Part {
  return row(jsonInteger(isSigned), optional(text('.'), repeat(charOf('0-9'), 1, MAX_DIGITS)))
}
