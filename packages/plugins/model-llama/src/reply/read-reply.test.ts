import type { Delta } from '@harnesswright/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callText } from './call-form.js'
import { type CallsBegin, createReplyReader, type ReadReply } from './read-reply.js'

/** Reads a text in pieces, and puts together what the deltas said. */
function read(text: string, begin: CallsBegin, cuts: readonly number[] = []) {
  const told = { content: '', calls: [] as { name: string; arguments: string }[] }
  const reader = createReplyReader(begin, ({ text: said = '', call }: Delta) => {
    told.content += said
    if (call === undefined) return
    told.calls[call.index] ??= { name: '', arguments: '' }
    const one = told.calls[call.index] as { name: string; arguments: string }
    one.name += call.name ?? ''
    one.arguments += call.arguments ?? ''
  })
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length]
  for (const [index, place] of places.entries()) reader.push(text.slice(places[index - 1] ?? 0, place))
  return { reply: reader.end() satisfies ReadReply, told }
}

const prose = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('', 'a <tool_cal b', '<', '<tool_cal', '{"x": 1}'))
const call = fc.record({ name: fc.string({ maxLength: 8 }), arguments: fc.json({ maxDepth: 2 }) })
const cuts = fc.array(fc.nat(), { maxLength: 12 })

describe('a reply that is read in pieces', () => {
  test('is the same however it was cut, and what was told of it adds up to it', () => {
    fc.assert(
      fc.property(prose, fc.array(call, { maxLength: 3 }), cuts, (said, calls, places) => {
        const text = [said, ...calls.map((one) => callText(one.name, one.arguments))].join(calls.length > 0 ? '\n' : '')
        const { reply, told } = read(text, 'anywhere', places)

        expect(reply.calls).toEqual(calls)
        expect(reply.content).toBe(calls.length > 0 ? said.trimEnd() : said)
        expect(told.calls).toEqual(calls)
        expect(told.content.trimEnd()).toBe(reply.content.trimEnd())
      }),
    )
  })

  test('without tools is all content, with its markers', () => {
    fc.assert(
      fc.property(prose, call, cuts, (said, one, places) => {
        const text = said + callText(one.name, one.arguments)
        const { reply, told } = read(text, 'nowhere', places)
        expect(reply).toMatchObject({ content: text, calls: [] })
        expect(told.content).toBe(text)
      }),
    )
  })

  test('with a schema calls from its first character, or not at all', () => {
    const text = callText('look', '{}')
    const json = JSON.stringify({ text })

    fc.assert(
      fc.property(cuts, (places) => {
        expect(read(json, 'at-start', places).reply).toMatchObject({ content: json, calls: [] })
        expect(read(text, 'at-start', places).reply).toMatchObject({
          content: '',
          calls: [{ name: 'look', arguments: '{}' }],
        })
      }),
    )
  })

  test('K29 that is cut in a call keeps the call, with what there is of its arguments', () => {
    const text = callText('look', '{"word": "north"}')
    const cut = (length: number): ReadReply => read(text.slice(0, length), 'anywhere').reply

    expect(cut(text.indexOf('north')).calls).toEqual([{ name: 'look', arguments: '{"word": "' }])
    expect(cut(text.indexOf('ook')).calls).toEqual([{ name: 'l', arguments: '{' }])
    expect(cut(text.length - 1).calls).toEqual([{ name: 'look', arguments: '{"word": "north"}}\n</tool_call' }])
    expect(cut('<tool_c'.length)).toEqual({ content: '<tool_c', calls: [], isCallLeftOut: false })
  })

  test('K29 that is cut in a call after whole ones keeps the whole ones alone', () => {
    const first = callText('look', '{"word": "north"}')

    for (let length = 1; length < first.length; length++) {
      const { calls, isCallLeftOut } = read(`${first}\n${first.slice(0, length)}`, 'anywhere').reply
      expect(calls).toEqual([{ name: 'look', arguments: '{"word": "north"}' }])
      expect(isCallLeftOut).toBe(length >= '<tool_call>'.length)
    }
  })
})
