import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runPool } from './pool.js'

const never = new AbortController().signal

test('a pool works on every item once, begins them in order, and has never more under way than it may', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(20), fc.integer({ min: 1, max: 9 }), fc.scheduler(), async (count, concurrency, order) => {
      const items = Array.from({ length: count }, (_, index) => index)
      const begun: number[] = []
      let [underWay, most] = [0, 0]
      const done = runPool(items, { concurrency, signal: never }, async (item) => {
        begun.push(item)
        most = Math.max(most, ++underWay)
        await order.schedule(Promise.resolve())
        underWay -= 1
      })
      await order.waitFor(done)

      expect(begun).toEqual(items)
      expect(most).toBe(Math.min(count, concurrency))
    }),
  )
})

test('after a failure nothing more is begun, what is under way comes to its end, and the failure is told', async () => {
  const [begun, ended]: [number[], number[]] = [[], []]
  const done = runPool([1, 2, 3, 4, 5], { concurrency: 2, signal: never }, async (item) => {
    begun.push(item)
    if (item === 2) throw new Error('the second')
    await new Promise(setImmediate)
    ended.push(item)
  })

  await expect(done).rejects.toThrow('the second')
  expect([begun, ended]).toEqual([[1, 2], [1]])
})

test('nothing is begun once the signal is aborted', async () => {
  const stop = new AbortController()
  const begun: number[] = []
  await runPool([1, 2, 3], { concurrency: 1, signal: stop.signal }, async (item) => {
    begun.push(item)
    stop.abort()
  })

  expect(begun).toEqual([1])
})
