import { rmdirSync, unlinkSync } from 'node:fs'
import { withCodedErrors } from '../errors.js'
import { type Folder, lookUp, missing, pathIn, readNames, wrongKind } from './folder.js'
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

function pruneFolders(place: Place, names: readonly string[]): void {
  const name = names.at(-1)
  if (name === undefined) return
  const above = names.slice(0, -1)
  const isEmpty = withFolder(place, names, (folder) => readNames(folder).length === 0)
  if (!isEmpty) return
  withFolder(place, above, (parent) => rmdirSync(parent.at(name)))
  pruneFolders(place, above)
}
