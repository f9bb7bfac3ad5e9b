import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { HarnessError } from '@harnesswright/core'

/** What the beginning of a GGUF file says of its model. */
export interface GgufHeader {
  /** Family of the model, such as `llama`. */
  readonly architecture: string
  /** Size of the context in tokens that the model was trained with. */
  readonly contextTokens: number
}

const MAGIC = 'GGUF'
const VERSIONS = [2, 3]
/** Bytes that are read at once. */
const BLOCK = 65_536
/** Longest name or text that is read; longer ones are passed over. */
const MAX_TEXT = 4_096

const STRING = 8
const ARRAY = 9
/** Bytes of the kinds of values that have a fixed size. */
const SIZES: { readonly [kind: number]: number } = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
}

/**
 * Reads of a model file what must be known before it is loaded. Every length in it is checked against the size of the file.
 *
 * @throws HarnessError `E_LLAMA_FILE` when the file is not there, is no GGUF file, or is cut.
 */
export function readGgufHeader(file: string): GgufHeader {
  const cursor = openCursor(file)
  try {
    return readFields(cursor)
  } finally {
    cursor.close()
  }
}

function readFields(cursor: Cursor): GgufHeader {
  checkMagic(cursor)
  const version = cursor.uint32()
  if (!VERSIONS.includes(version)) throw cursor.refused(`has version ${version} of the format; 2 and 3 can be read`)
  cursor.count() // tensors
  const fields = cursor.count()
  let architecture: string | undefined
  for (let left = fields; left > 0; left--) {
    const name = cursor.text()
    const kind = cursor.uint32()
    if (name === 'general.architecture' && kind === STRING) architecture = cursor.text()
    else if (name === `${architecture}.context_length`)
      return { architecture: `${architecture}`, contextTokens: numberOf(kind, cursor) }
    else passOver(kind, cursor)
  }
  throw cursor.refused('does not say how large the context of its model is')
}

function checkMagic(cursor: Cursor): void {
  const begin = cursor.take(MAGIC.length).toString('latin1')
  if (begin === MAGIC) return
  const looks =
    begin === 'vers'
      ? ': it looks like a pointer to a file in large file storage'
      : begin.startsWith('<')
        ? ': it looks like a web page'
        : ''
  throw cursor.refused(`is no GGUF file${looks}`)
}

function numberOf(kind: number, cursor: Cursor): number {
  if (kind === 4 || kind === 5) return cursor.uint32()
  if (kind === 10 || kind === 11) return cursor.count()
  throw cursor.refused('says the size of its context in a way that is no number')
}

function passOver(kind: number, cursor: Cursor): void {
  if (kind === STRING) cursor.skip(cursor.count())
  else if (kind === ARRAY) passOverItems(cursor)
  else cursor.skip(sizeOf(kind, cursor))
}

function passOverItems(cursor: Cursor): void {
  const kind = cursor.uint32()
  const items = cursor.count()
  if (kind !== STRING) cursor.skip(items * sizeOf(kind, cursor))
  else for (let left = items; left > 0; left--) cursor.skip(cursor.count())
}

function sizeOf(kind: number, cursor: Cursor): number {
  const size = SIZES[kind]
  if (size === undefined) throw cursor.refused(`holds a value of kind ${kind}, which there is not`)
  return size
}

/** Reads a file from its beginning on. */
interface Cursor {
  take(bytes: number): Buffer
  skip(bytes: number): void
  uint32(): number
  /** A count of 64 bits, which cannot be larger than the file. */
  count(): number
  text(): string
  refused(what: string): HarnessError
  close(): void
}

function openCursor(file: string): Cursor {
  const size = sizeOfFile(file)
  const handle = openSync(file, 'r')
  let block = Buffer.alloc(0)
  let blockAt = 0
  let at = 0

  const refused = (what: string): HarnessError =>
    new HarnessError('E_LLAMA_FILE', {
      message: `The file ${what}: ${file}`,
      hint: 'Give the path of a whole GGUF file, or fetch it again.',
      details: { file, bytes: size },
    })

  function skip(bytes: number): void {
    if (bytes > size - at) throw refused('is cut or broken')
    at += bytes
  }

  function take(bytes: number): Buffer {
    const from = at
    skip(bytes)
    if (from < blockAt || at > blockAt + block.length) {
      block = Buffer.alloc(Math.max(bytes, Math.min(BLOCK, size - from)))
      blockAt = from
      if (readSync(handle, block, 0, block.length, from) < block.length) throw refused('is cut or broken')
    }
    return block.subarray(from - blockAt, at - blockAt)
  }

  const count = (): number => {
    const value = take(8).readBigUInt64LE()
    if (value > BigInt(size)) throw refused('is cut or broken')
    return Number(value)
  }

  return {
    take,
    skip,
    count,
    refused,
    uint32: () => take(4).readUInt32LE(),
    text: () => {
      const length = count()
      if (length <= MAX_TEXT) return take(length).toString('utf8')
      skip(length)
      return ''
    },
    close: () => closeSync(handle),
  }
}

function sizeOfFile(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found?.isFile()) return found.size
  throw new HarnessError('E_LLAMA_FILE', {
    message:
      found === undefined ? `There is no model file ${file}` : `The path is no file, but something else: ${file}`,
    hint: 'Give the path of a GGUF file.',
    details: { file },
  })
}
