import { defineModule, type Module } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { describePackage } from './describe.js'

const plugin = (options: z.ZodType): Module =>
  defineModule({ slot: 'plugin', summary: 'Does it.', options: options as never })
const optionsOf = (options: z.ZodType) => describePackage({ name: 'p', modules: { x: plugin(options) } }).modules['x']

describe('describePackage', () => {
  test('says what the code says, as JSON', () => {
    const memory = defineModule({
      slot: 'memory',
      summary: 'Keeps it.',
      options: z.object({
        steps: z
          .int()
          .min(1)
          .max(9)
          .default(3)
          .describe('Steps kept.')
          .meta({ buckets: [1, 3, 9] }),
      }),
      prompts: { fold: 'Fold {{text}}.' },
      requires: ['plan'],
      provides: ['summary'],
      breaksPrefix: true,
      view: (ctx) => ctx.view,
    })

    const description = describePackage({ name: '@a/b', authority: 'workspace', modules: { memory } })

    expect(description).toEqual({
      name: '@a/b',
      protocol: 1,
      authority: 'workspace',
      modules: {
        memory: {
          slot: 'memory',
          summary: 'Keeps it.',
          options: {
            type: 'object',
            properties: {
              steps: {
                type: 'integer',
                minimum: 1,
                maximum: 9,
                default: 3,
                description: 'Steps kept.',
                buckets: [1, 3, 9],
              },
            },
            additionalProperties: false,
          },
          prompts: { fold: 'Fold {{text}}.' },
          requires: ['plan'],
          provides: ['summary'],
          breaksPrefix: true,
        },
      },
    })
    expect(JSON.stringify(describePackage({ name: '@a/b', authority: 'workspace', modules: { memory } }))).toBe(
      JSON.stringify(description),
    )
  })

  test('describes a module without options, prompts and labels as one that has none', () => {
    const module = defineModule({ slot: 'plugin', summary: 'Watches.', observer: true })

    expect(describePackage({ name: 'p', modules: { default: module } })).toMatchObject({
      authority: 'none',
      modules: {
        default: {
          options: { type: 'object', properties: {}, additionalProperties: false },
          prompts: {},
          requires: [],
          provides: [],
          observer: true,
        },
      },
    })
  })

  test.each([
    ['before a default', z.string().describe('d').meta({ host: true }).default('x')],
    ['after a default', z.string().default('x').describe('d').meta({ host: true })],
    ['before optional', z.string().describe('d').meta({ host: true }).optional()],
    ['on a required option', z.string().describe('d').meta({ host: true })],
  ])('takes an option marked for the host %s out of what a manifest may set', (_, root) => {
    const described = optionsOf(z.object({ root, top: z.int().describe('Most.') }))

    expect(described?.host).toEqual(['root'])
    expect(Object.keys(described?.options['properties'] as object)).toEqual(['top'])
    expect(described?.options['required']).toEqual(['top'])
  })

  test('leaves no requirement when only the host must set something', () => {
    const described = optionsOf(z.object({ root: z.string().describe('Folder.').meta({ host: true }) }))

    expect(described?.options).toEqual({ type: 'object', properties: {}, additionalProperties: false })
  })

  test('keeps the order in which options are declared', () => {
    const described = optionsOf(
      z.object({ b: z.int().describe('B.'), a: z.int().describe('A.'), c: z.int().describe('C.') }),
    )

    expect(Object.keys(described?.options['properties'] as object)).toEqual(['b', 'a', 'c'])
  })

  test('closes objects at every level, but not those that say what else they take', () => {
    const inner = z.object({ x: z.int() })
    const described = optionsOf(
      z.object({
        nested: z.array(inner).describe('N.'),
        open: z.looseObject({ x: z.int() }).describe('O.'),
        map: z.record(z.string(), z.int()).describe('M.'),
        // A field that has the name of a keyword is a field.
        properties: z.object({ type: z.string(), properties: z.string() }).describe('P.'),
      }),
    )
    const { nested, open, map, properties } = (described?.options['properties'] ?? {}) as Record<
      string,
      Record<string, never>
    >

    expect(nested?.['items']?.['additionalProperties']).toBe(false)
    expect(open?.['additionalProperties']).toEqual({})
    expect(map?.['additionalProperties']).toMatchObject({ type: 'integer' })
    expect(properties).toMatchObject({
      additionalProperties: false,
      properties: { type: { type: 'string' }, properties: { type: 'string' } },
    })
    expect(Object.keys(properties?.['properties'] ?? {})).toEqual(['type', 'properties'])
  })

  test('leaves the parts of an intersection open, as each would refuse the fields of the other', () => {
    const both = z.intersection(z.object({ a: z.int() }), z.record(z.string(), z.unknown())).describe('B.')
    const described = optionsOf(z.object({ both }))

    expect(described?.options['properties']).toMatchObject({
      both: { allOf: [{ required: ['a'] }, { additionalProperties: {} }] },
    })
    expect(JSON.stringify(described?.options['properties'])).not.toContain('"additionalProperties":false')
  })

  test.each([
    [
      'an option without a description',
      z.object({ ok: z.int().describe('x'), bad: z.int() }),
      /option "bad" has no description/,
    ],
    ['an option with an empty description', z.object({ bad: z.int().describe('') }), /option "bad" has no description/],
    ['options that are no object', z.string(), /no object/],
    ['a union of objects', z.union([z.object({}), z.object({ a: z.int() })]), /no object/],
    ['options that JSON cannot say', z.object({ at: z.date().describe('When.') }), /cannot be written as JSON Schema/],
    [
      'a part of an option marked for the host',
      z.object({ a: z.object({ b: z.string().meta({ host: true }) }).describe('A.') }),
      /only a whole option/,
    ],
    [
      'a nullable option whose inside is marked for the host',
      z.object({ a: z.string().meta({ host: true }).nullable().describe('A.') }),
      /only a whole option|^$/,
    ],
  ])('refuses %s', (_, options, message) => {
    expect(() => optionsOf(options)).toThrow(
      expect.objectContaining({ code: 'E_PROTOCOL_MODULE', message: expect.stringMatching(message) }),
    )
  })

  test('refuses an export that is no module', () => {
    expect(() => describePackage({ name: 'p', modules: { x: { slot: 'memory' } as never } })).toThrow(
      expect.objectContaining({ code: 'E_PROTOCOL_MODULE', message: expect.stringContaining('p#x') }),
    )
  })
})
