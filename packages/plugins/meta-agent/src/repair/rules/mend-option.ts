import { isMisspelling } from '@harnesswright/core/manifest'
import { sampleValue } from '../../check/sample-value.js'
import { above, below, isFields, tokensOf, valueAt } from '../../pointer.js'
import type { RepairCase } from '../repair-case.js'
import type { RepairInput } from '../repairer.js'
import { mendValue, schemaBelow } from './mend-value.js'
import type { Mend } from './rules-repairer.js'

/**
 * An option with a wrong name gets the nearest one, one with a wrong value the nearest that is allowed, and one that is
 * missing its default. What cannot be told is left out, where it need not be there.
 */
export function mendOption(
  { pointer, nearest, module }: RepairCase,
  { manifest, catalog }: RepairInput,
): Mend | undefined {
  const schema = module === null ? undefined : catalog.find(module)?.description.options
  if (schema === undefined) return undefined
  const [head = '', ...rest] = splitAtWith(pointer)
  const tokens = rest
  const value = valueAt(manifest, pointer)
  const [place, name] = [above(pointer), tokens.at(-1)]
  const holder = schemaBelow(schema, tokens.slice(0, -1))
  const own = schemaBelow(schema, tokens)
  if (name !== undefined && value !== undefined && own === undefined && holder !== undefined) {
    return mendName({ pointer, place, name, nearest, holder }, manifest)
  }
  const missing = missingNames(own ?? schema, value ?? valueAt(manifest, head))
  if (own !== undefined && isFields(value) && missing.length > 0) return addMissing(pointer, own, missing)
  if (tokens.length === 0) return missing.length === 0 ? undefined : addWith(head, pointer, schema, missing)
  if (own === undefined) return undefined
  const mended = mendValue(value, own)
  if (mended !== undefined && JSON.stringify(mended) !== JSON.stringify(value)) {
    const said = `${pointer} was made ${JSON.stringify(mended)}`
    return { patch: [{ op: 'replace', path: pointer, value: mended }], isSure: isSame(value, mended), said }
  }
  return dropOrSample(pointer, own, holder, name)
}

/** The pointer up to the module, and what is below `with`. */
function splitAtWith(pointer: string): readonly string[] {
  const tokens = tokensOf(pointer)
  const at = tokens.indexOf('with')
  const head = at < 0 ? pointer : `/${tokens.slice(0, at).join('/')}`
  return [head, ...(at < 0 ? [] : tokens.slice(at + 1))]
}

/** A text and the number or flag that it says are the same. */
function isSame(value: unknown, mended: unknown): boolean {
  return String(value).trim().toLowerCase() === String(mended).toLowerCase() || typeof mended === 'string'
}

interface Named {
  readonly pointer: string
  readonly place: string
  readonly name: string
  readonly nearest: readonly string[]
  /** Schema of the object in which it stands. */
  readonly holder: Readonly<Record<string, unknown>>
}

/** The nearest name; a value that is not of it is mended with it. */
function mendName({ pointer, place, name, nearest, holder }: Named, manifest: unknown): Mend {
  const meant = nearest.find((other) => isMisspelling(name, other))
  if (meant === undefined || valueAt(manifest, below(place, meant)) !== undefined) {
    return { patch: [{ op: 'remove', path: pointer }], isSure: false, said: `${pointer} was left out` }
  }
  const said = `${pointer} was named ${meant}`
  const path = below(place, meant)
  const value = valueAt(manifest, pointer)
  const mended = mendValue(value, schemaBelow(holder, [meant]) ?? {})
  if (mended === undefined || JSON.stringify(mended) === JSON.stringify(value))
    return { patch: [{ op: 'move', from: pointer, path }], isSure: true, said }
  const patch = [
    { op: 'remove', path: pointer },
    { op: 'add', path, value: mended },
  ] as const
  return { patch, isSure: isSame(value, mended), said: `${said} and made ${JSON.stringify(mended)}` }
}

function missingNames(schema: Readonly<Record<string, unknown>>, value: unknown): readonly string[] {
  const required = Array.isArray(schema['required']) ? (schema['required'] as readonly string[]) : []
  return required.filter((name) => !isFields(value) || !Object.hasOwn(value, name))
}

function addMissing(place: string, schema: Readonly<Record<string, unknown>>, names: readonly string[]): Mend {
  const patch = names.map((name) => ({
    op: 'add' as const,
    path: below(place, name),
    value: sampleValue(schemaBelow(schema, [name]) ?? {}) as never, // JSON of a JSON Schema
  }))
  return { patch, isSure: false, said: `${names.join(', ')} of ${place} was set` }
}

function addWith(
  head: string,
  pointer: string,
  schema: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Mend {
  if (pointer !== head) return addMissing(pointer, schema, names)
  const { patch, ...rest } = addMissing(`${head}/with`, schema, names)
  return { ...rest, patch: [{ op: 'add', path: `${head}/with`, value: {} }, ...patch] }
}

/** What need not be there goes; what must be there becomes a value that is allowed. */
function dropOrSample(
  pointer: string,
  own: Readonly<Record<string, unknown>>,
  holder: Readonly<Record<string, unknown>> | undefined,
  name: string | undefined,
): Mend {
  const required = Array.isArray(holder?.['required']) ? (holder['required'] as readonly unknown[]) : []
  if (name !== undefined && !required.includes(name) && !/^\d+$/.test(name)) {
    return { patch: [{ op: 'remove', path: pointer }], isSure: false, said: `${pointer} was left as it is by default` }
  }
  const value = sampleValue(own) as never // JSON of a JSON Schema
  return { patch: [{ op: 'replace', path: pointer, value }], isSure: false, said: `${pointer} was set anew` }
}
