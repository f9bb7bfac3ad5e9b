import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isHarnessError } from '@harnesswright/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openJail } from '../src/jail/jail.js'
import { makeTemporaryDirectory } from './temporary-directory.js'

const PIECES = [
  '..',
  '.',
  '',
  '/',
  '//',
  '\\',
  '\0',
  ' ',
  'a',
  'folder',
  'link',
  'link.txt',
  'file.txt',
  'secret.txt',
  'outside',
  '..\u200d',
  '\uff0e\uff0e',
  '%2e%2e',
  '%2f',
  '~',
  '$HOME',
  'C:',
  'CON',
  'a.',
  'proc/self/root',
  'proc/self/cwd',
  'dev/fd/0',
  'file://',
  '\ud800',
  'x'.repeat(255),
]

const paths = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 7 }).map((pieces) => pieces.join('/')),
  fc.array(fc.constantFrom(...PIECES), { maxLength: 7 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

test('whatever the path is, the operation is refused with a code or stays inside', () => {
  const base = makeTemporaryDirectory({ isBusy: true })
  const [root, outside] = [join(base, 'root'), join(base, 'outside')]
  mkdirSync(join(root, 'folder'), { recursive: true })
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret.txt'), 'secret')
  symlinkSync(outside, join(root, 'link'))
  symlinkSync(join(outside, 'secret.txt'), join(root, 'link.txt'))
  const jail = openJail(root)
  const attempt = (work: () => unknown): unknown => {
    try {
      return work()
    } catch (error) {
      if (!isHarnessError(error)) throw error
      expect(error.message).not.toContain(base)
      return undefined
    }
  }

  fc.assert(
    fc.property(paths, (path) => {
      expect(`${attempt(() => jail.readText(path))}`).not.toContain('secret')
      attempt(() => jail.write(path, 'written'))
      attempt(() => jail.list(path))
      attempt(() => jail.remove(path))

      expect(readdirSync(base).sort()).toEqual(['outside', 'root'])
      expect(readdirSync(outside)).toEqual(['secret.txt'])
      expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('secret')
      expect(readdirSync(root)).toEqual(expect.arrayContaining(['link', 'link.txt']))
    }),
    { numRuns: 1000 },
  )
})
