import { renameSync, writeFileSync } from 'node:fs'

/** Puts a text in the place of a file at once: whoever looks, and whenever, finds the old one or the new one, whole. */
export function replaceFile(path: string, text: string): void {
  const next = `${path}.next`
  writeFileSync(next, text)
  renameSync(next, path)
}
