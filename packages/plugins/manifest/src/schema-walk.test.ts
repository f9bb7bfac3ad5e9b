import { describe, expect, test } from 'vitest'
import { fillDefaults } from './defaults.js'
import type { JsonRecord } from './pointer.js'
import { childSchema, followRef, mapSchemas, meantBranch, schemaAt } from './schema-walk.js'

describe('mapSchemas', () => {
  const visited = (schema: JsonRecord) => {
    const seen: [unknown, string][] = []
    mapSchemas(schema, (part, keyword) => {
      seen.push([part['title'], keyword])
      return part
    })
    return seen
  }

  test('visits every schema once, with the keyword that it stands in', () => {
    const schema = {
      title: 'root',
      properties: { items: { title: 'field' }, default: { title: 'named default' } },
      $defs: { allOf: { title: 'def' } },
      allOf: [{ title: 'part' }],
      items: { title: 'item', not: { title: 'not' } },
    }

    expect(visited(schema)).toEqual([
      ['root', ''],
      ['field', 'properties'],
      ['named default', 'properties'],
      ['def', '$defs'],
      ['part', 'allOf'],
      ['item', 'items'],
      ['not', 'not'],
    ])
  })

  test('leaves data alone, whatever it looks like', () => {
    const data = { type: 'object', properties: {} }
    const schema = { default: data, const: data, enum: [data], examples: [data] }

    expect(visited(schema)).toHaveLength(1)
    expect(mapSchemas(schema, (part) => ({ ...part }))).toEqual(schema)
  })
})

describe('a reference', () => {
  const root = {
    $defs: {
      number: { type: 'number', default: 3, description: 'A number.' },
      'a b/c': { $ref: '#/$defs/number' },
    },
  }

  test('is followed to the end, and what stands beside it holds', () => {
    expect(followRef({ $ref: '#/$defs/a%20b~1c', default: 5 }, root)).toEqual({
      type: 'number',
      default: 5,
      description: 'A number.',
    })
    expect(followRef({ $ref: '#' }, root)).toEqual(root)
  })

  test('that leads nowhere leaves what stands beside it', () => {
    expect(followRef({ $ref: '#/$defs/none', type: 'string' }, root)).toEqual({ type: 'string' })
  })

  test('may hold the default of an option', () => {
    const schema = { ...root, properties: { a: { $ref: '#/$defs/number' } } }

    expect(fillDefaults({}, schema, schema)).toEqual({ a: 3 })
    expect(fillDefaults({ a: 0 }, schema, schema)).toEqual({ a: 0 })
  })
})

describe('the branch of a union that is meant', () => {
  test.each([
    [[{ type: 'string' }, { type: 'integer' }], 1.5, 1],
    [[{ type: 'string' }, { type: ['array', 'null'] }], null, 1],
    [[{ const: 'a' }, { const: 'b' }], 'b', 1],
    [
      [
        { type: 'object', properties: { kind: { const: 'a' } } },
        { type: 'object', properties: { kind: { const: 'b' } } },
      ],
      { kind: 'b' },
      1,
    ],
  ])('of %j for %j is the only one that could be', (branches, value, index) => {
    expect(meantBranch(branches, value, {})).toBe(index)
  })

  test('is not clear where several could be, or none', () => {
    expect(meantBranch([{ type: 'string', minLength: 3 }, { type: 'string' }], 'x', {})).toBeUndefined()
    expect(meantBranch([{ type: 'string' }], 1, {})).toBeUndefined()
  })
})

describe('the schema of a place', () => {
  const schema = {
    properties: { pair: { prefixItems: [{ title: 'first' }], items: { title: 'rest' } } },
    additionalProperties: { title: 'other' },
  }

  test('is that of the field or the item, else that of all others', () => {
    const value = { pair: [1, 2], more: 3 }

    expect(schemaAt('/pair/0', value, schema)).toEqual({ title: 'first' })
    expect(schemaAt('/pair/1', value, schema)).toEqual({ title: 'rest' })
    expect(schemaAt('/more', value, schema)).toEqual({ title: 'other' })
    expect(childSchema({ additionalProperties: false }, {}, '/x', {})).toEqual({})
  })

  test('is where defaults come from, in tuples and maps too', () => {
    const withDefault = { properties: { n: { default: 1 } } }
    const deep = { properties: { pair: { prefixItems: [withDefault] }, map: { additionalProperties: withDefault } } }

    expect(fillDefaults({ pair: [{}, {}], map: { a: {} } }, deep, deep)).toEqual({
      pair: [{ n: 1 }, {}],
      map: { a: { n: 1 } },
    })
  })
})
