import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventReader } from './sse.js'

const encoder = new TextEncoder()

function readAll(pieces: readonly Uint8Array[]): readonly string[] {
  const events: string[] = []
  const reader = new EventReader((data) => events.push(data))
  for (const piece of pieces) reader.push(piece)
  reader.end()
  return events
}

test('events are read with any line ends, comments, fields that are not data, and data in several lines', () => {
  const text = ': hello\r\ndata: one\r\n\r\nevent: x\rdata:two\rdata: more\r\rid: 4\ndata: three\n\n'
  expect(readAll([encoder.encode(text)])).toEqual(['one', 'two\nmore', 'three'])
})

test('an event that the end of the stream cuts short of its blank line is given', () => {
  expect(readAll([encoder.encode('data: a\n\ndata: b')])).toEqual(['a', 'b'])
})

test('a byte order mark at the start is no part of the first line', () => {
  const bytes = encoder.encode('\ufeffdata: a\n\ndata: \ufeffb\n\n')
  expect(readAll([bytes])).toEqual(['a', '\ufeffb'])
  expect(readAll([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(['a', '\ufeffb'])
})

test('K22 the events do not depend on where the bytes are split', () => {
  const line = fc.string({ unit: 'grapheme' }).filter((text) => !/[\r\n]/.test(text))
  const data = fc.array(line, { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(fc.array(data), fc.constantFrom('\n', '\r\n', '\r'), fc.array(fc.nat(40)), (events, end, cuts) => {
      const text = events.map((lines) => lines.map((one) => `data: ${one}${end}`).join('') + end)
      const bytes = encoder.encode(text.join(''))
      const whole = events.map((lines) => lines.join('\n'))
      const pieces: Uint8Array[] = []
      let at = 0
      for (const size of cuts) {
        pieces.push(bytes.subarray(at, at + size))
        at += size
      }
      pieces.push(bytes.subarray(at))
      expect(readAll(pieces)).toEqual(whole)
      expect(readAll([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole)
    }),
  )
})
