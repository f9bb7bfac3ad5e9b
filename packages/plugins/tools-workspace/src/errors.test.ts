import { readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTemporaryDirectory } from '../test/temporary-directory.js'
import { catchError } from '../test/thrown.js'
import { quote, withCodedErrors } from './errors.js'

test('an error of the system keeps its code and loses the paths of the host', async () => {
  const root = makeTemporaryDirectory()

  const gone = await catchError(() => withCodedErrors('a.txt', () => readFileSync(join(root, 'a.txt'))))
  const refused = await catchError(() => withCodedErrors('', () => readSync(99_999, Buffer.alloc(1))))

  expect(gone).toMatchObject({ code: 'E_WORKSPACE_CHANGED', details: { errno: 'ENOENT', path: 'a.txt' } })
  expect(refused).toMatchObject({ code: 'E_WORKSPACE_SYSTEM', details: { errno: 'EBADF' } })
  for (const error of [gone, refused]) expect(`${error.message}${error.stack}${error.cause}`).not.toContain(root)
})

test('an error of a program is passed on as it is', () => {
  const fault = new TypeError('a bug')

  expect(() =>
    withCodedErrors('a', () => {
      throw fault
    }),
  ).toThrow(fault)
})

test('a quoted text is short and has no control characters', () => {
  expect(quote(`a\u001b[31m\n${'x'.repeat(500)}`)).toMatch(/^"a\\u001b\[31m\\nx+…"$/)
})
