import { rmdirSync, unlinkSync } from 'node:fs'
import { isHarnessError } from '@harnesswright/core'
import { isSystemError, withCodedErrors } from '../errors.js'
import { type Folder, lookUp, missing, pathIn, wrongKind } from './folder.js'
import { parseFilePath } from './names.js'
import { type Place, withFolder } from './place.js'

/** Removes a file, and the folders that are empty then. Throws `E_WORKSPACE_*`. */
export function removeFile(place: Place, path: string): void {
  const { folder, name } = parseFilePath(path)
  place.assertOpen([...folder, name])
  withCodedErrors(path, () => {
    withFolder(place, folder, (parent) => removeEntry(parent, name))
    pruneFolders(place, folder)
  })
  place.holding = undefined
}

function removeEntry(folder: Folder, name: string): void {
  const found = lookUp(folder, name)
  if (found === undefined) throw missing(pathIn(folder, name), 'file')
  if (!found.isFile()) throw wrongKind(pathIn(folder, name), found, 'file')
  folder.verify()
  unlinkSync(folder.at(name))
}

/** A folder that is not empty, or that changed meanwhile, stays. */
function pruneFolders(place: Place, names: readonly string[]): void {
  try {
    for (let depth = names.length; depth > 0; depth--) {
      withFolder(place, names.slice(0, depth - 1), (above) => rmdirSync(above.at(names[depth - 1] ?? '')))
    }
  } catch (error) {
    if (!isHarnessError(error) && !isSystemError(error)) throw error
  }
}
