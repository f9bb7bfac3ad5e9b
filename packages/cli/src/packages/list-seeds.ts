import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseManifest } from '@harnesswright/plugin-manifest'
import type { InstalledPackage } from './find-package.js'

/** A scaffold that is installed: a manifest that a package brings. */
export interface Seed {
  /** Name by which `--seed` takes it. */
  readonly scaffold: string
  readonly package: string
  readonly description: string
  /** Text of the manifest. */
  readonly manifest: string
  /** When to pick it, from the card; empty when there is no card. */
  readonly whenToPick: string
}

/** The scaffolds among installed packages. A `manifest.json` that is no manifest is something else of the package. */
export function listSeeds(installed: readonly InstalledPackage[]): readonly Seed[] {
  return installed.flatMap(({ name, directory }) => {
    const file = join(directory, 'manifest.json')
    const manifest = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const { protocol, name: scaffold, description } = objectOf(manifest)
    if (typeof protocol !== 'number' || typeof scaffold !== 'string') return []
    const whenToPick = readCard(join(directory, 'CARD.md'))
    return [{ scaffold, package: name, description: String(description ?? ''), manifest, whenToPick }]
  })
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  const { manifest } = parseManifest(text)
  return (manifest ?? {}) as Readonly<Record<string, unknown>> // parseManifest gives objects alone
}

/** The paragraph of a card that says when to pick the scaffold. */
function readCard(file: string): string {
  if (!existsSync(file)) return ''
  const paragraphs = readFileSync(file, 'utf8').split(/\n\s*\n/)
  const found = paragraphs.find((paragraph) => /^\**pick it when/i.test(paragraph))
  return found?.replaceAll('**', '').replace(/\s+/g, ' ').trim() ?? ''
}
