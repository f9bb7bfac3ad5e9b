import fc from 'fast-check'
import { expect, test } from 'vitest'
import { objectText } from '../json/object-text.js'
import type { ToolCall } from '../types/index.js'
import { actionCalls, canonicalCalls } from './call-text.js'

type Book = Parameters<typeof canonicalCalls>[0]
const aBook = (step = 1): Book => ({
  callIds: new Set(),
  brokenArguments: new Map(),
  changed: new Set(),
  turn: { step, openCalls: new Map() },
})
const call = (id: string, args = '{}'): ToolCall => ({ id, name: 'look', arguments: args })

test('a text that is a JSON object is kept to the byte', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value, null, 1)

      expect(objectText(text)).toBe(text)
    }),
  )
})

test.each([
  ['', '{}'],
  ['  \n', '{}'],
  ['{"a":"1","b":2,}', '{"a":"1","b":2}'],
  ["{'a': 1}", '{"a": 1}'],
  ['{a: 1}', '{"a": 1}'],
  ['{"a": "it\'s"}', '{"a": "it\'s"}'],
  ['"{\\"a\\":1}"', '{"a":1}'],
  ['{"a": "5\\" wide",}', '{"a": "5\\" wide"}'],
])('%j is mended, as its meaning is certain', (text, mended) => {
  expect(JSON.parse(objectText(text) ?? 'null')).toEqual(JSON.parse(mended))
})

test.each([
  '{"a":1,"b":',
  '{"a":1,"b":"half a sen',
  '{"a":1',
  '[1,2]',
  '"text"',
  '"[1]"',
  '""',
  '" "',
  '"{\'a\': 1,}"',
  '{"a":1,} // {"b":2}',
  'null',
  '42',
  '{"a":1}{"b":2}',
  '{"a":1} and {"b":2}',
  '{"items":[1,2,...]}',
  'call: {"a":1,}',
  '{"a":1,} done',
  '{"a":1,}}',
  '{"a":1, ...}',
  'path=/etc/passwd',
  '}{',
  '```json\n{"a":1}\n```',
])('K6: %j never becomes an object that was not meant', (text) => {
  expect(objectText(text)).toBeUndefined()
})

test('what is mended is the text of a JSON object, whatever the text was', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.string().map((inner) => `{${inner}}`),
      ),
      (text) => {
        const mended = objectText(text)

        if (mended === undefined) return
        expect(JSON.parse(mended)).toBeTypeOf('object')
        expect(Array.isArray(JSON.parse(mended))).toBe(false)
      },
    ),
    { numRuns: 500 },
  )
})

test('K6: the beginning of a cut text never passes for the whole', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (value, cut) => {
      const text = JSON.stringify(value)
      const beginning = text.slice(0, 1 + (cut % (text.length - 1)))

      expect(objectText(beginning)).toBeUndefined()
    }),
    { numRuns: 300 },
  )
})

test('K62: lone surrogates in arguments are cleaned, written out or escaped, and pairs stay', () => {
  const [raw, escaped, pair] = canonicalCalls(aBook(), [
    call('a', '{"q":"x\ud99cy"}'),
    call('b', '{"q":"x\\ud99cy"}'),
    call('c', '{"q":"\\ud83d\\ude00 \\\\ud99c"}'),
  ]) as [ToolCall, ToolCall, ToolCall]

  expect(JSON.parse(raw.arguments)).toEqual({ q: 'x\ufffdy' })
  expect(JSON.parse(escaped.arguments)).toEqual({ q: 'x\ufffdy' })
  expect(pair.arguments).toBe('{"q":"\\ud83d\\ude00 \\\\ud99c"}')
})

test('K23: two unsafe ids become two safe ones, of the step and the place of the call', () => {
  const calls = canonicalCalls(aBook(3), [call('call_x|fc_1'), call('call_x|fc_2')])

  expect(calls.map(({ id }) => id)).toEqual(['c3_1', 'c3_2'])
})

test('an id of 64 characters is kept, and a longer one is not', () => {
  const calls = canonicalCalls(aBook(), [call('x'.repeat(64)), call('y'.repeat(65))])

  expect(calls.map(({ id }) => id)).toEqual(['x'.repeat(64), 'c1_2'])
})

test('K62: a lone surrogate in the name of a call is cleaned', () => {
  expect(canonicalCalls(aBook(), [{ ...call('a'), name: 'lo\ud83dok' }])[0]?.name).toBe('lo\ufffdok')
})

test('a call of a reply is made once as it is: made again, or with other arguments, it is another call', () => {
  const book = aBook()
  const [own] = canonicalCalls(book, [call('a', '{"n":1}')]) as [ToolCall]

  expect(actionCalls(book, [own, own]).map(({ id }) => id)).toEqual(['a', 'c1_2'])
  const [other] = canonicalCalls(book, [call('b', '{"n":1}')]) as [ToolCall]
  expect(actionCalls(book, [{ ...other, arguments: '{"n":' }])).toEqual([{ id: 'c1_1', name: 'look', arguments: '{}' }])
  expect(book.brokenArguments.get('c1_1')).toBe('{"n":')
})

test('ids are safe and unique in a run, whatever the model gives, and its own where that is possible', () => {
  const ids = fc.array(fc.oneof(fc.constantFrom('', 'a', 'b', 'c1_1', 'c1_2', 'c2_1'), fc.string()), { maxLength: 6 })
  fc.assert(
    fc.property(fc.array(ids, { maxLength: 5 }), (replies) => {
      const book = aBook()
      const given = replies.flatMap((reply, index) =>
        canonicalCalls(
          { ...book, turn: { ...book.turn, step: index + 1 } },
          reply.map((id) => call(id)),
        ).map(({ id }) => id),
      )

      expect(new Set(given).size).toBe(given.length)
      for (const id of given) expect(id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    }),
  )
})

test('arguments that cannot be read stay out of the history, and the text is kept for the answer to the model', () => {
  const book = aBook()
  const [made] = canonicalCalls(book, [call('a', '{"a":1,"b":')])

  expect(made?.arguments).toBe('{}')
  expect(book.brokenArguments.get('a')).toBe('{"a":1,"b":')
})

test('arguments nested so deeply that they cannot be written again are unreadable, and no crash', () => {
  const deep = `{"a":${'['.repeat(20_000)}"\\ud83d"${']'.repeat(20_000)}}`

  expect(() => canonicalCalls(aBook(), [call('a', deep)])).not.toThrow()
})

test('arguments that a model plugin hands over as a value are taken as its JSON', () => {
  // As some endpoints send them; the type says text, and nothing is trusted.
  const loose = { id: 'a', name: 'look', arguments: { page: 1 } } as unknown as ToolCall

  expect(canonicalCalls(aBook(), [loose])[0]?.arguments).toBe('{"page":1}')
})
