import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type InstalledPackage, readObject } from './find-package.js'

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

/** The scaffolds among installed packages. */
export function listSeeds(installed: readonly InstalledPackage[]): readonly Seed[] {
  return installed.flatMap(({ name, directory }) => {
    const file = join(directory, 'manifest.json')
    if (!existsSync(file)) return []
    const { name: scaffold, description } = readObject(file)
    return [
      {
        scaffold: String(scaffold ?? name),
        package: name,
        description: String(description ?? ''),
        manifest: readFileSync(file, 'utf8'),
        whenToPick: readCard(join(directory, 'CARD.md')),
      },
    ]
  })
}

/** The paragraph of a card that says when to pick the scaffold. */
function readCard(file: string): string {
  if (!existsSync(file)) return ''
  const paragraphs = readFileSync(file, 'utf8').split(/\n\s*\n/)
  const found = paragraphs.find((paragraph) => /^\**pick it when/i.test(paragraph))
  return found?.replaceAll('**', '').replace(/\s+/g, ' ').trim() ?? ''
}
