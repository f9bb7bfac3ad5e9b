import type { Authority, Catalog, Json, Origin } from '@harnesswright/core'
import { messageOf } from '@harnesswright/core/manifest'
import { applyPatch, type Operation } from 'rfc6902'
import { type PlacedModule, placedModules } from '../check/problem.js'
import { differences, isFields, isWithin, tokensOf, valueAt } from '../pointer.js'
import { rangeOf } from '../proposers/write-manifest.js'

/** One operation of a JSON Patch (RFC 6902). */
export type PatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string }

/** What a patch may do. */
export interface PatchBounds {
  readonly catalog: Catalog
  /** Pointers to the slots and plugins that may be changed. */
  readonly within: readonly string[]
  /** Where the manifest comes from; a patch never changes that. */
  readonly origin: Origin
  readonly granted?: readonly Authority[]
}

/** A manifest with a patch in it, or why it was refused. */
export type Patched = { readonly manifest: unknown; readonly refused?: undefined } | { readonly refused: string }

const MAX_OPERATIONS = 20
const MAX_PATCH_CHARS = 32_000
const OPERATIONS: readonly unknown[] = ['add', 'remove', 'replace', 'move', 'copy', 'test']
const FORBIDDEN: readonly string[] = ['__proto__', 'constructor', 'prototype']

/**
 * Applies a patch to a manifest if it stays within its bounds: it touches nothing but the slots and plugins of the cases,
 * and names no module but those of the catalog that have the slot in which they stand and an authority that manifests of this origin may
 * have. The manifest that is given is not changed.
 *
 * A package that is named anew gets the range of the installed version; no patch writes ranges.
 */
export function applyWithin(manifest: unknown, patch: readonly PatchOperation[], bounds: PatchBounds): Patched {
  const fault = faultOfPatch(patch, bounds.within)
  if (fault !== undefined) return { refused: fault }
  const applied = patchedCopy(manifest, patch)
  if ('failure' in applied) return { refused: `It does not apply: ${applied.failure}` }
  const { changed } = applied
  const before = new Set(placedModules(manifest).map(({ use }) => use))
  const named = placedModules(changed).filter(({ use }) => !before.has(use))
  for (const one of placedModules(changed)) {
    const isChanged = !placedModules(manifest).some((other) => other.slot === one.slot && other.use === one.use)
    const foreign = isChanged ? faultOfUse(one, bounds) : undefined
    if (foreign !== undefined) return { refused: foreign }
  }
  const strayed = differences(manifest, changed).find(
    (pointer) =>
      !isWithin(pointer, bounds.within) &&
      !(pointer === '/plugins' && keepsOtherPlugins(manifest, changed, bounds.within)),
  )
  if (strayed !== undefined) return { refused: `It changes ${strayed}, which is outside ${bounds.within.join(', ')}.` }
  return { manifest: withRanges(changed, named, bounds.catalog) }
}

/**
 * A copy of a value with a patch in it, whatever its bounds, or why it does not apply. The library throws where a field is added to
 * what is no object.
 */
export function patchedCopy(
  value: unknown,
  patch: readonly PatchOperation[],
): { readonly changed: unknown } | { readonly failure: string } {
  const changed: unknown = JSON.parse(JSON.stringify(value))
  try {
    const results = applyPatch(changed, JSON.parse(JSON.stringify(patch)) as Operation[])
    const failed = results.find((one) => one !== null)
    return failed === undefined ? { changed } : { failure: failed.message }
  } catch (error) {
    return { failure: messageOf(error) }
  }
}

function faultOfPatch(patch: readonly PatchOperation[], within: readonly string[]): string | undefined {
  if (patch.length === 0) return 'It has no operations.'
  if (patch.length > MAX_OPERATIONS) return `It has ${patch.length} operations; at most ${MAX_OPERATIONS}.`
  if (JSON.stringify(patch).length > MAX_PATCH_CHARS) return 'It is too long.'
  return patch.map((one) => faultOfOperation(one, within)).find((fault) => fault !== undefined)
}

function faultOfOperation(operation: PatchOperation, within: readonly string[]): string | undefined {
  const { op, path, from } = operation as { readonly op: unknown; readonly path: unknown; readonly from?: unknown }
  if (!OPERATIONS.includes(op)) return `${JSON.stringify(op)} is no operation of JSON Patch.`
  for (const pointer of op === 'move' || op === 'copy' ? [path, from] : [path]) {
    if (typeof pointer !== 'string') return 'An operation has no path.'
    const hidden = tokensOf(pointer).find((token) => FORBIDDEN.includes(token))
    if (hidden !== undefined) return `It reaches ${hidden}.`
    if (!isWithin(pointer, within)) return `It touches ${pointer.slice(0, 200)}, which is outside ${within.join(', ')}.`
  }
  return undefined
}

function faultOfUse({ use, slot }: PlacedModule, { catalog, origin, granted }: PatchBounds): string | undefined {
  const module = catalog.find(use)
  if (module === undefined) return `It names ${use.slice(0, 200)}, which is not in the catalog.`
  if (module.slot !== slot) return `It puts ${use}, a module of slot ${module.slot}, into the slot ${slot}.`
  const isTrusted = origin === 'host' || origin === 'person'
  const { authority } = module.package.description
  if (isTrusted || (granted ?? ['none', 'workspace']).includes(authority)) return undefined
  return `It names ${use} with authority ${authority}, which manifests of origin ${origin} may not.`
}

/** Whether a list of plugins that became shorter still has, in their order, all those that may not be changed. */
function keepsOtherPlugins(manifest: unknown, changed: unknown, within: readonly string[]): boolean {
  const [before, after] = [valueAt(manifest, '/plugins'), valueAt(changed, '/plugins')]
  if (!Array.isArray(before) || !Array.isArray(after) || after.length >= before.length) return false
  const left = after.map((plugin) => JSON.stringify(plugin))
  return before
    .filter((_plugin, index) => !within.includes(`/plugins/${index}`))
    .every((plugin) => {
      const at = left.indexOf(JSON.stringify(plugin))
      if (at >= 0) left.splice(0, at + 1)
      return at >= 0
    })
}

/** The manifest with a range for each package that is named for the first time. */
function withRanges(manifest: unknown, named: readonly PlacedModule[], catalog: Catalog): unknown {
  const { packages } = manifest as { readonly packages?: unknown }
  if (!isFields(packages)) return manifest
  const missing = named.map(({ use }) => rangeOf({ use }, catalog)).filter(([name]) => !Object.hasOwn(packages, name))
  if (missing.length === 0) return manifest
  return { ...(manifest as object), packages: { ...packages, ...Object.fromEntries(missing) } }
}
