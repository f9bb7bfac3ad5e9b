import { resolve, sep } from 'node:path'
import type { InstalledPackage } from './find-package.js'

/** True where this file runs from its source: packages are then loaded from theirs. */
const IS_SOURCE = import.meta.url.endsWith('.ts')

const CONDITIONS: readonly string[] = [
  ...(IS_SOURCE ? ['@harnesswright/source'] : []),
  'node',
  'import',
  'module-sync',
  'default',
]

/**
 * The file that importing a package loads, after the rules of its `exports`.
 *
 * Node resolves names from the importing file only, and the packages of a project are not those of the command line.
 *
 * @throws Error when the package exports nothing that can be imported.
 */
export function entryFile({ name, directory, manifest }: InstalledPackage): string {
  const { exports, main } = manifest
  const target = exports === undefined ? (typeof main === 'string' ? main : './index.js') : pick(mainOf(exports))
  const file = target === undefined ? undefined : resolve(directory, target)
  if (file?.startsWith(directory + sep) !== true) throw new Error(`${name} exports nothing that can be imported`)
  return file
}

/** The part of `exports` that stands for the package itself. */
function mainOf(exports: unknown): unknown {
  if (typeof exports !== 'object' || exports === null || Array.isArray(exports)) return exports
  const isSubpaths = Object.keys(exports).some((key) => key.startsWith('.'))
  return isSubpaths ? (exports as Readonly<Record<string, unknown>>)['.'] : exports
}

/** The first target whose conditions hold. */
function pick(target: unknown): string | undefined {
  if (typeof target === 'string') return target
  if (Array.isArray(target)) return target.map(pick).find((found) => found !== undefined)
  if (typeof target !== 'object' || target === null) return undefined
  for (const [condition, inner] of Object.entries(target)) {
    const found = CONDITIONS.includes(condition) ? pick(inner) : undefined
    if (found !== undefined) return found
  }
  return undefined
}
