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
const ENOUGH = 20
const LONGEST_MS = 50_000 // it takes two seconds on a free machine
const TIMEOUT_MS = 60_000
const SECRET = 'the secret outside'
const INSIDE = 'the text inside'

// Takes the entry away and puts a link to the target in its place, then takes the link away and puts the entry back.
// A write may make the missing entry anew; that one is moved aside.
const SWAP_SOURCE = `
const { renameSync, rmSync, symlinkSync } = require('node:fs')
const { workerData: { entry, parked, target, aside, shared } } = require('node:worker_threads')
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
while (Atomics.load(shared, 1) === 0) {
  renameSync(entry, parked)
  insist(() => symlinkSync(target, entry))
  rmSync(entry)
  insist(() => renameSync(parked, entry))
  if (Atomics.add(shared, 0, 1) % 50 === 0) Atomics.wait(shared, 1, 0, 1) // some work is to succeed as well
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

interface Counts {
  done: number
  refused: number
}

const hasBoth = ({ done, refused }: Counts) => done > ENOUGH && refused > ENOUGH

/**
 * Works again and again while a thread swaps, until there were as many swaps as asked for and enough was seen. Gives how
 * often the work succeeded and how often it was refused.
 */
async function race(swap: Race, work: () => void, isEnough: (counts: Counts) => boolean = hasBoth): Promise<Counts> {
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(SWAP_SOURCE, { eval: true, execArgv: [], workerData: { ...swap, shared } })
  const ended = once(worker, 'exit')
  const counts = { done: 0, refused: 0 }
  const start = performance.now()
  try {
    while (Atomics.load(shared, 0) < swap.swaps || !isEnough(counts)) {
      for (let round = 0; round < 50; round++) tryWork(work, counts)
      await Promise.race([ended, new Promise((resolve) => setImmediate(resolve))])
      if (performance.now() - start > LONGEST_MS) throw new Error(`too slow: ${shared[0]} swaps`)
    }
  } finally {
    Atomics.store(shared, 1, 1)
    await ended
  }
  return counts
}

function tryWork(work: () => void, counts: Counts): void {
  try {
    work()
    counts.done++
  } catch (error) {
    if (!isHarnessError(error)) throw error
    counts.refused++
  }
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

  await race(
    { swaps: MANY, aside: scene.aside, entry, parked: join(scene.root, 'parked'), target: scene.outside },
    () => {
      if (readNaively(join(entry, 'file.txt')) === SECRET) leaks++
      work()
    },
    // the race is one: who reads by path is led outside
    (counts) => hasBoth(counts) && leaks > ENOUGH,
  )

  expectUntouched(scene)
  expect([...seen]).toEqual([INSIDE])
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

  await race(swap, readAndWrite(openJail(scene.root), seen))

  expectUntouched(scene)
  expect([...seen]).toEqual([INSIDE])
})

test('a file that is swapped for a link to a file outside is neither read nor written through it', {
  timeout: TIMEOUT_MS,
}, async () => {
  const scene = makeScene()
  const jail = openJail(scene.root)
  const entry = join(scene.root, 'folder', 'file.txt')
  const seen = new Set<string>()

  await race(
    { swaps: SOME, aside: scene.aside, entry, parked: scene.parked, target: join(scene.outside, 'file.txt') },
    readAndWrite(jail, seen),
  )

  expectUntouched(scene)
  expect([...seen]).toEqual([INSIDE])
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

  await race(
    swap,
    () => {
      for (const { path } of jail.list()) seen.add(path)
    },
    () => seen.has('folder/file.txt'),
  )

  expect([...seen].filter((path) => path.includes('outside'))).toEqual([])
})

function readNaively(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
