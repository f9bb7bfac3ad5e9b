import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseLimits } from '../src/limits.js'

const read = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')

test('the README has every error code and no other', () => {
  const codesOf = (text: string) => [...new Set(text.match(/E_WORKSPACE_\w+/g))].sort()

  expect(codesOf(read('README.md'))).toEqual(codesOf(read('src/errors.ts')))
})

test('the README has every limit with its default', () => {
  const rows = [...read('README.md').matchAll(/^\| `(\w+)` +\| (\d+) +\|/gm)]

  expect(Object.fromEntries(rows.map(([, name, value]) => [name, Number(value)]))).toEqual(parseLimits())
})
