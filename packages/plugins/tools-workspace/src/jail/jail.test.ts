import { chmodSync, mkdirSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeTemporaryDirectory } from '../../test/temporary-directory.js'
import { catchCode, catchError } from '../../test/thrown.js'
import type { WorkspaceLimits } from '../limits.js'
import { openJail } from './jail.js'

function makeJail(limits: Partial<WorkspaceLimits> = {}) {
  const root = makeTemporaryDirectory()
  return { root, jail: openJail(root, { limits }) }
}

test('a write makes the folders it needs and leaves no other file', () => {
  const { root, jail } = makeJail()

  jail.write('a/b/c.txt', 'one')
  jail.write('a/b/c.txt', 'two')

  expect(jail.readText('a/b/c.txt')).toBe('two')
  expect(readdirSync(join(root, 'a', 'b'))).toEqual(['c.txt'])
})

test('a replaced file keeps its permission bits but for those that lend rights', () => {
  const { root, jail } = makeJail()
  jail.write('run.sh', 'one')
  chmodSync(join(root, 'run.sh'), 0o4755)

  jail.write('run.sh', 'two')

  expect(statSync(join(root, 'run.sh')).mode & 0o7777).toBe(0o755)
})

test('a read-only file is not replaced', async () => {
  const { root, jail } = makeJail()
  jail.write('fixed.txt', 'one')
  chmodSync(join(root, 'fixed.txt'), 0o444)

  expect(await catchCode(() => jail.write('fixed.txt', 'two'))).toBe('E_WORKSPACE_READ_ONLY')
  expect(jail.readText('fixed.txt')).toBe('one')
})

test('a name that differs only in case or form from one that is there is refused, with the one that is there', async () => {
  const { jail } = makeJail()
  jail.write('Data/caf\u00e9.txt', 'one')

  for (const path of ['data/other.txt', 'Data/CAF\u00c9.txt', 'Data/cafe\u0301.txt', 'Data/caf\u00e9\u200b.txt']) {
    const error = await catchError(() => jail.write(path, 'two'))
    expect(error.code).toBe('E_WORKSPACE_COLLISION')
    expect(error.message).toMatch(/"Data"|"caf\u00e9\.txt"/)
  }
  expect(jail.list().map(({ path }) => path)).toEqual(['Data/caf\u00e9.txt'])
})

test('files that differ only in case are both used when both are there', () => {
  const { root, jail } = makeJail()
  writeFileSync(join(root, 'a.txt'), '1')
  writeFileSync(join(root, 'A.txt'), '2')

  jail.write('a.txt', '3')

  expect([jail.readText('a.txt'), jail.readText('A.txt')]).toEqual(['3', '2'])
})

test('a file where a folder is wanted, and the other way round, are told apart', async () => {
  const { jail } = makeJail()
  jail.write('folder/file.txt', 'x')

  expect(await catchCode(() => jail.write('folder', 'x'))).toBe('E_WORKSPACE_KIND')
  expect(await catchCode(() => jail.write('folder/file.txt/x', 'x'))).toBe('E_WORKSPACE_KIND')
  expect(await catchCode(() => jail.read('folder/file.txt/x'))).toBe('E_WORKSPACE_KIND')
  expect(await catchCode(() => jail.remove('folder'))).toBe('E_WORKSPACE_KIND')
  expect(await catchCode(() => jail.read('none/file.txt'))).toBe('E_WORKSPACE_MISSING')
  expect(await catchCode(() => jail.list('none'))).toBe('E_WORKSPACE_MISSING')
  expect(await catchCode(() => jail.remove('none.txt'))).toBe('E_WORKSPACE_MISSING')
})

test('removing the last file of a folder removes the folder, and no other', () => {
  const { root, jail } = makeJail()
  jail.write('a/b/c.txt', 'x')
  jail.write('a/d.txt', 'x')

  jail.remove('a/b/c.txt')
  expect(readdirSync(join(root, 'a'))).toEqual(['d.txt'])

  jail.remove('a/d.txt')
  expect(readdirSync(root)).toEqual([])
})

test('a list is in the order of paths and can be of one folder or one file', () => {
  const { jail } = makeJail()
  for (const path of ['b.txt', 'a/z.txt', 'a-b.txt', 'a/b/c.txt']) jail.write(path, path)

  expect(jail.list().map(({ path }) => path)).toEqual(['a-b.txt', 'a/b/c.txt', 'a/z.txt', 'b.txt'])
  expect(jail.list('a').map(({ path }) => path)).toEqual(['a/b/c.txt', 'a/z.txt'])
  expect(jail.list('b.txt')).toEqual([{ path: 'b.txt', sizeBytes: 5 }])
})

test('a file larger than the limit is neither written nor read, and one of the limit is', async () => {
  const { root, jail } = makeJail({ fileBytes: 10 })

  jail.write('ten.txt', '1234567890')
  expect(jail.readText('ten.txt')).toBe('1234567890')
  expect(await catchCode(() => jail.write('eleven.txt', '12345678901'))).toBe('E_WORKSPACE_LIMIT')
  writeFileSync(join(root, 'big'), '')
  truncateSync(join(root, 'big'), 2 ** 40)
  expect(await catchCode(() => jail.read('big'))).toBe('E_WORKSPACE_LIMIT')
  expect(readdirSync(root).sort()).toEqual(['big', 'ten.txt'])
})

test.runIf(process.platform === 'linux')(
  'a file that has more than its size says is read to its end or refused',
  async () => {
    const status = openJail('/proc/self').readText('status') // its size is 0

    expect(status).toContain(`Pid:\t${process.pid}`)
    expect(await catchCode(() => openJail('/proc/self', { limits: { fileBytes: 100 } }).read('status'))).toBe(
      'E_WORKSPACE_LIMIT',
    )
  },
)

test('the workspace holds no more than its limits, and takes files again when there is room', async () => {
  const { jail } = makeJail({ totalEntries: 4, totalBytes: 20 })
  jail.write('a/one.txt', '12345') // two entries
  jail.write('two.txt', '12345')

  expect(await catchCode(() => jail.write('b/three.txt', '1'))).toBe('E_WORKSPACE_LIMIT')
  expect(await catchCode(() => jail.write('two.txt', '1234567890123456'))).toBe('E_WORKSPACE_LIMIT')
  jail.write('two.txt', '123456789012345')
  jail.remove('two.txt')
  jail.write('b/three.txt', '1')

  expect(jail.list()).toHaveLength(2)
})

test('what is there can be replaced even where there are too many files', async () => {
  const { root } = makeJail()
  for (const name of ['a', 'b', 'c']) writeFileSync(join(root, name), 'old')
  const jail = openJail(root, { limits: { totalEntries: 2 } })

  jail.write('b', 'new')

  expect(jail.readText('b')).toBe('new')
  expect(await catchCode(() => jail.write('d', 'new'))).toBe('E_WORKSPACE_LIMIT')
})

test('the mark at the beginning of a text is part of it', () => {
  const { jail } = makeJail()

  jail.write('marked.txt', '\ufeffx')

  expect(jail.readText('marked.txt')).toBe('\ufeffx')
})

test('a file left by a write that never ended is neither shown nor opened', async () => {
  const { root, jail } = makeJail()
  writeFileSync(join(root, '.harnesswright-1.tmp'), 'half')

  expect(jail.list()).toEqual([])
  expect(await catchCode(() => jail.read('.harnesswright-1.tmp'))).toBe('E_WORKSPACE_PATH')
})

test.runIf(process.platform === 'linux' && statSync('/dev').dev !== statSync('/dev/shm').dev)(
  'another file system that is mounted in the workspace is not entered',
  async () => {
    expect(await catchCode(() => openJail('/dev').list('shm'))).toBe('E_WORKSPACE_KIND')
    expect(await catchCode(() => openJail('/dev').read('shm/x'))).toBe('E_WORKSPACE_KIND')
  },
)

test.runIf(process.platform === 'linux')('no descriptor stays open, whatever happens', async () => {
  const { root, jail } = makeJail()
  mkdirSync(join(root, 'a', 'b'), { recursive: true })
  const count = () => readdirSync('/proc/self/fd').length
  const before = count()

  for (let round = 0; round < 50; round++) {
    for (const work of [
      () => jail.write('a/b/c.txt', 'x'),
      () => jail.read('a/b/none'),
      () => jail.read('a/b'),
      () => jail.write('a/b', 'x'),
      () => jail.write('a/B/c', 'x'),
      () => jail.list('a/none'),
      () => jail.list(),
      () => jail.remove('a/b/c.txt'),
    ]) {
      await Promise.resolve(round)
        .then(work)
        .catch(() => undefined)
    }
  }

  expect(count()).toBeLessThan(before + 10)
})

test('room that others made is seen', async () => {
  const { root, jail } = makeJail({ totalEntries: 1 })
  jail.write('one.txt', 'x')
  expect(await catchCode(() => jail.write('two.txt', 'x'))).toBe('E_WORKSPACE_LIMIT')

  openJail(root).remove('one.txt')
  jail.write('two.txt', 'x')

  expect(jail.list()).toEqual([{ path: 'two.txt', sizeBytes: 1 }])
})

test('a list of more entries than the limit is an error, not a part', async () => {
  const { root } = makeJail()
  for (const name of ['a', 'b', 'c']) writeFileSync(join(root, name), '')

  expect(await catchCode(() => openJail(root, { limits: { totalEntries: 2 } }).list())).toBe('E_WORKSPACE_LIMIT')
})

test('entries deeper than a path can name are left out', () => {
  const { root, jail } = makeJail()
  mkdirSync(join(root, ...Array.from({ length: 40 }, () => 'd')), { recursive: true })
  writeFileSync(join(root, 'top.txt'), '')

  expect(jail.list().map(({ path }) => path)).toEqual(['top.txt'])
})

test('binary data is no text, and half of a surrogate pair is not written', async () => {
  const { jail } = makeJail()
  jail.write('data.bin', Uint8Array.of(0xff, 0xfe, 0x00))

  expect(jail.read('data.bin')).toEqual(Buffer.of(0xff, 0xfe, 0x00))
  expect(await catchCode(() => jail.readText('data.bin'))).toBe('E_WORKSPACE_TEXT')
  expect(await catchCode(() => jail.write('half.txt', 'a\ud800b'))).toBe('E_WORKSPACE_TEXT')
})

test('an unknown limit or one that is no positive integer is refused', async () => {
  const root = makeTemporaryDirectory()

  for (const limits of [{ fileBytes: 0 }, { fileBytes: 1.5 }, { fileBytes: Number.NaN }, { filesize: 1 }]) {
    expect(await catchCode(() => openJail(root, { limits }))).toBe('E_WORKSPACE_OPTION')
  }
})

test('what is no directory is not opened', async () => {
  const root = makeTemporaryDirectory()
  writeFileSync(join(root, 'file'), '')

  expect(await catchCode(() => openJail(join(root, 'none')))).toBe('E_WORKSPACE_MISSING')
  expect(await catchCode(() => openJail(join(root, 'file')))).toBe('E_WORKSPACE_KIND')
})

test.runIf(process.getuid?.() !== 0)('what the system refuses is told without a path of the host', async () => {
  const { root, jail } = makeJail()
  jail.write('closed.txt', 'x')
  chmodSync(join(root, 'closed.txt'), 0o200)

  const error = await catchError(() => jail.read('closed.txt'))

  expect(error.code).toBe('E_WORKSPACE_SYSTEM')
  expect(error.message).not.toContain(root)
})
