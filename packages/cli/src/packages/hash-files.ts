import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TEST = /\.test(-d)?\.[cm]?[jt]sx?$/

/**
 * `sha256:` and the hash of what runs of a package: of a linked one its sources without tests, its `manifest.json` and its
 * `harnesswright.json`; of an installed one every file, as it was packed. Paths are in it, in the order of code units.
 */
export function hashPackage(directory: string, isLinked: boolean): string {
  const files = isLinked ? sourceFiles(directory) : allFiles(directory, '')
  const hash = createHash('sha256')
  for (const path of files.sort(byCodeUnits)) {
    const bytes = readFileSync(join(directory, path))
    hash.update(`${path}\0${bytes.length}\0`).update(bytes)
  }
  return `sha256:${hash.digest('hex')}`
}

function sourceFiles(directory: string): string[] {
  const own = ['manifest.json', 'harnesswright.json'].filter((name) => existsSync(join(directory, name)))
  const sources = existsSync(join(directory, 'src')) ? allFiles(directory, 'src') : []
  return [...own, ...sources.filter((path) => !TEST.test(path))]
}

/** Files below a folder, by path from the package with `/`; packages inside it are not its own. */
function allFiles(directory: string, folder: string): string[] {
  return readdirSync(join(directory, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : allFiles(directory, path)
    return entry.isFile() ? [path] : []
  })
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
