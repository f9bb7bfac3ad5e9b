import type { JsonSchema } from '@harnesswright/core'
import { type Fields, fieldsOf, parseJson } from '../json-fields.js'

/** One call as it stands in a text. */
export interface Marker {
  readonly name: string
  /** The whole marker. */
  readonly source: string
  /** Its arguments; a dialect without types takes those of the tool. */
  read(parameters: JsonSchema): Fields
}

/** A marker and where it ends, or undefined when none begins there. */
type Found = { readonly marker: Marker; readonly end: number } | undefined

/** The markers that a text is, or undefined when it is anything else. */
export function parseMarkers(text: string): readonly Marker[] | undefined {
  const markers: Marker[] = []
  for (let at = 0; at < text.length; at = skipBlanks(text, at)) {
    const found = markerAt(text, at)
    if (found === undefined) return undefined
    markers.push(found.marker)
    at = found.end
  }
  return markers.length === 0 ? undefined : markers
}

function markerAt(text: string, start: number): Found {
  const open = '<tool_call>'
  if (!text.startsWith(open, start)) return functionAt(text, start)
  const inner = skipBlanks(text, start + open.length)
  if (text.startsWith('{', inner)) return jsonAt(text, start, inner)
  const found = text.startsWith('<function=', inner) ? functionAt(text, inner) : argKeysAt(text, inner)
  const end = found === undefined ? -1 : closeAt(text, found.end, '</tool_call>')
  if (found === undefined || end < 0) return undefined
  return { marker: { ...found.marker, source: text.slice(start, end) }, end }
}

/** `{"name": …, "arguments": {…}}`. A closing tag may also stand in a text of the JSON: the first that leaves JSON counts. */
function jsonAt(text: string, start: number, inner: number): Found {
  const close = '</tool_call>'
  let at = text.indexOf(close, inner)
  for (let tries = 0; at >= 0 && tries < 32; tries++, at = text.indexOf(close, at + 1)) {
    const call = fieldsOf(parseJson(text.slice(inner, at)))
    if (call === undefined) continue
    const { name, arguments: given, parameters } = call
    const value = fieldsOf(typeof given === 'string' ? parseJson(given) : (given ?? parameters ?? {}))
    if (typeof name !== 'string' || value === undefined) return undefined
    const end = at + close.length
    return { marker: { name, source: text.slice(start, end), read: () => value }, end }
  }
  return undefined
}

/** `<function=name><parameter=key>value</parameter>…</function>` */
function functionAt(text: string, start: number): Found {
  const head = tagAt(text, start, '<function=')
  if (head === undefined) return undefined
  const pairs: [string, string][] = []
  let at = skipBlanks(text, head.end)
  for (let key = tagAt(text, at, '<parameter='); key !== undefined; key = tagAt(text, at, '<parameter=')) {
    const close = text.indexOf('</parameter>', key.end)
    if (close < 0) return undefined
    pairs.push([key.name, text.slice(key.end, close)])
    at = skipBlanks(text, close + '</parameter>'.length)
  }
  const end = closeAt(text, at, '</function>')
  return end < 0 ? undefined : { marker: typedMarker(head.name, pairs, text.slice(start, end)), end }
}

/** `name<arg_key>key</arg_key><arg_value>value</arg_value>…` */
function argKeysAt(text: string, start: number): Found {
  const stop = text.indexOf('<', start)
  const name = stop < 0 ? '' : text.slice(start, stop).trim()
  if (!/^[^\s<>]+$/.test(name)) return undefined
  const pairs: [string, string][] = []
  let at = stop
  while (text.startsWith('<arg_key>', at)) {
    const keyEnd = text.indexOf('</arg_key>', at)
    const valueAt = keyEnd < 0 ? -1 : skipBlanks(text, keyEnd + '</arg_key>'.length)
    if (valueAt < 0 || !text.startsWith('<arg_value>', valueAt)) return undefined
    const valueEnd = text.indexOf('</arg_value>', valueAt)
    if (valueEnd < 0) return undefined
    pairs.push([
      text.slice(at + '<arg_key>'.length, keyEnd).trim(),
      text.slice(valueAt + '<arg_value>'.length, valueEnd),
    ])
    at = skipBlanks(text, valueEnd + '</arg_value>'.length)
  }
  return { marker: typedMarker(name, pairs, ''), end: at }
}

function typedMarker(name: string, pairs: readonly (readonly [string, string])[], source: string): Marker {
  return {
    name,
    source,
    read: (parameters) => Object.fromEntries(pairs.map(([key, text]) => [key, typedValue(key, text, parameters)])),
  }
}

/** A text where the tool wants a text; else what it is as JSON, and a text where it is none. */
function typedValue(key: string, text: string, parameters: JsonSchema): unknown {
  const plain = text.replace(/^\r?\n/, '').replace(/\r?\n$/, '')
  const type = fieldsOf(fieldsOf(parameters['properties'])?.[key])?.['type']
  if (type === 'string') return plain
  const value = parseJson(plain)
  return value === undefined ? plain : value
}

function tagAt(text: string, at: number, open: string): { readonly name: string; readonly end: number } | undefined {
  if (!text.startsWith(open, at)) return undefined
  const close = text.indexOf('>', at)
  const name = close < 0 ? '' : text.slice(at + open.length, close)
  return /^[^\s<>]+$/.test(name) ? { name, end: close + 1 } : undefined
}

function closeAt(text: string, from: number, tag: string): number {
  const at = skipBlanks(text, from)
  return text.startsWith(tag, at) ? at + tag.length : -1
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text[at] as string)) at++
  return at
}
