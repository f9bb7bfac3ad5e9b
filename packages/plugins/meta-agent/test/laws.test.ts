import { readdirSync, readFileSync } from 'node:fs'
import type { Json, Task } from '@harnesswright/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compose, extractFeatures } from '../src/index.js'
import { anEnvironment, bothSeeds } from './stand-ins.js'
import { aDiaryTask, anOrderTask, type Names } from './tasks.js'

const words = fc.constantFrom(
  ...'find read write 3 64 twelve parts files a.csv data/b.txt *.md lists/ Alba, Borm and Cersk. then next of the each'.split(
    ' ',
  ),
  'https://example.com/a',
  '- item\n',
  '1. item\n',
  '{"a":[1]}',
  '(aside)',
  '\u202e',
)
const instruction = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.array(words, { maxLength: 60 }).map((list) => list.join(' ')),
)
const file = fc.record(
  { path: fc.string({ maxLength: 20 }), text: fc.string(), bytes: fc.nat(1e9) },
  { requiredKeys: ['path'] },
)
const task: fc.Arbitrary<Task> = fc.record(
  {
    instruction,
    files: fc.array(file, { maxLength: 80 }),
    inputs: fc.jsonValue() as fc.Arbitrary<Json>,
    id: fc.string(),
  },
  { requiredKeys: ['instruction'] },
)
const limits = fc.record({ steps: fc.integer({ min: 1, max: 200 }), tokens: fc.integer({ min: 1, max: 2_000_000 }) })

test('every task gets a manifest that assembles, at the first attempt', async () => {
  await fc.assert(
    fc.asyncProperty(task, limits, async (given, some) => {
      const { attempts, route } = await compose(given, { env: anEnvironment(some), catalog: bothSeeds, smoke: false })

      expect(attempts).toMatchObject([{ problems: [] }])
      expect(route).toBe('rules')
    }),
  )
})

test('the same task gets the same composition', async () => {
  await fc.assert(
    fc.asyncProperty(task, async (given) => {
      const [one, other] = [
        await compose(given, { env: anEnvironment(), catalog: bothSeeds, smoke: false }),
        await compose(given, { env: anEnvironment(), catalog: bothSeeds, smoke: false }),
      ]

      expect({ ...one, harness: undefined }).toEqual({ ...other, harness: undefined })
    }),
    { numRuns: 30 },
  )
})

test('features are finite numbers, and never below what they count from', () => {
  fc.assert(
    fc.property(task, (given) => {
      const { tools, limits: host, model } = anEnvironment()
      const features = extractFeatures(given, { tools, limits: host, model: model() })
      const { goals, dependencyDepth, sources, files, expectedObservationTokens, leastTokens } = features

      expect([goals, dependencyDepth].every((count) => Number.isInteger(count) && count >= 1)).toBe(true)
      expect(sources).toBeGreaterThanOrEqual(files)
      expect(leastTokens).toBeGreaterThan(expectedObservationTokens)
      expect(JSON.parse(JSON.stringify(features))).toEqual(features)
    }),
  )
})

/** Words that mean nothing to anybody. */
const noun = fc.stringMatching(/^[bdgklmnprtvz][aeiou][bdgklmnprtvz]{2}[aeiou][kmnr]o$/)
const names: fc.Arbitrary<Names> = fc
  .uniqueArray(noun, { minLength: 8, maxLength: 8 })
  .map(([id = '', order = '', folder = '', one = '', other = '', goods = '', diary = '', event = '']) => {
    const shops = [one, other].map((shop) => shop.charAt(0).toUpperCase() + shop.slice(1))
    return { id, order, folder, shops, goods, diary, event }
  })

async function chosen(given: Task): Promise<string> {
  return (await compose(given, { env: anEnvironment(), catalog: bothSeeds, smoke: false })).manifest.name
}

test('the choice stays the same when everything in a task is renamed', async () => {
  await fc.assert(
    fc.asyncProperty(names, async (some) => {
      expect(await chosen(anOrderTask(some))).toBe('react')
      expect(await chosen(aDiaryTask(some))).toBe('large-volume')
    }),
    { numRuns: 30 },
  )
})

test('the choice stays the same when ids and metadata speak of something else', async () => {
  const disguised = { ...anOrderTask(), id: aDiaryTask().id ?? '', metadata: { world: 'diary', suite: 'diaries' } }

  expect(await chosen(disguised)).toBe(await chosen(anOrderTask()))
})

/** The instruction in another order; numbers stay with their nouns, as they are what is counted. */
function shuffled(given: Task, order: readonly number[]): Task {
  const pieces = given.instruction.match(/\d+ \S+|\S+/g) ?? []
  const keyed = pieces.map((piece, at) => ({ piece, key: order[at % order.length] ?? 0 }))
  return {
    ...given,
    instruction: keyed
      .sort((one, other) => one.key - other.key)
      .map(({ piece }) => piece)
      .join(' '),
  }
}

test('the choice stays the same when the words of an instruction are shuffled', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(1e6), { minLength: 90, maxLength: 90 }), async (order) => {
      expect(await chosen(shuffled(anOrderTask(), order))).toBe('react')
      expect(await chosen(shuffled(aDiaryTask(), order))).toBe('large-volume')
    }),
  )
})

test('no source of this package speaks of a world or a suite of tasks', () => {
  const source = new URL('../src/', import.meta.url)
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const texts = files
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => readFileSync(new URL(path, source), 'utf8'))

  expect(texts.length).toBeGreaterThan(10)
  for (const text of texts)
    expect(text).not.toMatch(/\b(?:quotes|long-?log|lookup-?chain|wide-?search|bfcl|gsm8k|officebench)\b/i)
})
