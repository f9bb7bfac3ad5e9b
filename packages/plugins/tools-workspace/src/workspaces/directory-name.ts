import { createHash } from 'node:crypto'

const SLUG_CHARS = 24

/**
 * A directory name for an id, which may be any text: letters of the id for people, and a hash that tells ids apart,
 * also where the file system takes upper and lower case for the same.
 */
export function toDirectoryName(id: string): string {
  const slug = id
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_CHARS)
    .replace(/^-|-$/g, '')
  // UTF-16, as two ids that differ only in halves of surrogate pairs would be the same in UTF-8
  const hash = createHash('sha256').update(Buffer.from(id, 'utf16le')).digest('hex').slice(0, 32)
  return slug === '' ? hash : `${slug}-${hash}`
}
