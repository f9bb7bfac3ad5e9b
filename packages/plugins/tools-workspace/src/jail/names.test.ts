import fc from 'fast-check'
import { expect, test } from 'vitest'
import { catchCode } from '../../test/thrown.js'
import { comparePaths, faultOfName, foldName, parseFilePath, parsePath } from './names.js'

test('dots and doubled slashes fall away', () => {
  expect(parsePath('./a//b/./c/')).toEqual(['a', 'b', 'c'])
  expect(parsePath('')).toEqual([])
  expect(parsePath('.')).toEqual([])
})

test.each(['', '.', './', 'a/', 'a/.', 'a/b//'])('the path %j names no file', async (path) => {
  expect(await catchCode(() => parseFilePath(path))).toBe('E_WORKSPACE_PATH')
})

test.each([
  ['README.md', 'readme.MD'],
  ['straße', 'STRASSE'],
  ['\u00e9t\u00e9', 'e\u0301te\u0301'],
  ['\u212aelvin', 'kelvin'],
  ['\u017f', 's'],
  ['a\u200db', 'ab'],
  ['\ufb01le', 'file'],
])('%s and %s are one name for some file system', (a, b) => {
  expect(foldName(a)).toBe(foldName(b))
})

test('folding is idempotent for any name', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => foldName(foldName(name)) === foldName(name)))
})

test('ordinary names of many languages can be used', () => {
  for (const name of [
    'a',
    'notes.txt',
    'Ünï.md',
    '資料.csv',
    'файл',
    'con-fig.txt',
    'a b',
    '-x',
    '~x',
    '.env',
    '👩‍💻.txt',
  ]) {
    expect(faultOfName(name), name).toBeUndefined()
  }
})

test('an absolute path is answered with the relative one', async () => {
  expect(() => parsePath('/data/a.txt')).toThrow('"data/a.txt"')
})

test('paths are ordered by code unit, everywhere the same', () => {
  expect(['b', 'a/b', 'a', 'B', 'a-b'].sort(comparePaths)).toEqual(['B', 'a', 'a-b', 'a/b', 'b'])
})
