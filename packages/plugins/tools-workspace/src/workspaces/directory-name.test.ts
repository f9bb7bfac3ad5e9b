import fc from 'fast-check'
import { expect, test } from 'vitest'
import { faultOfName, foldName } from '../jail/names.js'
import { isProtectedName } from '../jail/protected-names.js'
import { toDirectoryName } from './directory-name.js'

test('the name is safe on every system and says to people which id it is', () => {
  expect(toDirectoryName('3.a/1.b')).toMatch(/^3-a-1-b-[0-9a-f]{32}$/)
  expect(toDirectoryName('')).toMatch(/^[0-9a-f]{32}$/)
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (id) => {
      expect(faultOfName(toDirectoryName(id))).toBeUndefined()
      expect(isProtectedName(toDirectoryName(id))).toBe(false)
    }),
  )
})

test('different ids have different names, also where case makes no difference', () => {
  const ids = ['a/b', 'a.b', 'a-b', 'A/b', '', '-', 'a/b/', '\ud800', '\udc00', '\ufffd', 'e\u0301', '\u00e9']

  expect(new Set(ids.map((id) => foldName(toDirectoryName(id)))).size).toBe(ids.length)
})
