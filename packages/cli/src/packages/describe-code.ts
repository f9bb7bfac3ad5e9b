import { type Authority, isModule, type Module } from '@harnesswright/core'
import { describePackage } from '@harnesswright/plugin-manifest'
import type { InstalledPackage } from './find-package.js'
import { importPackage } from './import-package.js'

const AUTHORITIES: readonly Authority[] = ['none', 'workspace', 'network', 'process']

/** What a package says in its package.json that it reaches, or undefined where it says nothing that means something. */
export function authorityOf({ manifest }: InstalledPackage): Authority | undefined {
  const { authority } = (manifest['harnesswright'] ?? {}) as { readonly authority?: unknown }
  return AUTHORITIES.find((one) => one === authority)
}

/** The modules among what a package exports, by the names of their exports. */
export function modulesOf(exported: Readonly<Record<string, unknown>>): Readonly<Record<string, Module>> {
  return Object.fromEntries(Object.entries(exported).filter((entry): entry is [string, Module] => isModule(entry[1])))
}

/**
 * The text of `harnesswright.json` as the code of a package has it. The code is imported.
 *
 * @throws HarnessError `E_PROTOCOL_MODULE` when a module does not describe itself, and whatever importing throws.
 */
export async function describeCode(found: InstalledPackage, authority: Authority): Promise<string> {
  const modules = modulesOf(await importPackage(found))
  return `${JSON.stringify(describePackage({ name: found.name, authority, modules }), null, 2)}\n`
}
