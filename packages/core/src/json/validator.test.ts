import { expect, test } from 'vitest'
import { compileSchema } from './validator.js'

test('each schema object is compiled once', async () => {
  const schema = { type: 'object', properties: { a: { type: 'number' } } }

  expect(await compileSchema(schema)).toBe(await compileSchema(schema))
})

test('all faults are found, not the first alone', async () => {
  const validate = await compileSchema({
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'boolean' } },
    required: ['c'],
  })

  expect(validate({ a: 'x', b: 1 }).map((fault) => fault.keyword)).toEqual(['required', 'type', 'type'])
  expect(validate({ a: 1, b: true, c: null })).toEqual([])
})

test('two schemas with one $id do not disturb each other', async () => {
  const number = await compileSchema({ $id: 'same', type: 'number' })
  const text = await compileSchema({ $id: 'same', type: 'string' })

  expect([number(1).length, number('a').length, text(1).length, text('a').length]).toEqual([0, 1, 1, 0])
})

test('a schema that cannot be compiled leaves its $id to others', async () => {
  await expect(compileSchema({ $id: 'taken', properties: { a: { $ref: '#/nowhere' } } })).rejects.toThrow('#/nowhere')
  const text = await compileSchema({ $id: 'taken', type: 'string' })

  expect([text(1).length, text('a').length]).toEqual([1, 0])
})

test('a field is looked for in the value itself, though every object inherits one of that name', async () => {
  const optional = await compileSchema({ type: 'object', properties: { constructor: { type: 'string' } } })
  const required = await compileSchema({ type: 'object', required: ['constructor'] })

  expect([optional({}).length, optional({ constructor: 'Lotus' }).length, required({}).length]).toEqual([0, 0, 1])
})

test('a schema that calls itself asynchronous is checked like any other', async () => {
  const validate = await compileSchema({ $async: true, type: 'object', required: ['a'] })

  expect(validate({}).map((fault) => fault.keyword)).toEqual(['required'])
})

test('compiled schemas are not kept for ever: thousands of them leave the heap flat', { timeout: 60_000 }, async () => {
  const schemaOf = (index: number) => ({ type: 'object', properties: { [`p${index}`]: { type: 'number' } } })
  const refs: WeakRef<object>[] = []
  for (let index = 0; index < 700; index++) {
    const schema = schemaOf(index)
    // What is inside, as ajv is given a copy of the outermost object.
    if (index < 50) refs.push(new WeakRef(schema.properties))
    await compileSchema(schema)
  }
  await collectGarbage()

  expect(refs.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(10)
})

/** Garbage collection on demand, without a flag of the process that would outlive the test. */
async function collectGarbage(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8')
  const { runInNewContext } = await import('node:vm')
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  await new Promise((resolve) => setImmediate(resolve))
  gc()
}
