import { quote, workspaceError } from '../errors.js'

const BINARY_PROBE_BYTES = 8000

/** Decodes UTF-8, so that what was written comes back the same. Throws `E_WORKSPACE_TEXT`. */
export function decodeText(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    const message = `${quote(path)} is no text in UTF-8 (${bytes.length} bytes of binary data).`
    throw workspaceError('E_WORKSPACE_TEXT', message, { path })
  }
}

/** Encodes as UTF-8. Throws `E_WORKSPACE_TEXT` where the text would not come back the same. */
export function encodeText(text: string, path: string): Uint8Array {
  const half = text.search(/\p{Cs}/u)
  if (half < 0) return Buffer.from(text, 'utf8')
  const message = `The content for ${quote(path)} has half of a surrogate pair at position ${half}, which is no text.`
  throw workspaceError('E_WORKSPACE_TEXT', message, { path, position: half })
}

/** True for what is not text: a NUL near its beginning, as `git` and `grep` tell it. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)
}

/** The first characters of a text, never half of a pair. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  return text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '')
}
