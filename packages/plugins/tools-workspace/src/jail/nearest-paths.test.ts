import { expect, test } from 'vitest'
import { findNearestPaths } from './nearest-paths.js'

const FILES = ['data/quotes.csv', 'data/quotes.json', 'docs/readme.md', 'x.txt']

test.each([
  ['data/quotes.cvs', ['data/quotes.csv']],
  ['quotes.csv', ['data/quotes.csv']],
  ['README.md', ['docs/readme.md']],
  ['unlike-everything-else.bin', []],
])('near %s are %j', (path, expected) => {
  expect(findNearestPaths(path, FILES)).toEqual(expected)
})
