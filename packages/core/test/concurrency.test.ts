import { mapConcurrently } from '@harnesswright/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createVirtualClock } from '../src/testkit/virtual-clock.js'

test('all items are done, at most the width at once, started in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(9), { maxLength: 15 }), fc.integer({ min: 1, max: 9 }), async (times, width) => {
      const clock = createVirtualClock()
      const started: number[] = []
      let running = 0
      let most = 0

      await mapConcurrently([...times.keys()], width, async (index) => {
        started.push(index)
        most = Math.max(most, ++running)
        await clock.sleep(times[index] ?? 0)
        running--
      })

      expect(started).toEqual([...times.keys()])
      expect(most).toBeLessThanOrEqual(width)
      expect(running).toBe(0)
    }),
    { numRuns: 40 },
  )
})

test('the first failure is thrown when what was started has ended, and nothing more is started', async () => {
  const clock = createVirtualClock()
  const ended: number[] = []
  const work = mapConcurrently([0, 1, 2, 3], 2, async (item) => {
    await clock.sleep(item === 0 ? 1 : 5)
    ended.push(item)
    if (item === 0) throw new Error('item 0')
  })

  await expect(work).rejects.toThrow('item 0')
  expect(ended).toEqual([0, 1])
})

test('of several failures the first is thrown', async () => {
  const clock = createVirtualClock()
  const work = mapConcurrently([5, 1, 3], 3, async (ms) => {
    await clock.sleep(ms)
    throw new Error(`after ${ms} ms`)
  })

  await expect(work).rejects.toThrow('after 1 ms')
})

test.each([0, -1])('a width of %s does one after another instead of nothing', async (width) => {
  const done: number[] = []
  await mapConcurrently([1, 2], width, async (item) => void done.push(item))

  expect(done).toEqual([1, 2])
})
