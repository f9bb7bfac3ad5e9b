import { randomUUID } from 'node:crypto'
import { lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { withCodedErrors } from '../errors.js'
import { type Folder, lookUp } from './folder.js'
import { findRoot, type Hold } from './place.js'

/** Deletes a directory with all that is in it, and nothing that a link in it points to. Absent: nothing happens. */
export function removeTree(directory: string, hold?: Hold): void {
  if (lstatSync(directory, { throwIfNoEntry: false }) === undefined) return
  withCodedErrors('', () => {
    const root = findRoot(directory, hold)()
    try {
      emptyFolder(root)
    } finally {
      root.close()
    }
    rmdirSync(directory)
  })
}

function emptyFolder(folder: Folder): void {
  for (const name of readAllNames(folder)) {
    folder.verify()
    if (!lookUp(folder, name)?.isDirectory()) {
      unlinkSync(folder.at(name))
      continue
    }
    const child = folder.enter(name)
    try {
      emptyFolder(child)
    } finally {
      child.close()
    }
    rmdirSync(folder.at(name))
  }
}

/** A name that is no UTF-8 cannot be given as text: its entry gets another one first. */
function readAllNames(folder: Folder): readonly string[] {
  return readdirSync(folder.here, { encoding: 'buffer' }).map((raw) => {
    const name = raw.toString('utf8')
    if (Buffer.from(name, 'utf8').equals(raw)) return name
    const plain = randomUUID()
    renameSync(Buffer.concat([Buffer.from(folder.at(''), 'utf8'), raw]), folder.at(plain))
    return plain
  })
}
