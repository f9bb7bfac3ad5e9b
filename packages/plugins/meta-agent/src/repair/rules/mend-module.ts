import type { Slot } from '@harnesswright/core'
import { isMisspelling } from '@harnesswright/core/manifest'
import { isFields, tokensOf, valueAt } from '../../pointer.js'
import type { RepairCase } from '../repair-case.js'
import type { RepairInput } from '../repairer.js'
import { leastModule, usable } from './least-module.js'
import type { Mend } from './rules-repairer.js'

/**
 * A module that is not there gets the nearest name of its slot. One that is there and fails or does not fit runs without its
 * options first, where it failed while it ran; else it gives way to none, or to the least module of the slot.
 */
export function mendModule(one: RepairCase, input: RepairInput): Mend | undefined {
  const { slot, within, code, family } = one
  const [place] = within
  if (slot === null || place === undefined) return undefined
  const entry = entryOf(one, place)
  const given = valueAt(input.manifest, entry)
  const use = isFields(given) && typeof given['use'] === 'string' ? given['use'] : undefined
  const isName = code === 'E_MANIFEST_UNKNOWN_MODULE' || code === 'E_MANIFEST_SLOT' || code === 'E_MANIFEST_AUTHORITY'
  if (isName && use !== undefined) {
    const named = nameOf(use, slot, one, input)
    if (named !== undefined) {
      const { name, isSure } = named
      return {
        patch: [{ op: 'replace', path: `${entry}/use`, value: name }],
        isSure,
        said: `${entry} was made ${name}`,
      }
    }
  }
  if (family === 'runtime' && isFields(given)) {
    const parts = (['with', 'prompts'] as const).filter((part) => given[part] !== undefined)
    if (parts.length > 0) {
      const patch = parts.map((part) => ({ op: 'remove' as const, path: `${entry}/${part}` }))
      return { patch, isSure: false, said: `${entry} was left as it is by default` }
    }
  }
  return giveWay(entry, slot, use, input)
}

/** The place of the module: an entry of a list, or the slot. */
function entryOf({ pointer }: RepairCase, place: string): string {
  const [field, index] = tokensOf(pointer)
  return index !== undefined && /^\d+$/.test(index) ? `/${field}/${index}` : place
}

interface Named {
  readonly name: string
  readonly isSure: boolean
}

/** The module that was meant: a misspelt one, the same export of a package that is named, or the nearest. */
function nameOf(use: string, slot: Slot, { nearest, pointer }: RepairCase, input: RepairInput): Named | undefined {
  const { manifest, catalog, origin, granted } = input
  const names = usable(slot, { catalog, manifest, origin, granted }).map((one) => one.use)
  const near = nearest.filter((name) => names.includes(name))
  const { packages } = (isFields(manifest) ? manifest : {}) as { readonly packages?: unknown }
  const isListed = (name: string): boolean => isFields(packages) && Object.hasOwn(packages, name.split('#')[0] ?? '')
  const meant =
    near.find((name) => isMisspelling(use, name) && isListed(name)) ?? near.find((name) => isMisspelling(use, name))
  if (meant !== undefined) return { name: meant, isSure: true }
  // Another slot's module is not a misspelt one: of its slot the one of the same package is meant, else none is.
  const [from = ''] = use.split('#')
  const sibling = names.filter((name) => name.split('#')[0] === from)
  if (sibling.length === 1) return { name: sibling[0] as string, isSure: false }
  if (slot !== 'action' || !pointer.endsWith('/use')) return undefined
  const name = near.find(isListed) ?? near[0]
  return name === undefined ? undefined : { name, isSure: false }
}

/** An entry of a list goes, a slot becomes empty, and an action the least one that there is. */
function giveWay(entry: string, slot: Slot, use: string | undefined, input: RepairInput): Mend | undefined {
  if (/\/\d+$/.test(entry))
    return { patch: [{ op: 'remove', path: entry }], isSure: false, said: `${entry} was left out` }
  if (slot !== 'action')
    return { patch: [{ op: 'replace', path: entry, value: null }], isSure: false, said: `${entry} was made none` }
  const { catalog, manifest, origin, granted } = input
  const other = leastModule(slot, { catalog, manifest, origin, granted }, use === undefined ? [] : [use])
  if (other === undefined) return undefined
  return {
    patch: [{ op: 'replace', path: entry, value: other }],
    isSure: false,
    said: `${entry} was made ${other.use}`,
  }
}
