import type { ModelRequest, Tool } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { promptOf } from './prompt.js'

const look: Tool = {
  name: 'look "up"',
  description: 'Looks up.',
  parameters: { type: 'object', properties: { word: { type: 'string' } } },
  execute: () => '',
}
const request: ModelRequest = {
  purpose: 'act',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello' },
  ],
}
const textsOf = (changed: Partial<ModelRequest>): readonly string[] =>
  promptOf({ ...request, ...changed }).map(({ text }) => text)

describe('the prompt of a request', () => {
  test('is its messages alone, without tools and schema', () => {
    expect(textsOf({})).toEqual(['Be brief.', 'Hello'])
  })

  test('tells the tools after what the system says, the same whatever the choice', () => {
    const [system = '', user] = textsOf({ tools: [look] })

    expect(system.startsWith('Be brief.\n\n')).toBe(true)
    expect(system).toContain(JSON.stringify(look.name))
    expect(system).toContain(JSON.stringify(look.parameters))
    expect(user).toBe('Hello')
    for (const choice of ['none', 'required', { tool: look.name }] as const)
      expect(textsOf({ tools: [look], choice })).toEqual([system, user])
  })

  test('tells the tools to a model that was told nothing else', () => {
    const [first, second] = promptOf({ ...request, messages: [{ role: 'user', content: 'Hello' }], tools: [look] })

    expect(first).toMatchObject({ speaker: 'system', text: expect.stringContaining('<tools>') })
    expect(second).toEqual({ speaker: 'user', text: 'Hello' })
  })

  test('tells the schema after what the user says last, and whether a call may come first', () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } } }
    const [, alone = ''] = textsOf({ schema })
    const [, beside = ''] = textsOf({ schema, tools: [look] })

    expect(alone).toMatch(/^Hello\n\nReply with one JSON value/)
    expect(beside).toMatch(/^Hello\n\nWhen no further tool is needed, reply/)
    expect(textsOf({ schema, tools: [look], choice: 'none' })[1]).toBe(alone)
    for (const text of [alone, beside]) expect(text.endsWith(JSON.stringify(schema))).toBe(true)
  })

  test('leaves a long schema to the grammar, which holds the reply to it all the same', () => {
    const names = Array.from({ length: 300 }, (_, index) => `property-${index}`)
    const schema = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'null' }])) }
    const [, alone = ''] = textsOf({ schema })

    expect(alone).toMatch(/^Hello\n\nReply with the JSON value/)
    expect(alone.length).toBeLessThan(100)
  })
})
