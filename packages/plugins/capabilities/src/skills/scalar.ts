/** A text of a front matter, or what is wrong with it. */
export type ReadScalar = { readonly text: string; readonly fault?: undefined } | { readonly fault: string }

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\', '/': '/', '0': '' }

/**
 * A text as YAML writes it: plain, in quotes, or as a block after `|` or `>`. Lists, maps, anchors and tags are no texts.
 *
 * @param value - What stands behind the key.
 * @param more - The lines that belong to it, as they are.
 */
export function readScalar(value: string, more: readonly string[]): ReadScalar {
  if (/^[|>][+-]?$/.test(value)) return { text: readBlock(value, more) }
  const whole = [value, ...more.map((line) => line.trim())].filter((line) => line !== '').join(' ')
  if (whole.startsWith('"')) return readDouble(whole)
  if (whole.startsWith("'")) return readSingle(whole)
  if (/^(?:[[{&*!]|- )/.test(whole) || /^[\w-]+:(?:\s|$)/.test(more[0]?.trim() ?? ''))
    return { fault: 'is no text: expected words, text in quotes, or a block after | or >' }
  return { text: whole.replace(/(?:^|\s)#.*$/, '') }
}

/** The lines without what all of them are indented by: as they are after `|`, as paragraphs after `>`. */
function readBlock(value: string, more: readonly string[]): string {
  const indents = more.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const indent = indents.length === 0 ? 0 : Math.min(...indents)
  const text = more.map((line) => line.slice(indent).trimEnd()).join('\n')
  return value.startsWith('|') ? text : text.replace(/([^\n])\n(?!\n)/g, '$1 ').replace(/\n+ ?/g, '\n')
}

function readSingle(whole: string): ReadScalar {
  const [, text, rest] = /^'((?:[^']|'')*)'(.*)$/s.exec(whole) ?? []
  if (text === undefined || !isComment(rest))
    return { fault: "is in quotes that are not closed: expected a ' at its end" }
  return { text: text.replaceAll("''", "'") }
}

function readDouble(whole: string): ReadScalar {
  const [, text, rest] = /^"((?:[^"\\]|\\.)*)"(.*)$/s.exec(whole) ?? []
  if (text === undefined || !isComment(rest))
    return { fault: 'is in quotes that are not closed: expected a " at its end' }
  const unknown = Array.from(text.matchAll(/\\(u[0-9a-fA-F]{4}|.)/g)).find(([, code = '']) => !isEscape(code))
  if (unknown !== undefined) return { fault: `has the escape ${unknown[0]}, which is none: write \\\\ for a backslash` }
  return { text: text.replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_, code: string) => textOf(code)) }
}

function isEscape(code: string): boolean {
  return code.length > 1 || Object.hasOwn(ESCAPES, code)
}

function textOf(code: string): string {
  return code.length > 1 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (ESCAPES[code] ?? '')
}

function isComment(rest = ''): boolean {
  return /^\s*(?:#.*)?$/.test(rest)
}
