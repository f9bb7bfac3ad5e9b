import { describe, expect, test } from 'vitest'
import { createTurnQueue } from './turn-queue.js'

const never = new AbortController().signal

describe('a queue of turns', () => {
  test('lets one at a time in, in the order of asking', async () => {
    const queue = createTurnQueue()
    const order: string[] = []
    const leaves = new Map<string, () => void>()
    const enter = (name: string, signal = never) =>
      queue.enter(signal).then((leave) => {
        order.push(name)
        leaves.set(name, leave)
      })

    const all = [enter('a'), enter('b'), enter('c')]
    await all[0]
    expect(order).toEqual(['a'])
    leaves.get('a')?.()
    leaves.get('a')?.() // a turn ends once
    await all[1]
    expect(order).toEqual(['a', 'b'])
    leaves.get('b')?.()
    await all[2]
    leaves.get('c')?.()
    await enter('d')
    expect(order).toEqual(['a', 'b', 'c', 'd'])
  })

  test('lets whoever gives up go at once, and does not wait for it', async () => {
    const queue = createTurnQueue()
    const stop = new AbortController()
    const leave = await queue.enter(never)
    const gone = queue.enter(stop.signal)
    const next = queue.enter(never)

    stop.abort(new Error('enough'))
    await expect(gone).rejects.toThrow('enough')
    await expect(queue.enter(AbortSignal.abort(new Error('before')))).rejects.toThrow('before')
    leave()
    ;(await next)()
    await queue.enter(never)
  })
})
