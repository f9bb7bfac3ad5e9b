import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entryFile } from './entry-file.js'

const directory = join('/', 'packages', 'p')
const entryOf = (manifest: object): string =>
  entryFile({ name: 'p', directory, isLinked: false, manifest: manifest as Record<string, unknown> })

test.each([
  ['exports as a text', { exports: './a.js' }, 'a.js'],
  ['conditions alone', { exports: { import: './a.js', require: './b.cjs' } }, 'a.js'],
  [
    'the first condition that holds',
    { exports: { '.': { browser: './x.js', node: './a.js', import: './b.js' } } },
    'a.js',
  ],
  ['conditions in conditions', { exports: { '.': { node: { require: './x.cjs', default: './a.js' } } } }, 'a.js'],
  ['a list of targets', { exports: { '.': [{ require: './x.cjs' }, './a.js'] } }, 'a.js'],
  [
    'the source, where this is run from source',
    { exports: { '.': { '@harnesswright/source': './src/a.ts', default: './x.js' } } },
    'src/a.ts',
  ],
  ['main', { main: 'a.js' }, 'a.js'],
  ['neither', {}, 'index.js'],
])('a package with %s is loaded from there', (_what, manifest, file) => {
  expect(entryOf(manifest)).toBe(join(directory, file))
})

test.each([
  ['exports only what is required', { exports: { require: './x.cjs' } }],
  ['exports only subpaths', { exports: { './a': './a.js' } }],
  ['exports a file outside itself', { exports: '../other/index.js' }],
])('a package that %s cannot be loaded', (_what, manifest) => {
  expect(() => entryOf(manifest)).toThrow('exports nothing that can be imported')
})
