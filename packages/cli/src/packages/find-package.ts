import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'

/** A package that is installed, before anything of it is imported. */
export interface InstalledPackage {
  readonly name: string
  /** Its real directory. */
  readonly directory: string
  /** Its package.json. */
  readonly manifest: Readonly<Record<string, unknown>>
  /** Part of a workspace, and not of `node_modules`: its sources are what runs. */
  readonly isLinked: boolean
}

/**
 * Finds a package where Node would, seen from a directory, by its files alone: neither its code nor its `exports` is asked.
 *
 * @param from - Directory of the project that depends on it.
 */
export function findPackage(name: string, from: string): InstalledPackage | undefined {
  const places = createRequire(join(from, 'package.json')).resolve.paths(name) ?? []
  for (const place of places) {
    const found = join(place, name)
    if (!existsSync(join(found, 'package.json'))) continue
    const directory = realpathSync(found)
    const isLinked = !directory.split(sep).includes('node_modules')
    return { name, directory, manifest: readObject(join(directory, 'package.json')), isLinked }
  }
  return undefined
}

/** A JSON object from a file, which is read whole. Throws when it is none. */
export function readObject(file: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>
  throw new TypeError(`${file} holds no JSON object`)
}
