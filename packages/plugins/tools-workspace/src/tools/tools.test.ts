import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '@harnesswright/core'
import { expect, test } from 'vitest'
import { makeTemporaryDirectory } from '../../test/temporary-directory.js'
import { catchError } from '../../test/thrown.js'
import { callTool } from '../../test/tool-context.js'
import type { WorkspaceLimits } from '../limits.js'
import { openWorkspace } from '../workspaces/open-workspace.js'

function makeTools(files: Readonly<Record<string, string>> = {}, limits: Partial<WorkspaceLimits> = {}) {
  const root = makeTemporaryDirectory()
  const { tools, workspaces, id } = openWorkspace(root, { limits })
  for (const [path, text] of Object.entries(files)) workspaces.jail(id).write(path, text)
  const call = (name: string, args: Json) => callTool(tools, name, args)
  const fail = async (name: string, args: Json) => (await catchError(() => call(name, args))).message
  return { root, tools, call, fail }
}

test('there are five tools, and the one that writes says so', () => {
  const { tools } = makeTools()

  expect(tools.map(({ name, readOnly, idempotent }) => [name, readOnly ?? false, idempotent])).toEqual([
    ['list_files', true, true],
    ['read_file', true, true],
    ['write_file', false, true],
    ['search_files', true, true],
    ['calculator', true, true],
  ])
})

test('every parameter of every tool is described, and unknown ones are refused', () => {
  for (const { description, parameters } of makeTools().tools) {
    expect(description).not.toBe('')
    expect(parameters).toMatchObject({ type: 'object', additionalProperties: false })
    for (const property of Object.values(parameters['properties'] as Record<string, { description?: string }>)) {
      expect(property.description).toMatch(/\w/)
    }
  }
})

test('list_files gives paths with sizes in order', async () => {
  const { call } = makeTools({ 'b.txt': 'four', 'a/c.txt': '', 'a/b.txt': 'x' })

  expect(await call('list_files', {})).toBe('a/b.txt (1 bytes)\na/c.txt (0 bytes)\nb.txt (4 bytes)')
  expect(await call('list_files', { path: 'a' })).toBe('a/b.txt (1 bytes)\na/c.txt (0 bytes)')
  expect(await call('list_files', { path: './a/' })).toBe('a/b.txt (1 bytes)\na/c.txt (0 bytes)')
})

test('list_files counts the files of folders when there are too many to show', async () => {
  const files = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`many/${index}.txt`, 'x']))
  const { call } = makeTools({ ...files, 'top.txt': 'x', 'other/deep/file.txt': 'x' }, { listEntries: 4 })

  expect(await call('list_files', {})).toBe(
    'many/ (6 files)\nother/ (1 files)\ntop.txt (1 bytes)\n(list a folder to see its files)',
  )
  expect(await call('list_files', { path: 'many' })).toBe(
    'many/0.txt (1 bytes)\nmany/1.txt (1 bytes)\nmany/2.txt (1 bytes)\nmany/3.txt (1 bytes)\n' +
      '(2 more are not shown; search_files finds them)',
  )
})

test('list_files says when there is nothing, and what cannot be used', async () => {
  const { call, root } = makeTools()
  expect(await call('list_files', {})).toBe('The workspace has no files.')
  writeFileSync(join(root, '.harnesswright-1.tmp'), 'of a write that never ended')
  expect(await call('list_files', {})).toBe('The workspace has no files.')

  mkdirSync(join(root, 'empty'))
  symlinkSync('/etc', join(root, 'link'))
  writeFileSync(join(root, 'what?'), '')

  expect(await call('list_files', {})).toMatch(/^The workspace has no files\.\n\(2 entries are no files/)
  expect(await call('list_files', { path: 'empty' })).toBe('empty has no files.')
})

test('read_file shows a range of lines and says where to go on', async () => {
  const { call, fail } = makeTools({ 'a.txt': '1\n2\n3\n4' })

  expect(await call('read_file', { path: 'a.txt' })).toBe('1\n2\n3\n4')
  expect(await call('read_file', { path: 'a.txt', offset: 2, limit: 2 })).toBe(
    '2\n3\n[lines 2 to 3 of 4; go on with offset 4]',
  )
  expect(await call('read_file', { path: 'a.txt', offset: 4 })).toBe('4\n[lines 4 to 4 of 4]')
  expect(await fail('read_file', { path: 'a.txt', offset: 5 })).toBe('The file has 4 lines; offset 5 is beyond them.')
})

test('read_file gives as many whole lines as fit, and cuts a line only when it is alone too long', async () => {
  const { call } = makeTools(
    { 'long.txt': '12345\n12345\n12345\n', 'wide.txt': `${'😀'.repeat(10)}\nend` },
    { readChars: 13 },
  )

  expect(await call('read_file', { path: 'long.txt' })).toBe('12345\n12345\n[lines 1 to 2 of 3; go on with offset 3]')
  expect(await call('read_file', { path: 'wide.txt' })).toBe(
    `${'😀'.repeat(6)}\n[line 1 of 2, cut after 13 of its 21 characters; go on with offset 2]`,
  )
})

test('a missing file is answered with the nearest that exist', async () => {
  const { fail } = makeTools({ 'data/quotes.csv': 'x', 'readme.md': 'x' })

  expect(await fail('read_file', { path: 'data/qoutes.csv' })).toBe(
    'There is no file "data/qoutes.csv" in the workspace. Nearest: "data/quotes.csv", "data", "readme.md".',
  )
  expect(await fail('read_file', { path: 'quotes.csv' })).toContain('Nearest: "data/quotes.csv"')
  expect(await fail('list_files', { path: 'dta' })).toMatch(/^There is no folder "dta" .* Nearest: "data"/)
  expect(await fail('search_files', { path: 'dat', query: 'x' })).toContain('Nearest: "data"')
  expect(await makeTools().fail('read_file', { path: 'a' })).toContain('The workspace has no files.')
})

test('write_file says what it did', async () => {
  const { call } = makeTools()

  expect(await call('write_file', { path: 'out/ä.txt', content: 'ü' })).toBe('Wrote 2 bytes to out/ä.txt, a new file.')
  expect(await call('write_file', { path: 'out/ä.txt', content: '' })).toBe(
    'Wrote 0 bytes to out/ä.txt, replacing 2 bytes.',
  )
})

test('search_files finds text as it is written, in the order of paths and lines', async () => {
  const { call } = makeTools({ 'b.txt': 'a.c\nabc\r\na.c', 'a/x.txt': 'one a.c' }, { patternTimeoutMs: 30_000 })

  expect(await call('search_files', { query: 'a.c' })).toBe('a/x.txt:1: one a.c\nb.txt:1: a.c\nb.txt:3: a.c')
  expect(await call('search_files', { query: 'a.c', pattern: true, path: 'b.txt' })).toBe(
    'b.txt:1: a.c\nb.txt:2: abc\nb.txt:3: a.c',
  )
})

test('search_files says that nothing was found, and when only the case differs', async () => {
  const { call, fail } = makeTools({ 'a.txt': 'ERROR\nerror: x\nfine' })

  expect(await call('search_files', { query: 'nothing' })).toBe('No line matches "nothing" in 1 files.')
  expect(await call('search_files', { query: 'Error' })).toBe(
    'No line matches "Error" in 1 files. 2 lines match when upper and lower case are the same.',
  )
  expect(await fail('search_files', { query: 'a\nb' })).toContain('line break')
})

test('search_files leaves out binary and large files, and says how many', async () => {
  const { call, root } = makeTools({ 'a.txt': 'needle' }, { fileBytes: 100 })
  writeFileSync(join(root, 'b.bin'), 'needle\0')
  writeFileSync(join(root, 'c.txt'), 'needle'.repeat(50))

  expect(await call('search_files', { query: 'needle' })).toBe(
    'a.txt:1: needle\n(2 binary, large or unreadable files were not searched)',
  )
})

test('search_files keeps its limits and says that there is more', async () => {
  const { call } = makeTools({ 'a.txt': 'needle\n'.repeat(9), 'b.txt': 'needle' }, { searchMatches: 2 })
  const narrow = makeTools({ 'a.txt': 'needle\n'.repeat(9) }, { searchChars: 40 })
  const few = makeTools({ 'a.txt': 'needle', 'b.txt': 'needle' }, { searchBytes: 10 })

  expect(await call('search_files', { query: 'needle' })).toBe(
    'a.txt:1: needle\na.txt:2: needle\n(more lines match than the 2 shown; narrow the search by path or by a longer query)',
  )
  expect(await narrow.call('search_files', { query: 'needle' })).toMatch(/^(a.txt:\d: needle\n){2}\(more lines match/)
  expect(await few.call('search_files', { query: 'needle' })).toBe(
    'a.txt:1: needle\n(not all files were searched: there are too many; give a path)',
  )
})

test('search_files shows the part of a long line that matches', async () => {
  const { call } = makeTools({ 'a.txt': `${'x'.repeat(1000)}needle${'y'.repeat(1000)}` })

  const result = String(await call('search_files', { query: 'needle' }))

  expect(result).toMatch(/^a\.txt:1: …x{100}needley+…$/)
  expect(result.length).toBeLessThan(330)
})

test('search_files stops a catastrophic pattern and can be aborted', async () => {
  const { tools, fail } = makeTools({ 'a.txt': `${'a'.repeat(40)}!` }, { patternTimeoutMs: 200 })

  expect(await fail('search_files', { query: '(a+)+$', pattern: true })).toContain('more than 200 ms')
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(callTool(tools, 'search_files', { query: 'a' }, { signal })).rejects.toThrow(/abort|enough/)
})

test('calculator gives the value as text', async () => {
  const { call, fail } = makeTools()

  expect(await call('calculator', { expression: '3 * 19.99' })).toBe('59.97')
  expect(await fail('calculator', { expression: '3 *' })).toContain('position 4')
})
