import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWorkspaces, type DirectoryWorkspaces } from '../src/workspaces/create-workspaces.js'
import { makeTemporaryDirectory } from './temporary-directory.js'

// no path is the folder of another, so every set of files can be on disk
const PATHS = ['a.txt', 'b.txt', 'd/c.txt', 'd/e.txt', 'f/g/h.txt']
type Files = Readonly<Record<string, string>>

const files: fc.Arbitrary<Files> = fc.dictionary(fc.constantFrom(...PATHS), fc.constantFrom('', '1', '2', '3'), {
  noNullPrototype: true,
})

function setAll(workspaces: DirectoryWorkspaces, id: string, wanted: Files): void {
  const jail = workspaces.jail(id)
  for (const { path } of jail.list()) if (wanted[path] === undefined) jail.remove(path)
  for (const [path, text] of Object.entries(wanted)) jail.write(path, text)
}

function readAll(workspaces: DirectoryWorkspaces, id: string): Files {
  const jail = workspaces.jail(id)
  return Object.fromEntries(jail.list().map(({ path }) => [path, jail.readText(path)]))
}

interface Scene {
  readonly base: Files
  readonly theirs: Files
  readonly ours: Files
}

const scenes: fc.Arbitrary<Scene> = fc.record({ base: files, theirs: files, ours: files })

/** Forks `base` and then sets both sides. */
async function check(law: (workspaces: DirectoryWorkspaces, scene: Scene) => Promise<void>): Promise<void> {
  const root = makeTemporaryDirectory({ isBusy: true })
  let runs = 0
  await fc.assert(
    fc.asyncProperty(scenes, async (scene) => {
      const workspaces = createWorkspaces({ root: `${root}/${runs++}` })
      await workspaces.create('main')
      setAll(workspaces, 'main', scene.base)
      await workspaces.fork('main', 'fork')
      await law(workspaces, scene)
    }),
    { numRuns: 40 },
  )
}

test('a fork is equal to what it was forked from, and independent of it', async () => {
  await check(async (workspaces, { base, theirs, ours }) => {
    expect(readAll(workspaces, 'fork')).toEqual(base)
    setAll(workspaces, 'fork', theirs)
    expect(readAll(workspaces, 'main')).toEqual(base)
    setAll(workspaces, 'main', ours)
    expect(readAll(workspaces, 'fork')).toEqual(theirs)
  })
})

test('merging into an unchanged workspace makes it equal to the fork', async () => {
  await check(async (workspaces, { theirs }) => {
    setAll(workspaces, 'fork', theirs)
    expect(await workspaces.merge('fork', 'main')).toEqual([])
    expect(readAll(workspaces, 'main')).toEqual(theirs)
  })
})

test('merging an unchanged fork changes nothing', async () => {
  await check(async (workspaces, { ours }) => {
    setAll(workspaces, 'main', ours)
    expect(await workspaces.merge('fork', 'main')).toEqual([])
    expect(readAll(workspaces, 'main')).toEqual(ours)
  })
})

test('merging takes each path from the side that changed it, keeps ours in conflicts, and is idempotent', async () => {
  await check(async (workspaces, { base, theirs, ours }) => {
    setAll(workspaces, 'fork', theirs)
    setAll(workspaces, 'main', ours)

    const conflicts = await workspaces.merge('fork', 'main')
    const merged = readAll(workspaces, 'main')

    for (const path of PATHS) {
      const expected = theirs[path] === base[path] ? ours[path] : ours[path] === base[path] ? theirs[path] : ours[path]
      expect(merged[path]).toBe(expected)
    }
    expect(await workspaces.merge('fork', 'main')).toEqual(conflicts)
    expect(readAll(workspaces, 'main')).toEqual(merged)
    expect(readAll(workspaces, 'fork')).toEqual(theirs)
  })
})

test('a commit makes the other equal, whatever it was', async () => {
  await check(async (workspaces, { theirs, ours }) => {
    setAll(workspaces, 'fork', theirs)
    setAll(workspaces, 'main', ours)
    await workspaces.commit('fork', 'main')
    expect(readAll(workspaces, 'main')).toEqual(theirs)
    await workspaces.discard('fork')
    expect(readAll(workspaces, 'main')).toEqual(theirs)
  })
})

test('forks that changed different paths merge in any order to the same', async () => {
  await check(async (workspaces, { base, theirs, ours }) => {
    const [left, right] = [{ ...base }, { ...base }]
    for (const path of PATHS.slice(0, 2)) replace(left, path, theirs[path])
    for (const path of PATHS.slice(2)) replace(right, path, ours[path])
    await workspaces.fork('main', 'right')
    await workspaces.fork('main', 'other')
    setAll(workspaces, 'fork', left)
    setAll(workspaces, 'right', right)

    for (const id of ['fork', 'right']) expect(await workspaces.merge(id, 'main')).toEqual([])
    for (const id of ['right', 'fork']) expect(await workspaces.merge(id, 'other')).toEqual([])

    expect(readAll(workspaces, 'main')).toEqual(readAll(workspaces, 'other'))
  })
})

function replace(record: Record<string, string>, path: string, text: string | undefined): void {
  if (text === undefined) delete record[path]
  else record[path] = text
}
