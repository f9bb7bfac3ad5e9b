import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aFolder } from '../../test/support/folder.js'
import { makeGguf } from '../../test/support/make-gguf.js'
import { readGgufHeader } from './read-header.js'

const refused = (message: RegExp) =>
  expect.objectContaining({ code: 'E_LLAMA_FILE', message: expect.stringMatching(message) })

describe('the header of a GGUF file', { timeout: 30_000 }, () => {
  test('says what family the model is of, and how large its context is', () => {
    const file = join(aFolder(), 'm.gguf')
    makeGguf(file, { contextTokens: 1_234 })

    expect(readGgufHeader(file)).toEqual({ architecture: 'llama', contextTokens: 1_234 })
  })

  test.each([
    ['an empty file', Buffer.alloc(0), /is cut or broken/],
    ['a web page', Buffer.from('<!DOCTYPE html>'), /looks like a web page/],
    [
      'a pointer of large file storage',
      Buffer.from('version https://git-lfs.github.com/spec/v1'),
      /looks like a pointer/,
    ],
    ['another file', Buffer.from('PK\x03\x04 and more'), /is no GGUF file/],
    ['version 1', Buffer.from([...Buffer.from('GGUF'), 1, 0, 0, 0]), /has version 1/],
    ['a big-endian file', Buffer.from([...Buffer.from('GGUF'), 0, 0, 0, 3]), /has version 50331648/],
  ])('is not that of %s, which is refused', (_what, bytes, message) => {
    const file = join(aFolder(), 'm.gguf')
    writeFileSync(file, bytes)

    expect(() => readGgufHeader(file)).toThrow(refused(message))
  })

  test('is not there for a file that is not, or a folder', () => {
    const folder = aFolder()

    expect(() => readGgufHeader(join(folder, 'none.gguf'))).toThrow(refused(/There is no model file/))
    expect(() => readGgufHeader(folder)).toThrow(refused(/is no file/))
  })

  test('that is cut anywhere, or has any byte changed, is read or refused, and never anything else', () => {
    const folder = aFolder()
    const whole = join(folder, 'whole.gguf')
    const file = join(folder, 'm.gguf')
    makeGguf(whole)
    const bytes = readFileSync(whole).subarray(0, 16_384)
    const result = (): unknown => {
      try {
        return readGgufHeader(file).architecture
      } catch (error) {
        return (error as { code?: string }).code
      }
    }

    fc.assert(
      fc.property(fc.nat(12_000), (length) => {
        writeFileSync(file, bytes)
        truncateSync(file, length)
        expect(['E_LLAMA_FILE', 'llama']).toContain(result())
      }),
    )
    fc.assert(
      fc.property(fc.nat(1_000), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ change
        writeFileSync(file, changed)
        expect(['string', 'undefined']).toContain(typeof result())
        expect(result()).toBeDefined()
      }),
    )
  })
})
