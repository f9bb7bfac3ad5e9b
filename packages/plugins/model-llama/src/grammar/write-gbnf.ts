import type { CodeRange, Grammar, Part } from './grammar.js'

/** The grammar in the notation of llama.cpp, GBNF. */
export function writeGbnf({ root, rules }: Grammar): string {
  const lines = [...rules].map(([name, part]) => `${name} ::= ${written(part)}`)
  return [`root ::= ${written(root)}`, ...lines].join('\n')
}

function written(part: Part): string {
  switch (part.kind) {
    case 'text':
      return `"${Array.from(part.text, textChar).join('')}"`
    case 'char':
      return `[${part.isOther ? '^' : ''}${part.ranges.map(writtenRange).join('')}]`
    case 'rule':
      return part.name
    case 'row':
      return part.parts.length === 0 ? '""' : part.parts.map(grouped).join(' ')
    case 'choice':
      return part.parts.map(written).join(' | ')
    case 'repeat':
      return `${grouped(part.part)}${bounds(part.min, part.max)}`
  }
}

function grouped(part: Part): string {
  const isAlone = part.kind === 'char' || part.kind === 'rule' || part.kind === 'text'
  return isAlone ? written(part) : `(${written(part)})`
}

function bounds(min: number, max: number | undefined): string {
  if (max === undefined) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`
  return min === 0 && max === 1 ? '?' : `{${min},${max}}`
}

function textChar(char: string): string {
  const code = char.codePointAt(0) as number
  return char === '"' || char === '\\' || code < 0x20 || code === 0x7f ? escaped(code) : char
}

function writtenRange([first, last]: CodeRange): string {
  return first === last ? classChar(first) : `${classChar(first)}-${classChar(last)}`
}

function classChar(code: number): string {
  const char = String.fromCodePoint(code)
  return /[a-zA-Z0-9]/.test(char) ? char : escaped(code)
}

function escaped(code: number): string {
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0')}`
  return `\\U${code.toString(16).padStart(8, '0')}`
}
