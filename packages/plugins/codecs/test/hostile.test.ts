import { codecs } from '@harnesswright/plugin-codecs'
import { describe, expect, test } from 'vitest'
import { asking } from './support.js'

const SIZE = 100_000
const repeat = (piece: string): string => piece.repeat(Math.ceil(SIZE / piece.length))

/** Texts that cost a reader much when it goes back and looks again. */
const texts: readonly [name: string, text: string][] = [
  ['brackets that open', repeat('{')],
  ['lists that open', repeat('[')],
  ['objects in objects', repeat('{"tools":')],
  ['steps that are never closed', repeat('{"tools":[{"name":"read_file","arguments":{"path":"x"')],
  ['lists in a list', `[${repeat('[1],')}`],
  ['a text that is never closed', `{"think": "${repeat('x')}`],
  ['escapes', `{"think": "${repeat('\\"')}`],
  ['quotes', repeat('{"')],
  ['markers that open', repeat('<tool_call>')],
  ['markers with broken JSON', repeat('<tool_call>{"name":"x","arguments":{')],
  ['markers of spaces', `<tool_call>{"name": "read_file", "arguments": ${repeat(' ')}</tool_call>`],
  ['tags of tools that open', repeat('<read_file>')],
  ['tags of parameters', `<write_file>${repeat('<path>x</path>')}</write_file>`],
  ['functions that open', repeat('<function=read_file><parameter=path>')],
  ['brackets of tags', repeat('<')],
  ['backticks', repeat('`<')],
  ['thinking that opens', repeat('<think>')],
  ['thinking that closes', repeat('</think>')],
  ['observations that open', repeat('<observation-a>')],
  ['answers that open', repeat('<final_answer>')],
  ['line breaks', repeat('\n```\n')],
]

describe.each(codecs)('the codec $name', (codec) => {
  test.each(texts)('reads 100,000 characters of %s in time', (_name, content) => {
    const started = performance.now()
    const reply = codec.decode({ content, finish: 'stop' }, asking())
    codec.decode({ content, finish: 'length' }, asking({ tools: [], schema: { required: ['x'] } }))

    expect(reply.toolCalls.every(({ name }) => typeof name === 'string')).toBe(true)
    expect(performance.now() - started).toBeLessThan(3_000)
  })
})
