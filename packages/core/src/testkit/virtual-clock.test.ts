import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createVirtualClock } from './virtual-clock.js'

test('an hour of sleep passes at once, and the clock shows it', async () => {
  const clock = createVirtualClock()
  const before = performance.now()

  await clock.sleep(3_600_000)

  expect(clock.now()).toBe(3_600_000)
  expect(performance.now() - before).toBeLessThan(1_000)
})

test('sleepers wake by time, and those of one time in the order in which they lay down', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(5), { maxLength: 12 }), async (times) => {
      const clock = createVirtualClock(100)
      const woken: { index: number; at: number }[] = []

      await Promise.all(times.map((ms, index) => clock.sleep(ms).then(() => woken.push({ index, at: clock.now() }))))

      const expected = times
        .map((ms, index) => ({ index, at: 100 + ms }))
        .sort((a, b) => a.at - b.at || a.index - b.index)
      expect(woken).toEqual(expected)
      expect(clock.sleeping).toBe(0)
    }),
    { numRuns: 50 },
  )
})

test('time stands still while real work is bracketed, whether it succeeds or fails', async () => {
  const clock = createVirtualClock()
  const slept = clock.sleep(10).then(() => clock.now())
  const work = clock.during(new Promise((resolve) => setTimeout(() => resolve(clock.now()), 15)))
  const failing = clock.during(new Promise((_, reject) => setTimeout(() => reject(new Error('disk')), 20)))

  expect(clock.busy).toBe(2)
  expect(await work).toBe(0)
  await expect(failing).rejects.toThrow('disk')
  expect(await slept).toBe(10)
  expect(clock.busy).toBe(0)
})

test('what a sleeper starts in its turn is bracketed before the next sleeper wakes', async () => {
  const clock = createVirtualClock()
  const log: string[] = []
  const first = clock.sleep(5).then(async () => {
    await clock.during(new Promise((resolve) => setTimeout(resolve, 5)))
    log.push(`first done at ${clock.now()}`)
  })
  const second = clock.sleep(6).then(() => log.push(`second woke at ${clock.now()}`))

  await Promise.all([first, second])

  expect(log).toEqual(['first done at 5', 'second woke at 6'])
})

test('an aborted sleep rejects with the reason, leaves the queue, and moves no time', async () => {
  const clock = createVirtualClock()
  const stop = new AbortController()
  const sleeping = clock.sleep(1_000, stop.signal)
  stop.abort(new Error('enough'))

  await expect(sleeping).rejects.toThrow('enough')
  await expect(clock.sleep(1, stop.signal)).rejects.toThrow('enough')
  expect(clock.sleeping).toBe(0)
  await clock.sleep(3)
  expect(clock.now()).toBe(3)
})

test('an abort after the sleep is over changes nothing', async () => {
  const clock = createVirtualClock()
  const stop = new AbortController()
  await clock.sleep(1, stop.signal)
  const other = clock.sleep(2)
  stop.abort()

  await other
  expect(clock.now()).toBe(3)
})
