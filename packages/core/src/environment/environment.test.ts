import { getEventListeners } from 'node:events'
import { mixSeed, seededRandom } from '@harnesswright/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createScriptedModel } from '../testkit/scripted-model.js'
import { createEnvironment, memoryArtifacts } from './create-environment.js'
import { systemClock } from './system-clock.js'

describe('an environment', () => {
  const [large, small] = [createScriptedModel(['x'], { id: 'large' }), createScriptedModel(['x'], { id: 'small' })]

  test('has defaults for all but the model, and the limits of the page', () => {
    const env = createEnvironment({ model: large })

    expect(env).toMatchObject({
      tools: [],
      skills: [],
      secrets: [],
      strict: false,
      hostOptions: {},
      clock: systemClock,
    })
    expect(env.limits).toEqual({
      steps: 40,
      tokens: 1_000_000,
      usd: Number.POSITIVE_INFINITY,
      ms: 600_000,
      toolCalls: 200,
      perTool: {},
      depth: 3,
      concurrency: 4,
      repeats: 3,
      reserve: 0.05,
    })
    expect(env.newId()).not.toBe(env.newId())
  })

  test('gives its first model where none is named, and each by its id', () => {
    const env = createEnvironment({ model: [large, small] })

    expect(env.model()).toBe(large)
    expect(env.model('small')).toBe(small)
    expect(env.models()).toEqual([large, small])
    expect(() => env.model('smal')).toThrow(
      expect.objectContaining({ code: 'E_MODEL_UNKNOWN', hint: 'Use one of: small, large.' }),
    )
  })

  test('lets the host raise limits', () => {
    expect(createEnvironment({ model: large, limits: { steps: 500 } }).limits.steps).toBe(500)
  })

  test('takes an option that is undefined for one that is left out', () => {
    const options = { model: large, clock: undefined, secrets: undefined, tools: undefined }

    // As a caller may write it whose compiler allows undefined for what is optional.
    expect(createEnvironment(options as never)).toMatchObject({ clock: systemClock, secrets: [], tools: [] })
  })

  test('takes a limit that is undefined for one that is left out', () => {
    const limits = { steps: undefined, tokens: 500, perTool: { look: undefined, read: 2 } }

    expect(createEnvironment({ model: large, limits: limits as never }).limits).toEqual({
      ...createEnvironment({ model: large }).limits,
      tokens: 500,
      perTool: { read: 2 },
    })
  })

  test('is frozen, and does not follow what the caller does with the list of tools', () => {
    const tools = [{ name: 'a', description: '', parameters: {}, execute: () => '' }]
    const env = createEnvironment({ model: large, tools })
    tools.pop()

    expect(env.tools).toHaveLength(1)
    expect(Object.isFrozen(env) && Object.isFrozen(env.tools)).toBe(true)
  })
})

test('artifacts are kept by id', () => {
  const artifacts = memoryArtifacts()
  artifacts.put('a', { n: 1 })

  expect(artifacts.get('a')).toEqual({ n: 1 })
  expect(artifacts.get('b')).toBeUndefined()
})

describe('randomness', () => {
  test('is the same for the same seed, and in [0, 1)', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const [first, second] = [seededRandom(seed), seededRandom(seed)]
        for (let count = 0; count < 20; count++) {
          const roll = first.next()
          expect(roll).toBe(second.next())
          expect(roll >= 0 && roll < 1).toBe(true)
        }
      }),
    )
  })

  test('is spread evenly enough: each tenth gets about its share of 10,000 rolls', () => {
    const random = seededRandom(1)
    const tenths = new Array<number>(10).fill(0)
    for (let count = 0; count < 10_000; count++) {
      const tenth = Math.floor(random.next() * 10)
      tenths[tenth] = (tenths[tenth] ?? 0) + 1
    }

    for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150)
  })

  test('of seeds that are mixed from other parts differs: parts are not run together', () => {
    expect(mixSeed(1, 'a', 'b')).toBe(mixSeed(1, 'a', 'b'))
    expect(
      new Set([mixSeed(1, 'ab', ''), mixSeed(1, 'a', 'b'), mixSeed(1, '', 'ab'), mixSeed(11, 'a', 'b')]).size,
    ).toBe(4)
  })
})

describe('the clock of the computer', () => {
  test('sleeps about as long as it is told', async () => {
    const before = performance.now()
    await systemClock.sleep(20)

    expect(performance.now() - before).toBeGreaterThan(15)
  })

  test('wakes with the reason of an abort, before or during the sleep, and leaves no listener', async () => {
    const stop = new AbortController()
    const sleeping = systemClock.sleep(60_000, stop.signal)
    stop.abort(new Error('enough'))

    await expect(sleeping).rejects.toThrow('enough')
    await expect(systemClock.sleep(60_000, stop.signal)).rejects.toThrow('enough')
    const other = new AbortController()
    await systemClock.sleep(1, other.signal)
    expect(getEventListeners(other.signal, 'abort')).toHaveLength(0)
  })

  test('sleeps for ever where a timer would overflow, instead of not at all', async () => {
    const stop = new AbortController()
    const sleeping = systemClock.sleep(Number.POSITIVE_INFINITY, stop.signal)
    const first = await Promise.race([sleeping.catch(() => 'woke'), systemClock.sleep(20).then(() => 'still asleep')])
    stop.abort()
    await sleeping.catch(() => {})

    expect(first).toBe('still asleep')
  })

  test('brackets nothing: work is passed on', async () => {
    expect(await systemClock.during(Promise.resolve(1))).toBe(1)
  })
})
