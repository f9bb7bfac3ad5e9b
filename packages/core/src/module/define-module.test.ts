import { expect, test } from 'vitest'
import * as z from 'zod'
import { defineModule, isModule } from './define-module.js'
import { defineTool } from './define-tool.js'

test.each([
  ['memory', 'view'],
  ['planning', 'direct'],
  ['capability', 'select'],
  ['action', 'act'],
] as const)('a %s module without the verb "%s" is refused', (slot, verb) => {
  expect(() => defineModule({ slot, summary: 'x' })).toThrow(
    expect.objectContaining({ code: 'E_PROTOCOL_MODULE', slot, message: expect.stringContaining(`"${verb}"`) }),
  )
})

test('a plugin may have any verbs or none', () => {
  expect(isModule(defineModule({ slot: 'plugin', summary: 'x' }))).toBe(true)
})

test.each(['', '  ', undefined])('a module whose summary is %j is refused', (summary) => {
  expect(() => defineModule({ slot: 'plugin', summary: summary as string })).toThrow(
    expect.objectContaining({ code: 'E_PROTOCOL_MODULE' }),
  )
})

test('a slot that there is not is refused', () => {
  expect(() => defineModule({ slot: 'brain' as 'plugin', summary: 'x' })).toThrow(
    expect.objectContaining({ code: 'E_PROTOCOL_MODULE', message: expect.stringContaining('"brain"') }),
  )
})

test('a module is frozen, and a copy of what it was made from', () => {
  const spec = { slot: 'plugin' as const, summary: 'x' }
  const module = defineModule(spec)
  spec.summary = 'y'

  expect(module.summary).toBe('x')
  expect(Object.isFrozen(module)).toBe(true)
  expect(JSON.stringify(module)).toBe('{"slot":"plugin","summary":"x"}')
})

test.each([undefined, null, 'module', {}, { slot: 'plugin', summary: 'x' }])('%o is no module', (value) => {
  expect(isModule(value)).toBe(false)
})

test('the model sees the JSON Schema of a tool, without what the schema library adds for itself', () => {
  const tool = defineTool({
    name: 'add',
    description: 'Adds.',
    input: z.object({ a: z.number().describe('First.'), b: z.number().default(1) }),
    execute: ({ a, b }) => a + b,
    readOnly: true,
  })

  expect(tool).toMatchObject({ name: 'add', description: 'Adds.', readOnly: true })
  expect(tool.parameters).toMatchObject({
    type: 'object',
    properties: { a: { type: 'number', description: 'First.' }, b: { type: 'number', default: 1 } },
    required: ['a'],
  })
  expect(Object.isFrozen(tool)).toBe(true)
})
