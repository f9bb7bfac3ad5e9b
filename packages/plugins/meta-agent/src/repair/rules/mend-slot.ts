import type { Json, Slot } from '@harnesswright/core'
import { isMisspelling } from '@harnesswright/core/manifest'
import { above, below, isFields, tokensOf, valueAt } from '../../pointer.js'
import type { RepairCase } from '../repair-case.js'
import type { RepairInput } from '../repairer.js'
import { leastModule } from './least-module.js'
import type { Mend } from './rules-repairer.js'

/** A slot that is missing, misspelt or of another form becomes one, and a field of a module that means nothing goes. */
export function mendSlot(one: RepairCase, input: RepairInput): Mend | undefined {
  const { pointer, slot, within, code, nearest } = one
  const [place] = within
  if (slot === null || place === undefined) return undefined
  const { manifest } = input
  const misspelt = within[1]
  if (misspelt !== undefined) {
    const isFree = valueAt(manifest, place) === undefined
    const patch = isFree
      ? ([{ op: 'move', from: misspelt, path: place }] as const)
      : ([{ op: 'remove', path: misspelt }] as const)
    return { patch, isSure: true, said: isFree ? `${misspelt} was named ${place}` : `${misspelt} was left out` }
  }
  if (code === 'E_MANIFEST_MISSING' && pointer === '') return fill(place, slot, input, 'add')
  if (code === 'E_MANIFEST_UNKNOWN_FIELD') return mendField(pointer, nearest, manifest)
  if (code === 'E_MANIFEST_MISSING') return fill(entryOf(pointer, place), slot, input, 'replace')
  return mendForm(one, place, slot, input)
}

/** A field beside `use`, `with` and `prompts`. */
function mendField(pointer: string, nearest: readonly string[], manifest: unknown): Mend {
  const name = tokensOf(pointer).at(-1) ?? ''
  const meant = nearest.find((other) => isMisspelling(name, other))
  const to = below(above(pointer), meant ?? '')
  if (meant === undefined || valueAt(manifest, to) !== undefined)
    return { patch: [{ op: 'remove', path: pointer }], isSure: true, said: `${pointer} was left out` }
  return { patch: [{ op: 'move', from: pointer, path: to }], isSure: true, said: `${pointer} was named ${meant}` }
}

/** A value of the wrong form: the name of a module alone, a list of one where one stands, or something else. */
function mendForm({ pointer }: RepairCase, place: string, slot: Slot, input: RepairInput): Mend | undefined {
  const value = valueAt(input.manifest, pointer)
  const said = `${pointer} was given its form`
  const replace = (json: unknown, isSure: boolean): Mend => ({
    patch: [{ op: 'replace', path: pointer, value: json as Json }], // made of JSON
    isSure,
    said,
  })
  const isPart = /\/(with|prompts)(\/[^/]*)?$/.test(pointer)
  if (isPart) return { patch: [{ op: 'remove', path: pointer }], isSure: false, said: `${pointer} was left out` }
  if (/\/use$/.test(pointer)) return fill(entryOf(above(pointer), place), slot, input, 'replace')
  if (typeof value === 'string' && input.catalog.find(value)?.slot === slot) return replace({ use: value }, true)
  const [only] = Array.isArray(value) ? value : []
  if (isFields(only) && typeof only['use'] === 'string') return replace(only, true)
  return fill(entryOf(pointer, place), slot, input, 'replace')
}

/** The entry of a list, or the slot. */
function entryOf(pointer: string, place: string): string {
  const [field = '', index] = tokensOf(pointer)
  return index !== undefined && /^\d+$/.test(index) ? `/${field}/${index}` : place
}

/** None where a slot may be empty, else the least module; an entry of a list goes. */
function fill(
  place: string,
  slot: Slot,
  { catalog, manifest, origin, granted }: RepairInput,
  op: 'add' | 'replace',
): Mend | undefined {
  if (/\/\d+$/.test(place))
    return { patch: [{ op: 'remove', path: place }], isSure: false, said: `${place} was left out` }
  const value = slot === 'action' ? leastModule(slot, { catalog, manifest, origin, granted }) : null
  if (value === undefined) return undefined
  const said = value === null ? `${place} was made none` : `${place} was made ${value.use}`
  return { patch: [{ op, path: place, value: value as Json }], isSure: false, said }
}
