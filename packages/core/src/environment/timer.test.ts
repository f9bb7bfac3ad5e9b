import type { Clock } from '@harnesswright/protocol'
import { describe, expect, test } from 'vitest'
import { createVirtualClock, type VirtualClock } from '../testkit/virtual-clock.js'
import { systemClock } from './system-clock.js'
import { startTimer } from './timer.js'

const sleepingOnly = (clock: VirtualClock): Clock => ({
  now: () => clock.now(),
  sleep: (ms, signal) => clock.sleep(ms, signal),
  during: (work) => clock.during(work),
})

describe.each<[string, (clock: VirtualClock) => Clock]>([
  ['that has timers', (clock) => clock],
  ['that can only sleep', sleepingOnly],
])('on a clock %s, a timer', (_, clockOf) => {
  test('calls at its time, once', async () => {
    const clock = createVirtualClock()
    const calls: number[] = []
    const stop = startTimer(clockOf(clock), 50, () => calls.push(clock.now()))
    await clock.sleep(60)
    stop()

    expect(calls).toEqual([50])
  })

  test('calls nothing when it is stopped, and no time passes for it', async () => {
    const clock = createVirtualClock()
    const calls: number[] = []
    const stop = startTimer(clockOf(clock), 50, () => calls.push(clock.now()))
    stop()
    stop()
    const left = clock.sleeping
    await clock.sleep(10)

    expect([calls, left, clock.now()]).toEqual([[], 0, 10])
  })
})

test('a timer of the computer calls when its time is up, and one that is stopped or for ever does not', async () => {
  const calls: string[] = []
  startTimer(systemClock, 5, () => calls.push('short'))
  startTimer(systemClock, 5, () => calls.push('stopped'))()
  const stop = startTimer(systemClock, Number.POSITIVE_INFINITY, () => calls.push('for ever'))
  await systemClock.sleep(20)
  stop()

  expect(calls).toEqual(['short'])
})
