// The packages of the workspace that are published.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The package.json of each, and its `folder`. */
export function publicPackages(root) {
  return ['packages', 'packages/plugins', 'packages/seeds']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name)))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), folder }))
    .filter((manifest) => manifest.private !== true)
}
