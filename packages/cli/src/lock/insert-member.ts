import type { ObjectPlace } from './json-places.js'

/** A key and its value as they come into an object of a text. */
export interface NewMember {
  readonly key: string
  /** A text, or an object of texts. */
  readonly value: string | Readonly<Record<string, string>>
  /** Its place among the members that are there. */
  readonly index: number
}

/**
 * The text with one more member in an object of it, laid out as its neighbours are. Nothing of the text is changed or lost.
 *
 * @param outer - How the object around this one is laid out, for one without members.
 */
export function insertMember(text: string, object: ObjectPlace, member: NewMember, outer?: Layout): string {
  const layout = object.members.length === 0 ? within(outer ?? ONE_LINE) : layoutOf(text, object)
  const written = `${JSON.stringify(member.key)}${layout.colon}${writeValue(member.value, layout)}`
  const { members, start, end } = object
  const next = members[member.index]
  const last = members.at(-1)
  if (next !== undefined) return splice(text, next.start, next.start, `${written},${layout.between}`)
  if (last !== undefined) return splice(text, last.place.end, last.place.end, `,${layout.between}${written}`)
  return splice(text, start + 1, end - 1, `${layout.first}${written}${layout.end}`)
}

/** White space of an object: before its first member, between two, before its end, and around the colon. */
export interface Layout {
  readonly first: string
  readonly between: string
  readonly end: string
  readonly colon: string
}

const ONE_LINE: Layout = { first: ' ', between: ' ', end: ' ', colon: ': ' }

/** How an object with members is laid out. */
export function layoutOf(text: string, { members, start, end }: ObjectPlace): Layout {
  const [head, second] = members
  const last = members.at(-1)
  if (head === undefined || last === undefined) return ONE_LINE
  const colon = text.slice(head.keyEnd, head.place.start)
  const first = text.slice(start + 1, head.start)
  const between = second === undefined ? '' : text.slice(head.place.end, second.start).replace(',', '')
  return {
    first,
    between: between || first || (colon.endsWith(' ') ? ' ' : ''),
    end: text.slice(last.place.end, end - 1),
    colon,
  }
}

/** How an object would be laid out as a value of one that is laid out so. */
function within({ first, between, end, colon }: Layout): Layout {
  if (!first.includes('\n')) return { first, between, end, colon }
  const unit = first.startsWith(end) ? first.slice(end.length) : '  '
  return { first: first + unit, between: first + unit, end: first, colon }
}

function writeValue(value: NewMember['value'], outer: Layout): string {
  if (typeof value === 'string') return JSON.stringify(value)
  const { first, between, end, colon } = within(outer)
  if (Object.keys(value).length === 0) return '{}'
  const members = Object.entries(value).map(([key, text]) => `${JSON.stringify(key)}${colon}${JSON.stringify(text)}`)
  return `{${first}${members.join(`,${between}`)}${end}}`
}

function splice(text: string, start: number, end: number, inserted: string): string {
  return text.slice(0, start) + inserted + text.slice(end)
}
