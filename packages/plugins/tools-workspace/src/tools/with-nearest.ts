import { nearestNames } from '@harnesswright/core'
import { hasCode, quote, workspaceError } from '../errors.js'
import type { Place } from '../jail/place.js'
import { readTree } from '../jail/read-tree.js'

const CANDIDATES = 1000 // each is compared letter by letter

/** Does the work, and names the nearest paths that exist when it finds nothing at the path. */
export async function withNearest<T>(place: Place, path: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!hasCode(error, 'E_WORKSPACE_MISSING')) throw error
    throw workspaceError('E_WORKSPACE_MISSING', `${error.message} ${advise(place, path)}`, { path })
  }
}

function advise(place: Place, path: string): string {
  const files = readTree(place).files.map((file) => file.path)
  if (files.length === 0) return 'The workspace has no files.'
  const nearest = nearestNames(path, [...files, ...foldersOf(files)].slice(0, CANDIDATES))
  return `Nearest: ${nearest.map(quote).join(', ')}.`
}

function foldersOf(files: readonly string[]): readonly string[] {
  const folders = new Set<string>()
  for (const file of files) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) folders.add(file.slice(0, end))
  }
  return [...folders]
}
