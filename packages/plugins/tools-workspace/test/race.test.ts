import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { isHarnessError } from '@harnesswright/core'
import { expect, test } from 'vitest'
import { type Jail, openJail } from '../src/jail/jail.js'
import { makeTemporaryDirectory } from './temporary-directory.js'

const MANY = 10_000
const SOME = 2000
const TIMEOUT_MS = 60_000 // two seconds on a free machine
const SECRET = 'the secret outside'
const INSIDE = 'the text inside'

// Takes the entry away and puts a link to the target in its place, then takes the link away and puts the entry back.
// A write may make the missing entry anew; that one is moved aside.
const SWAP_SOURCE = `
const { renameSync, rmSync, symlinkSync } = require('node:fs')
const { workerData: { entry, parked, target, aside, swaps, done } } = require('node:worker_threads')
let moved = 0
const insist = (work) => {
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!['EEXIST', 'ENOTEMPTY'].includes(error.code)) throw error
      renameSync(entry, aside + '/' + moved++)
    }
  }
}
try {
  for (let i = 0; i < swaps; i++) {
    renameSync(entry, parked)
    insist(() => symlinkSync(target, entry))
    rmSync(entry)
    insist(() => renameSync(parked, entry))
    if (i % 50 === 0) Atomics.wait(done, 0, 0, 1) // some work is to succeed as well
  }
} finally {
  Atomics.store(done, 0, 1)
}
`

interface Scene {
  readonly root: string
  readonly outside: string
  readonly parked: string
  readonly aside: string
}

function makeScene(): Scene {
  const base = makeTemporaryDirectory({ isBusy: true })
  const at = (name: string) => join(base, name)
  const scene = { root: at('root'), outside: at('outside'), parked: at('parked'), aside: at('aside') }
  mkdirSync(scene.aside)
  mkdirSync(join(scene.root, 'folder'), { recursive: true })
  mkdirSync(scene.outside)
  writeFileSync(join(scene.root, 'folder', 'file.txt'), INSIDE)
  writeFileSync(join(scene.outside, 'file.txt'), SECRET)
  return scene
}

interface Race {
  readonly swaps: number
  readonly aside: string
  readonly entry: string
  readonly parked: string
  readonly target: string
}

/** Works again and again while a thread swaps; gives how often the work succeeded and how often it was refused. */
async function race(swap: Race, work: () => void): Promise<{ done: number; refused: number }> {
  const done = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(SWAP_SOURCE, { eval: true, execArgv: [], workerData: { ...swap, done } })
  const ended = once(worker, 'exit')
  const counts = { done: 0, refused: 0 }
  while (Atomics.load(done, 0) === 0) {
    for (let round = 0; round < 50; round++) {
      try {
        work()
        counts.done++
      } catch (error) {
        if (!isHarnessError(error)) throw error
        counts.refused++
      }
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  await ended
  return counts
}

function expectUntouched({ outside }: Scene): void {
  expect(readdirSync(outside)).toEqual(['file.txt'])
  expect(readFileSync(join(outside, 'file.txt'), 'utf8')).toBe(SECRET)
}

function readAndWrite(jail: Jail, seen: Set<string>): () => void {
  let round = 0
  return () => {
    round++
    if (round % 3 === 0) jail.write('folder/file.txt', INSIDE)
    else if (round % 3 === 1) jail.write(`folder/new-${round % 7}.txt`, INSIDE)
    else seen.add(jail.readText('folder/file.txt'))
  }
}

test('a folder that is swapped for a link 10,000 times leads neither a read nor a write outside', {
  timeout: TIMEOUT_MS,
}, async () => {
  const scene = makeScene()
  const entry = join(scene.root, 'folder')
  const seen = new Set<string>()
  let leaks = 0
  const work = readAndWrite(openJail(scene.root), seen)

  const counts = await race(
    { swaps: MANY, aside: scene.aside, entry, parked: join(scene.root, 'parked'), target: scene.outside },
    () => {
      if (readNaively(join(entry, 'file.txt')) === SECRET) leaks++
      work()
    },
  )

  expectUntouched(scene)
  expect([...seen]).toEqual([INSIDE])
  expect(counts.done).toBeGreaterThan(20)
  expect(counts.refused).toBeGreaterThan(20)
  expect(leaks).toBeGreaterThan(10) // the race is one: who reads by path is led outside
})

test('a folder that is taken out of the workspace and swapped for a link leads nowhere else', {
  timeout: TIMEOUT_MS,
}, async () => {
  const scene = makeScene()
  const swap = {
    swaps: SOME,
    aside: scene.aside,
    entry: join(scene.root, 'folder'),
    parked: scene.parked,
    target: scene.outside,
  }
  const seen = new Set<string>()

  const counts = await race(swap, readAndWrite(openJail(scene.root), seen))

  expectUntouched(scene)
  expect([...seen]).toEqual([INSIDE])
  expect(counts.refused).toBeGreaterThan(20)
})

test('a file that is swapped for a link to a file outside is neither read nor written through it', {
  timeout: TIMEOUT_MS,
}, async () => {
  const scene = makeScene()
  const jail = openJail(scene.root)
  const entry = join(scene.root, 'folder', 'file.txt')
  const seen = new Set<string>()

  const counts = await race(
    { swaps: SOME, aside: scene.aside, entry, parked: scene.parked, target: join(scene.outside, 'file.txt') },
    readAndWrite(jail, seen),
  )

  expectUntouched(scene)
  expect([...seen]).toEqual([INSIDE])
  expect(counts.done).toBeGreaterThan(20)
  expect(counts.refused).toBeGreaterThan(20)
})

test('a list during swaps shows no file of outside', { timeout: TIMEOUT_MS }, async () => {
  const scene = makeScene()
  writeFileSync(join(scene.outside, 'only-outside.txt'), SECRET)
  const jail = openJail(scene.root)
  const seen = new Set<string>()
  const swap = {
    swaps: SOME,
    aside: scene.aside,
    entry: join(scene.root, 'folder'),
    parked: join(scene.root, 'parked'),
    target: scene.outside,
  }

  await race(swap, () => {
    for (const { path } of jail.list()) seen.add(path)
  })

  expect([...seen].filter((path) => path.includes('outside'))).toEqual([])
  expect(seen).toContain('folder/file.txt')
})

function readNaively(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
