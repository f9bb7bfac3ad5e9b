import { quote, workspaceError } from '../errors.js'

/** A piece of an expression and where it begins, from 1. */
export type Token =
  | { readonly kind: 'number'; readonly value: number; readonly text: string; readonly position: number }
  | { readonly kind: 'name' | 'sign'; readonly text: string; readonly position: number }
  | { readonly kind: 'end'; readonly text: ''; readonly position: number }

const PIECE = /\s*(?:(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|([a-z_]\w*)|(\*\*|[-+*/%^(),×÷−]))/iy
const SAME_SIGN: Readonly<Record<string, string>> = { '**': '^', '×': '*', '÷': '/', '−': '-' }

/** Takes an expression apart. Throws `E_WORKSPACE_EXPRESSION` with the position of what is no piece of one. */
export function readTokens(expression: string): readonly Token[] {
  const tokens: Token[] = []
  const end = expression.trimEnd().length
  PIECE.lastIndex = 0
  for (let from = 0; from < end; from = PIECE.lastIndex) {
    const match = PIECE.exec(expression)
    if (match === null) throw unreadable(expression, from)
    tokens.push(toToken(match, PIECE.lastIndex))
  }
  return [...tokens, { kind: 'end', text: '', position: end + 1 }]
}

function toToken([, number, name, sign]: RegExpExecArray, end: number): Token {
  const text = number ?? name ?? sign ?? ''
  const position = end - text.length + 1
  if (number !== undefined) return { kind: 'number', value: Number(number), text, position }
  if (name !== undefined) return { kind: 'name', text: name, position }
  return { kind: 'sign', text: SAME_SIGN[text] ?? text, position }
}

function unreadable(expression: string, from: number): Error {
  const rest = expression.slice(from).trimStart()
  const position = expression.length - rest.length + 1
  const found = quote(String.fromCodePoint(rest.codePointAt(0) ?? 0))
  return expressionError(`${found} at position ${position} means nothing in an expression`, position)
}

/** An error at a position of the expression. */
export function expressionError(what: string, position: number): Error {
  const message = `${what}. Expected numbers, + - * / % ^, parentheses and functions, as in "round(3 * 4.5, 1)".`
  return workspaceError('E_WORKSPACE_EXPRESSION', message, { position })
}
