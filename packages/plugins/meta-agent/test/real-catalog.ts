import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Catalog, CatalogPackage, Manifest, PackageDescription } from '@harnesswright/core'
import { createCatalog } from '@harnesswright/plugin-manifest'

const PACKAGES = join(import.meta.dirname, '../../..')

/** Folders of the packages that bring modules. */
const folders: readonly string[] = ['seeds', 'plugins']
  .flatMap((kind) => readdirSync(join(PACKAGES, kind)).map((name) => join(PACKAGES, kind, name)))
  .filter((folder) => existsSync(join(folder, 'harnesswright.json')))

/** Every package of the repository that brings modules, by what it says of itself; its sources are loaded when a run needs them. */
export const realCatalog: Catalog = createCatalog(
  folders.map((folder): CatalogPackage => {
    const description = JSON.parse(readFileSync(join(folder, 'harnesswright.json'), 'utf8')) as PackageDescription
    const load = async () => (await import(pathToFileURL(join(folder, 'src/index.ts')).href)) as Record<string, unknown>
    return { description, version: '0.0.0-linked', integrity: 'none', load }
  }),
)

/** The manifests of all seeds, by the name of the scaffold. */
export const seedManifests: Readonly<Record<string, Manifest>> = Object.fromEntries(
  folders
    .map((folder) => join(folder, 'manifest.json'))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Manifest)
    .map((manifest) => [manifest.name, manifest]),
)
