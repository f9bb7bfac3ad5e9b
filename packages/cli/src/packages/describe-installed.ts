import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CatalogPackage, PackageDescription } from '@harnesswright/core'
import { createCatalog } from '@harnesswright/plugin-manifest'
import { type InstalledPackage, readObject } from './find-package.js'
import { hashPackage } from './hash-files.js'
import { importPackage } from './import-package.js'

const MAX_BYTES = 1024 * 1024

/** Whether a package says of itself what modules it has. */
export function hasDescription({ directory }: InstalledPackage): boolean {
  return existsSync(join(directory, 'harnesswright.json'))
}

/**
 * An installed package as a catalog lists it, from its `harnesswright.json`. It is imported only when a run loads it, and
 * its files are hashed only when a run names it.
 *
 * @throws Error when the description is too large, no JSON, of another package, or not one.
 */
export function describeInstalled(from: InstalledPackage): CatalogPackage {
  const file = join(from.directory, 'harnesswright.json')
  if (statSync(file).size > MAX_BYTES)
    throw new Error(`harnesswright.json of ${from.name} is larger than ${MAX_BYTES} bytes`)
  const description = readObject(file) as unknown as PackageDescription // createCatalog checks it below
  if (description.name !== from.name) {
    throw new Error(`harnesswright.json of ${from.name} describes ${JSON.stringify(description.name)}`)
  }
  let integrity: string | undefined
  const described: CatalogPackage = {
    description,
    version: from.isLinked ? '0.0.0-linked' : String(from.manifest['version'] ?? '0.0.0'),
    get integrity() {
      integrity ??= hashPackage(from.directory, from.isLinked)
      return integrity
    },
    load: () => importPackage(from),
  }
  createCatalog([described])
  return described
}
