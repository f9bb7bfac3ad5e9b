import { execFileSync } from 'node:child_process'
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { isHarnessError } from '@harnesswright/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Jail, toJail } from '../src/jail/jail.js'
import { type Hold, openPlace } from '../src/jail/place.js'
import { parseLimits } from '../src/limits.js'
import { openWorkspace } from '../src/workspaces/open-workspace.js'
import { makeTemporaryDirectory } from './temporary-directory.js'
import { catchError } from './thrown.js'
import { callTool } from './tool-context.js'

const SECRET = 'the secret outside'

interface Scene {
  readonly root: string
  readonly outside: string
}

function makeScene(): Scene {
  const base = makeTemporaryDirectory()
  const scene = { root: join(base, 'root'), outside: join(base, 'outside') }
  mkdirSync(scene.root)
  mkdirSync(join(scene.outside, 'deep'), { recursive: true })
  writeFileSync(join(scene.outside, 'secret.txt'), SECRET)
  writeFileSync(join(scene.outside, 'deep', 'secret.txt'), SECRET)
  return scene
}

/** Makes what Node itself cannot make. */
function run(program: string, ...args: readonly string[]): void {
  execFileSync(program, args)
}

/** Everything outside with its content and times, to see that nothing was touched. */
function lookOutside({ outside }: Scene): readonly string[] {
  return readdirSync(outside, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const stats = lstatSync(join(outside, name))
      const text = stats.isFile() ? readFileSync(join(outside, name), 'utf8') : ''
      return `${name} ${stats.mode} ${stats.ino} ${stats.mtimeMs} ${text}`
    })
}

/** Paths that are refused whatever is on disk. */
const REFUSED_PATHS: readonly string[] = [
  '..',
  '../outside/secret.txt',
  'a/../../outside/secret.txt',
  './../outside/secret.txt',
  'a/..',
  '/etc/passwd',
  '//etc/passwd',
  '/proc/self/root/etc/passwd',
  '\\\\server\\share\\x',
  '..\\outside\\secret.txt',
  'a\\..\\..\\x',
  'C:\\Windows\\win.ini',
  'C:/Windows/win.ini',
  'c:x',
  'file.txt::$DATA',
  'a.txt\0',
  'a.txt\0.png',
  '\0',
  'line\nbreak',
  'tab\there',
  'del\u007f',
  'right\u202eleft',
  'half\ud800',
  'half\udc00',
  'replacement\ufffd',
  'what?',
  'all*',
  'pipe|',
  '<in',
  '"quoted"',
  'trailing.',
  'trailing ',
  'folder./x',
  'folder /x',
  '...',
  '. ',
  '.. ',
  '\u2025/x',
  '\uff0e\uff0e/x',
  '.\u200d./x',
  '.\u200b.',
  '\u200b',
  'a\uff0fb',
  'a\uff3cb',
  'CON',
  'nul.txt',
  'Aux',
  'com1.log',
  'LPT9',
  'COM\u00b9',
  'conin$',
  '.harnesswright-1.tmp',
  '.HarnessWright-x.TMP',
  'n'.repeat(256),
  '\u00e4'.repeat(128),
  'd/'.repeat(33).concat('x'),
  'long/'.repeat(205).concat('x'),
]

/** Paths that lead to something on disk which is no plain file of the workspace. */
const REFUSED_ENTRIES: readonly (readonly [path: string, prepare: (scene: Scene) => void])[] = [
  ['link.txt', ({ root, outside }) => symlinkSync(join(outside, 'secret.txt'), join(root, 'link.txt'))],
  ['relative.txt', ({ root }) => symlinkSync('../outside/secret.txt', join(root, 'relative.txt'))],
  ['folder/secret.txt', ({ root, outside }) => symlinkSync(outside, join(root, 'folder'))],
  ['folder/deep/secret.txt', ({ root, outside }) => symlinkSync(outside, join(root, 'folder'))],
  [
    'a/b/secret.txt',
    ({ root, outside }) => {
      mkdirSync(join(root, 'a'))
      symlinkSync(outside, join(root, 'a', 'b'))
    },
  ],
  ['dangling.txt', ({ root, outside }) => symlinkSync(join(outside, 'new.txt'), join(root, 'dangling.txt'))],
  ['loop.txt', ({ root }) => symlinkSync('loop.txt', join(root, 'loop.txt'))],
  [
    'inside.txt',
    ({ root }) => {
      writeFileSync(join(root, 'real.txt'), 'x')
      symlinkSync('real.txt', join(root, 'inside.txt'))
    },
  ],
  ['self/secret.txt', ({ root }) => symlinkSync('/proc/self/cwd', join(root, 'self'))],
  ['environment', ({ root }) => symlinkSync('/proc/self/environ', join(root, 'environment'))],
  ['descriptor', ({ root }) => symlinkSync('/proc/self/fd/0', join(root, 'descriptor'))],
  ['null', ({ root }) => symlinkSync('/dev/null', join(root, 'null'))],
  ['pipe', ({ root }) => run('mkfifo', join(root, 'pipe'))],
  ['pipe/x', ({ root }) => run('mkfifo', join(root, 'pipe'))],
  ['folder', ({ root }) => mkdirSync(join(root, 'folder'))],
]

const HOLDS: readonly Hold[] = process.platform === 'linux' ? ['descriptors', 'checks'] : ['checks']

function openScene(scene: Scene, hold: Hold): Jail {
  return toJail(openPlace(scene.root, { limits: parseLimits(), protectProjectFiles: false, hold }))
}

async function expectRefused(scene: Scene, works: Readonly<Record<string, () => unknown>>): Promise<void> {
  const before = lookOutside(scene)
  for (const [name, work] of Object.entries(works)) {
    const error = await catchError(work)
    expect(error.code, name).toMatch(/^E_WORKSPACE_(PATH|LINK|KIND)$/)
    expect(`${error.message} ${error.hint} ${JSON.stringify(error.details)} ${error.cause}`).not.toContain(scene.root)
  }
  expect(lookOutside(scene)).toEqual(before)
}

describe.each(HOLDS)('a jail held by %s', (hold) => {
  test.each(REFUSED_PATHS.map((path) => ({ path, shown: JSON.stringify(path.slice(0, 40)) })))(
    'refuses the path $shown for every operation',
    async ({ path }) => {
      const scene = makeScene()
      const jail = openScene(scene, hold)

      await expectRefused(scene, {
        read: () => jail.read(path),
        write: () => jail.write(path, 'x'),
        remove: () => jail.remove(path),
        list: () => jail.list(path),
      })
      expect(readdirSync(scene.root)).toEqual([])
    },
  )

  test.each(REFUSED_ENTRIES.map(([path, prepare], index) => ({ path, prepare, index })))(
    'neither reads, writes nor removes $path (entry $index)',
    async ({ path, prepare }) => {
      const scene = makeScene()
      prepare(scene)
      const entries = readdirSync(scene.root)
      const jail = openScene(scene, hold)

      await expectRefused(scene, {
        read: () => jail.read(path),
        write: () => jail.write(path, 'x'),
        remove: () => jail.remove(path),
      })
      expect(readdirSync(scene.root)).toEqual(entries)
      expect(jail.list().map((file) => file.path)).toEqual(path === 'inside.txt' ? ['real.txt'] : [])
    },
  )

  test('does not list what a linked folder holds', async () => {
    const scene = makeScene()
    symlinkSync(scene.outside, join(scene.root, 'folder'))
    const jail = openScene(scene, hold)

    await expectRefused(scene, { list: () => jail.list('folder'), below: () => jail.list('folder/deep') })
  })

  test('refuses a socket', async () => {
    const scene = makeScene()
    const server = createServer()
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(join(scene.root, 'socket'), resolve))
    const jail = openScene(scene, hold)

    await expectRefused(scene, { read: () => jail.read('socket'), write: () => jail.write('socket', 'x') })
  })

  test.runIf(process.getuid?.() === 0 && process.platform === 'linux')('refuses a device node', async () => {
    const scene = makeScene()
    run('mknod', join(scene.root, 'zero'), 'c', '1', '5')
    const jail = openScene(scene, hold)

    await expectRefused(scene, { read: () => jail.read('zero'), write: () => jail.write('zero', 'x') })
  })

  test('reads a file with several names but never writes it', async () => {
    const scene = makeScene()
    linkSync(join(scene.outside, 'secret.txt'), join(scene.root, 'shared.txt'))
    const before = lookOutside(scene)
    const jail = openScene(scene, hold)

    const error = await catchError(() => jail.write('shared.txt', 'changed'))

    expect(error.code).toBe('E_WORKSPACE_LINK')
    expect(lookOutside(scene)).toEqual(before)
    expect(jail.readText('shared.txt')).toBe(SECRET)
  })

  test.each<readonly [string, (scene: Scene) => void]>([
    ['a link', ({ root, outside }) => symlinkSync(outside, root)],
    ['a directory', ({ root, outside }) => renameSync(outside, root)],
  ])('takes %s in the place of its root for a fault', async (_what, put) => {
    const scene = makeScene()
    const jail = openScene(scene, hold)
    jail.write('mine.txt', 'x')
    renameSync(scene.root, `${scene.root}-moved`)
    put(scene)

    for (const work of [() => jail.read('secret.txt'), () => jail.write('new.txt', 'x'), () => jail.list()]) {
      expect((await catchError(work)).code).toBe('E_WORKSPACE_CHANGED')
    }
    expect(readdirSync(scene.root)).toEqual(['deep', 'secret.txt'])
  })
})

describe('the tools', () => {
  test.each(['../outside/secret.txt', '/etc/passwd', 'link.txt', 'folder/secret.txt'])(
    'give nothing of %s and name no path of the host',
    async (path) => {
      const scene = makeScene()
      symlinkSync(join(scene.outside, 'secret.txt'), join(scene.root, 'link.txt'))
      symlinkSync(scene.outside, join(scene.root, 'folder'))
      const { tools } = openWorkspace(scene.root)
      const before = lookOutside(scene)

      for (const [name, args] of [
        ['read_file', { path }],
        ['write_file', { path, content: 'x' }],
        ['list_files', { path }],
        ['search_files', { path, query: 'secret' }],
      ] as const) {
        const error = await catchError(() => callTool(tools, name, args))
        expect(error.message).not.toContain(scene.root)
        expect(error.message).not.toContain(SECRET)
      }
      expect(await callTool(tools, 'search_files', { query: 'secret' })).not.toContain(SECRET)
      expect(await callTool(tools, 'list_files', {})).not.toContain('secret')
      expect(lookOutside(scene)).toEqual(before)
    },
  )

  test('say what is wrong with a path that leads out', async () => {
    const { tools } = openWorkspace(makeScene().root)
    const read = async (path: string) => (await catchError(() => callTool(tools, 'read_file', { path }))).message

    expect(await read('a/../../x')).toContain('could leave the workspace')
    expect(await read('/data/a.txt')).toContain('is absolute. Paths are relative to the workspace, as in "data/a.txt"')
  })

  test('let no error leave without a code', async () => {
    const { root } = makeScene()
    const { tools } = openWorkspace(root)
    const paths = [...REFUSED_PATHS, 'missing.txt', 'missing/deep.txt', '']

    for (const path of paths) {
      const thrown = await Promise.resolve(callTool(tools, 'read_file', { path })).catch((error: unknown) => error)
      expect(isHarnessError(thrown)).toBe(true)
    }
  })
})
