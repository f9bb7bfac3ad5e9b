import { skillError } from './errors.js'
import { readScalar } from './scalar.js'

/** What a SKILL.md says. */
export interface SkillText {
  readonly name: string
  readonly description: string
  /** The instructions, without the front matter. */
  readonly text: string
}

/** Letters that a name may have: it stands in tool calls and is the name of a folder. */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const MOST_NAME_CHARS = 64
const MOST_DESCRIPTION_CHARS = 1_024

const KEY = /^([A-Za-z_][\w-]*):(?:\s+(.*))?$/

/** A value of the front matter as it is written: what stands behind the key, and the indented lines after it. */
interface Written {
  readonly line: number
  readonly value: string
  readonly more: readonly string[]
}

/**
 * Reads a SKILL.md: `name` and `description` from its front matter, and the instructions after it. Other keys are passed over,
 * whatever they hold.
 *
 * @param where - How the file is called in errors.
 * @throws HarnessError `E_SKILL_FRONT_MATTER` with the line, what was found and what is expected there.
 */
export function readSkillText(source: string, where: string): SkillText {
  const lines = source.replace(/^\ufeff/, '').split(/\r?\n/)
  const end = lines.findIndex((line, index) => index > 0 && isFence(line))
  if (!isFence(lines[0] ?? '')) throw fault(where, 1, `expected a line ---, found ${quote(lines[0] ?? '')}`)
  if (end < 0) throw fault(where, lines.length, 'the front matter is not closed: expected a second line ---')
  const written = readKeys(lines.slice(1, end), where)
  const name = readText('name', written, where)
  const description = readText('description', written, where)
  checkName(name, written.get('name')?.line ?? 1, where)
  checkDescription(description, written.get('description')?.line ?? 1, where)
  const text = lines
    .slice(end + 1)
    .join('\n')
    .trim()
  if (text === '') throw fault(where, end + 1, 'there are no instructions after the front matter')
  return { name, description, text }
}

function isFence(line: string): boolean {
  return /^---\s*$/.test(line)
}

function readKeys(lines: readonly string[], where: string): ReadonlyMap<string, Written> {
  const written = new Map<string, Written & { readonly more: string[] }>()
  let last: (Written & { readonly more: string[] }) | undefined
  for (const [index, line] of lines.entries()) {
    const number = index + 2 // the first line is the fence
    const [, key, value = ''] = KEY.exec(line) ?? []
    if (key !== undefined) {
      if (written.has(key)) throw fault(where, number, `"${key}" is there twice`)
      last = { line: number, value: value.trim(), more: [] }
      written.set(key, last)
    } else if (line.trim() === '' || /^\s/.test(line) || /^- /.test(line)) last?.more.push(line)
    else if (!line.startsWith('#')) throw fault(where, number, `expected "key: value", found ${quote(line)}`)
  }
  return written
}

function readText(key: string, written: ReadonlyMap<string, Written>, where: string): string {
  const found = written.get(key)
  if (found === undefined) {
    const keys = written.size === 0 ? 'no keys' : [...written.keys()].join(', ')
    throw fault(where, 1, `"${key}" is missing; found ${keys}`)
  }
  const { line, value, more } = found
  const read = readScalar(value, more)
  if (read.fault !== undefined) throw fault(where, line, `"${key}" ${read.fault}`)
  if (read.text.trim() === '') throw fault(where, line, `"${key}" is empty`)
  return read.text.trim()
}

function checkName(name: string, line: number, where: string): void {
  if (NAME.test(name) && name.length <= MOST_NAME_CHARS) return
  const rule = `1 to ${MOST_NAME_CHARS} lower-case letters and digits, with single hyphens between`
  throw fault(where, line, `the name is ${quote(name)}, expected ${rule}, such as ${quote(asName(name))}`)
}

/** The nearest name that would do. */
function asName(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MOST_NAME_CHARS)
    .replace(/^-|-$/g, '')
  return name === '' ? 'my-skill' : name
}

function checkDescription(description: string, line: number, where: string): void {
  if (description.length <= MOST_DESCRIPTION_CHARS) return
  const found = `the description has ${description.length} characters`
  throw fault(
    where,
    line,
    `${found}, expected at most ${MOST_DESCRIPTION_CHARS}: what is longer belongs to the instructions`,
  )
}

function fault(where: string, line: number, what: string): Error {
  return skillError('E_SKILL_FRONT_MATTER', `${where}:${line}: ${what}.`, { line })
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}
