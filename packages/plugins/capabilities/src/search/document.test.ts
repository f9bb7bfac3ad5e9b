import type { Tool } from '@harnesswright/core'
import { expect, test } from 'vitest'
import { documentOf } from './document.js'

const aTool = (parameters: Tool['parameters']): Tool => ({
  name: 'sendMail',
  description: 'Sends mail.',
  parameters,
  execute: () => '',
})
const words = (tool: Tool): readonly string[] => [...documentOf(tool).counts.keys()]

test('a tool is found by its name, which counts twice, its description, and everything that its parameters say', () => {
  const tool = aTool({
    type: 'object',
    properties: {
      recipients: {
        type: 'array',
        items: { type: 'object', properties: { address: { type: 'string', description: 'Postal town.' } } },
      },
      priority: { enum: ['urgent', 3, null] },
      anything: true,
    },
  })

  expect(words(tool)).toEqual(['send', 'mail', 'recipient', 'address', 'postal', 'town', 'prioriti', 'urgent', 'anyth'])
  expect(documentOf(tool).counts.get('mail')).toBe(3)
  expect(documentOf(tool).length).toBe(13)
})

test('what is deep in the parameters, very long or no schema is not read', () => {
  const deep = (levels: number): Tool['parameters'] =>
    levels === 0 ? { description: 'x' } : { properties: { [`level${levels}`]: deep(levels - 1) } }

  expect(words(aTool(deep(8))).filter((word) => word.startsWith('level'))).toHaveLength(4)
  expect(words(aTool({ properties: { long: { description: `${'word '.repeat(1_000)} end` } } }))).not.toContain('end')
  expect(words(aTool({ properties: ['a'], items: null, enum: 'x' } as never))).toEqual(['send', 'mail'])
})
