import { workspaceError } from '../errors.js'
import { FUNCTIONS } from './functions.js'
import { expressionError, readTokens, type Token } from './tokens.js'

const MAX_CHARS = 2000
const MAX_DEPTH = 100

/**
 * Evaluates an arithmetic expression, by recursive descent and nothing else.
 *
 * `^` binds closer than a sign before it and groups to the right; `%` is the remainder. Throws
 * `E_WORKSPACE_EXPRESSION` with the position of the fault.
 */
export function evaluate(expression: string): number {
  if (expression.length > MAX_CHARS) {
    throw workspaceError('E_WORKSPACE_EXPRESSION', `The expression is longer than ${MAX_CHARS} characters.`)
  }
  const reader = createReader(readTokens(expression))
  const value = readSum(reader)
  const rest = reader.peek()
  if (rest.kind !== 'end') throw unexpected(rest, 'an operator or the end')
  return value
}

interface Reader {
  peek(): Token
  take(): Token
  /** Takes the next token if it is one of these signs. */
  takeSign(...signs: readonly string[]): Token | undefined
  /** Goes one level deeper for the time of the call. */
  nest<T>(read: () => T): T
}

function createReader(tokens: readonly Token[]): Reader {
  const end = tokens.at(-1) ?? { kind: 'end' as const, text: '' as const, position: 1 }
  let next = 0
  let depth = 0
  const reader: Reader = {
    peek: () => tokens[next] ?? end,
    take: () => tokens[next++] ?? end,
    takeSign(...signs) {
      const token = reader.peek()
      return token.kind === 'sign' && signs.includes(token.text) ? reader.take() : undefined
    },
    nest(read) {
      if (++depth > MAX_DEPTH) throw expressionError(`More than ${MAX_DEPTH} levels`, reader.peek().position)
      const value = read()
      depth--
      return value
    },
  }
  return reader
}

function readSum(reader: Reader): number {
  let value = readProduct(reader)
  for (let sign = reader.takeSign('+', '-'); sign !== undefined; sign = reader.takeSign('+', '-')) {
    const right = readProduct(reader)
    value = finite(sign.text === '+' ? value + right : value - right, sign)
  }
  return value
}

function readProduct(reader: Reader): number {
  let value = readSigned(reader)
  for (let sign = reader.takeSign('*', '/', '%'); sign !== undefined; sign = reader.takeSign('*', '/', '%')) {
    const right = readSigned(reader)
    if (right === 0 && sign.text !== '*')
      throw expressionError(`Division by zero at position ${sign.position}`, sign.position)
    value = finite(sign.text === '*' ? value * right : sign.text === '/' ? value / right : value % right, sign)
  }
  return value
}

function readSigned(reader: Reader): number {
  const sign = reader.takeSign('-', '+')
  if (sign === undefined) return readPower(reader)
  const value = reader.nest(() => readSigned(reader))
  return sign.text === '-' ? -value : value
}

function readPower(reader: Reader): number {
  const base = readOperand(reader)
  const sign = reader.takeSign('^')
  if (sign === undefined) return base
  const exponent = reader.nest(() => readSigned(reader))
  return finite(base ** exponent, sign)
}

function readOperand(reader: Reader): number {
  const token = reader.take()
  if (token.kind === 'number') return finite(token.value, token)
  if (token.kind === 'name') return readCall(reader, token)
  if (token.text !== '(') throw unexpected(token, 'a number, a function or "("')
  const value = reader.nest(() => readSum(reader))
  closeParenthesis(reader)
  return value
}

function readCall(reader: Reader, name: Token): number {
  const fn = FUNCTIONS.get(name.text.toLowerCase())
  if (fn === undefined) {
    const known = [...FUNCTIONS.keys()].join(', ')
    throw expressionError(
      `${JSON.stringify(name.text)} at position ${name.position} is none of ${known}`,
      name.position,
    )
  }
  if (reader.takeSign('(') === undefined) throw unexpected(reader.peek(), `"(" after ${name.text}`)
  const values = reader.nest(() => readArguments(reader))
  const [least, most] = fn.arity
  if (values.length < least || values.length > most) {
    const expected =
      least === most ? `${least}` : most === Number.POSITIVE_INFINITY ? `${least} or more` : `${least} to ${most}`
    throw expressionError(
      `${name.text} at position ${name.position} takes ${expected} values, not ${values.length}`,
      name.position,
    )
  }
  const result = fn.apply(...values)
  if (typeof result === 'string') throw expressionError(`At position ${name.position}: ${result}`, name.position)
  return finite(result, name)
}

function readArguments(reader: Reader): readonly number[] {
  const values: number[] = []
  if (reader.takeSign(')') !== undefined) return values
  do values.push(readSum(reader))
  while (reader.takeSign(',') !== undefined)
  closeParenthesis(reader)
  return values
}

function closeParenthesis(reader: Reader): void {
  if (reader.takeSign(')') === undefined) throw unexpected(reader.peek(), '")"')
}

function unexpected(token: Token, expected: string): Error {
  const found = token.kind === 'end' ? 'The end' : JSON.stringify(token.text)
  return expressionError(`${found} at position ${token.position} where ${expected} is expected`, token.position)
}

function finite(value: number, { text, position }: Token): number {
  if (Number.isFinite(value)) return value
  throw expressionError(`${JSON.stringify(text)} at position ${position} has no finite result`, position)
}
