import { pathToFileURL } from 'node:url'
import { entryFile } from './entry-file.js'
import type { InstalledPackage } from './find-package.js'

/**
 * What a package exports. Its code is run.
 *
 * @throws Error when it exports nothing that can be imported, and whatever its code throws.
 */
export async function importPackage(found: InstalledPackage): Promise<Readonly<Record<string, unknown>>> {
  return (await import(/* @vite-ignore */ pathToFileURL(entryFile(found)).href)) as Record<string, unknown>
}
