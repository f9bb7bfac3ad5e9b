import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { main } from '../src/main.js'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'create-harnesswright-test-'))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

/** Runs the program in the folder of the test. */
function run(...argv: readonly string[]): { readonly code: number; readonly out: string; readonly err: string } {
  const said = { out: '', err: '' }
  const code = main(argv, {
    cwd,
    out: (text) => {
      said.out += text
    },
    err: (text) => {
      said.err += text
    },
  })
  return { code, ...said }
}

test('the folder is said on standard output, and what to do next on standard error', () => {
  const { code, out, err } = run('module', 'own-words', '--slot', 'action')

  expect({ code, out }).toEqual({ code: 0, out: `${join(cwd, 'own-words')}\n` })
  expect(err).toContain('  cd own-words\n  npm install\n  npm test\n')
  expect(readdirSync(join(cwd, 'own-words', 'src')).sort()).toEqual(['action.ts', 'index.ts'])
})

test.each([
  [['modul', 'x'], 2, 'E_CREATE_USAGE'],
  [['module', 'x', '--slto', 'memory'], 2, 'E_CREATE_USAGE'],
  [['module', 'X'], 2, 'E_CREATE_NAME'],
  [[], 2, 'E_CREATE_USAGE'],
])('%j ends with %d and %s, with all that is needed to mend it', (argv, code, error) => {
  const said = run(...argv)

  expect(said).toMatchObject({ code, out: '' })
  expect(said.err).toMatch(
    new RegExp(`^error\\[${error}\\] .+\nwhere: .+\nexpected: .+\nfix: .+\ndocs: docs/guide/errors-create.md#`),
  )
  expect(readdirSync(cwd)).toEqual([])
})

test('a name that was taken a moment ago ends with 3', () => {
  run('seed', 'tree')

  expect(run('seed', 'tree')).toMatchObject({ code: 3, err: expect.stringContaining('E_CREATE_EXISTS') })
})

test('--help says how it is used', () => {
  expect(run('--help')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^usage: npm create harnesswright/),
    err: '',
  })
})

test('what was typed reaches the terminal without what moves the cursor', () => {
  expect(run('module', 'a\u001b[31m\u202e').err.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
})
