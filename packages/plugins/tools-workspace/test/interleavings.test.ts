import { execFileSync } from 'node:child_process'
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { isHarnessError } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import type { Folder } from '../src/jail/folder.js'
import { type Jail, toJail } from '../src/jail/jail.js'
import { openPlace, type Place } from '../src/jail/place.js'
import { parseLimits } from '../src/limits.js'
import { makeTemporaryDirectory } from './temporary-directory.js'
import { catchCode } from './thrown.js'

// Every use of the file system goes through a folder. An adversary is let in before each of them: at every point once to
// stay, and once each to put things back one, two and four points later. So every moment between a check and a use is
// tried, not only those that a race happens to hit.

const SECRET = 'the secret outside'
const INSIDE = 'the text inside'
const OTHER = 'another text inside'
const NEW = 'the new text'
const READ_RESULT = new RegExp(`^"(${INSIDE}|${OTHER}|E_WORKSPACE_\\w+)"$`)
const MOST_POINTS = 100
const STAYS = [1, 2, 4]

interface Scene {
  readonly root: string
  readonly outside: string
  readonly parked: string
  readonly pipe: string
}

function makeScene(base: string, index: number): Scene {
  const at = (name: string) => join(base, String(index), name)
  const scene = { root: at('root'), outside: at('outside'), parked: at('parked'), pipe: join(base, 'pipe') }
  for (const place of [scene.root, scene.outside]) mkdirSync(join(place, 'folder'), { recursive: true })
  writeFileSync(join(scene.root, 'folder', 'file.txt'), INSIDE)
  writeFileSync(join(scene.outside, 'file.txt'), SECRET)
  writeFileSync(join(scene.outside, 'folder', 'file.txt'), SECRET)
  return scene
}

/** Takes an entry away, and puts something else in its place. */
interface Attack {
  readonly entry: (scene: Scene) => string
  readonly put: (scene: Scene, path: string) => void
}

const folder = ({ root }: Scene) => join(root, 'folder')
const file = ({ root }: Scene) => join(root, 'folder', 'file.txt')
const nothing = () => undefined

const FOLDER_ATTACKS: Readonly<Record<string, Attack>> = {
  'the folder becomes a link': { entry: folder, put: ({ outside }, path) => symlinkSync(outside, path) },
  'the folder becomes another folder': {
    entry: folder,
    put: (_scene, path) => {
      mkdirSync(path)
      writeFileSync(join(path, 'file.txt'), OTHER)
    },
  },
  'the folder is taken away': { entry: folder, put: nothing },
  'the root becomes a link': { entry: ({ root }) => root, put: ({ outside }, path) => symlinkSync(outside, path) },
}

const FILE_ATTACKS: Readonly<Record<string, Attack>> = {
  'the file becomes a link': { entry: file, put: ({ outside }, path) => symlinkSync(join(outside, 'file.txt'), path) },
  'the file becomes a dangling link': {
    entry: file,
    put: ({ outside }, path) => symlinkSync(join(outside, 'new'), path),
  },
  'the file becomes another file': { entry: file, put: (_scene, path) => writeFileSync(path, OTHER) },
  'the file becomes a pipe': { entry: file, put: ({ pipe }, path) => linkSync(pipe, path) },
  'the file becomes a folder': { entry: file, put: (_scene, path) => mkdirSync(path) },
  'the file is taken away': { entry: file, put: nothing },
}

const WORKS: Readonly<Record<string, (jail: Jail) => unknown>> = {
  read: (jail) => jail.readText('folder/file.txt'),
  replace: (jail) => jail.write('folder/file.txt', NEW),
  remove: (jail) => jail.remove('folder/file.txt'),
  add: (jail) => jail.write('folder/deep/new.txt', NEW),
  list: (jail) => jail.list(),
}

/** A place whose folders let the adversary in before every use. */
function watch(place: Place, before: (use: keyof Folder | 'open') => void): Place {
  const wrap = (inner: Folder): Folder => ({
    path: inner.path,
    get here() {
      before('here')
      return inner.here
    },
    at(name) {
      before('at')
      return inner.at(name)
    },
    enter(name) {
      before('enter')
      return wrap(inner.enter(name))
    },
    verify() {
      before('verify')
      inner.verify()
    },
    verifyOpened(descriptor, name) {
      before('verifyOpened')
      inner.verifyOpened(descriptor, name)
    },
    close: () => inner.close(),
  })
  const open = () => {
    before('open')
    return wrap(place.open())
  }
  return { ...place, open }
}

/** Comes at one point and goes at another, and sees to it that nothing is written where it holds what it took. */
function createAdversary(scene: Scene, { entry, put }: Attack) {
  let sizes: ReadonlyMap<number, number> | undefined
  let hadNew = false
  const come = () => {
    if (lstatSync(entry(scene), { throwIfNoEntry: false }) === undefined) return // removed already
    renameSync(entry(scene), scene.parked)
    put(scene, entry(scene))
    sizes = readSizes(scene.parked)
    hadNew = hasNew(scene.parked)
  }
  /** Seen while it still holds what it took: no new file has come to it. */
  const expectNothingNew = () => {
    if (sizes !== undefined && !hadNew) expect(hasNew(scene.parked)).toBe(false)
  }
  const go = () => {
    if (sizes === undefined) return
    for (const [ino, size] of readSizes(scene.parked)) expect(size).toBe(sizes.get(ino) ?? 0)
    rmSync(entry(scene), { recursive: true, force: true })
    mkdirSync(dirname(entry(scene)), { recursive: true }) // it may have been removed as empty
    renameSync(scene.parked, entry(scene))
    sizes = undefined
  }
  return { come, go, expectNothingNew }
}

function hasNew(path: string): boolean {
  return lstatSync(path).isDirectory() && readdirSync(path, { recursive: true }).join().includes('new.txt')
}

function readSizes(path: string): ReadonlyMap<number, number> {
  const stats = lstatSync(path)
  if (!stats.isDirectory()) return new Map([[stats.ino, stats.size]])
  return new Map(readdirSync(path).flatMap((name) => [...readSizes(join(path, name))]))
}

interface Outcome {
  readonly points: number
  readonly result: unknown
}

/** Works while the adversary comes before point `from` and goes before point `to`; 0: at the end. */
function attempt(
  scene: Scene,
  work: (jail: Jail) => unknown,
  attack: Attack,
  [from, to]: readonly [number, number],
): Outcome {
  const adversary = createAdversary(scene, attack)
  const place = openPlace(scene.root, { limits: parseLimits(), protectProjectFiles: false, hold: 'descriptors' })
  let points = 0
  const jail = watch(place, () => {
    points++
    if (points === from) adversary.come()
    if (points === to) adversary.go()
  })
  const result = settle(() => work(toJail(jail)), scene)
  adversary.expectNothingNew()
  adversary.go()
  expectNothingReached(scene)
  return { points, result }
}

function settle(work: () => unknown, { root }: Scene): unknown {
  try {
    return work()
  } catch (error) {
    if (!isHarnessError(error)) throw error
    expect(error.message).not.toContain(root)
    return error.code
  }
}

function expectNothingReached({ root, outside }: Scene): void {
  const list = (directory: string) => readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()
  expect(list(outside)).toEqual(['file.txt', 'folder', 'folder/file.txt'])
  expect(readFileSync(join(outside, 'file.txt'), 'utf8')).toBe(SECRET)
  expect(readFileSync(join(outside, 'folder', 'file.txt'), 'utf8')).toBe(SECRET)
  expect(list(root).filter((name) => name.endsWith('.tmp'))).toEqual([])
}

/** Makes what Node itself cannot make. */
function run(program: string, ...args: readonly string[]): void {
  execFileSync(program, args)
}

function tryAllMoments(work: (jail: Jail) => unknown, attack: Attack): ReadonlySet<string> {
  const base = makeTemporaryDirectory({ isBusy: true })
  run('mkfifo', join(base, 'pipe'))
  const results = new Set<string>()
  let scenes = 0
  for (let from = 1; from <= MOST_POINTS; from++) {
    const ends = [0, ...STAYS.map((stay) => from + stay)]
    const outcomes = ends.map((to) => attempt(makeScene(base, scenes++), work, attack, [from, to]))
    for (const { result } of outcomes) results.add(JSON.stringify(result) ?? 'done')
    if (outcomes.every(({ points }) => points < from)) break
  }
  return results
}

/** The place, with something done before the first use of one kind. */
function openInterrupted(scene: Scene, use: keyof Folder, interrupt: () => void): Jail {
  let isDone = false
  const place = openPlace(scene.root, { limits: parseLimits(), protectProjectFiles: false, hold: 'descriptors' })
  const before = (next: keyof Folder | 'open') => {
    if (next !== use || isDone) return
    isDone = true
    interrupt()
  }
  return toJail(watch(place, before))
}

describe.runIf(process.platform === 'linux')('at whatever moment', () => {
  const cases = [
    ...Object.entries(FOLDER_ATTACKS).flatMap(([name, attack]) =>
      Object.keys(WORKS).map((work) => ({ name, attack, work })),
    ),
    ...Object.entries(FILE_ATTACKS).flatMap(([name, attack]) =>
      ['read', 'replace', 'remove'].map((work) => ({ name, attack, work })),
    ),
  ]

  test.each(cases)('$name, $work reaches nothing outside', { timeout: 60_000 }, ({ name, attack, work }) => {
    const results = tryAllMoments(WORKS[work] ?? nothing, attack)

    expect([...results].join()).not.toContain(SECRET)
    if (work === 'read') expect([...results].filter((result) => !READ_RESULT.test(result))).toEqual([])
    // it was noticed at some moments, and missed its aim at others; another file may be removed like the first
    if (name !== 'the file becomes another file' || work !== 'remove') expect(results.size).toBeGreaterThan(1)
  })

  test('a file that is taken out of the workspace after it was opened is not read', async () => {
    const scene = makeScene(makeTemporaryDirectory({ isBusy: true }), 0)
    const jail = openInterrupted(scene, 'verifyOpened', () => renameSync(file(scene), scene.parked))

    expect(await catchCode(() => jail.read('folder/file.txt'))).toBe('E_WORKSPACE_CHANGED')
  })

  test('a file that is replaced after it was opened is read as it was', () => {
    const scene = makeScene(makeTemporaryDirectory({ isBusy: true }), 0)
    const jail = openInterrupted(scene, 'verifyOpened', () => rmSync(file(scene)))

    expect(jail.readText('folder/file.txt')).toBe(INSIDE)
  })
})
