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

test('a schema that calls itself asynchronous is checked like any other', async () => {
  const validate = await compileSchema({ $async: true, type: 'object', required: ['a'] })

  expect(validate({}).map((fault) => fault.keyword)).toEqual(['required'])
})

test('compiled schemas are not kept for ever: thousands of them leave the heap flat', { timeout: 60_000 }, async () => {
  const schemaOf = (index: number): object => ({ type: 'object', properties: { [`p${index}`]: { type: 'number' } } })
  const refs: WeakRef<object>[] = []
  for (let index = 0; index < 700; index++) {
    const schema = schemaOf(index)
    if (index < 50) refs.push(new WeakRef(schema))
    await compileSchema(schema as { [key: string]: unknown })
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
