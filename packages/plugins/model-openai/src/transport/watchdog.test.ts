import { expect, test } from 'vitest'
import { ManualClock } from '../../test/support/manual-clock.js'
import { Watchdog } from './watchdog.js'

function watched(): { clock: ManualClock; watchdog: Watchdog; ended: string[] } {
  const clock = new ManualClock()
  const ended: string[] = []
  return { clock, ended, watchdog: new Watchdog(clock, (wait, ms) => ended.push(`${wait} ${ms}`)) }
}

test('a shorter wait that begins in the middle of a longer one ends in its own time', async () => {
  const { clock, watchdog, ended } = watched()
  watchdog.expect('first byte', 600_000)
  await clock.advance(20_000)
  watchdog.expect('next chunk', 60_000)
  await clock.advance(59_999)
  expect(ended).toEqual([])
  await clock.advance(1)
  expect(ended).toEqual(['next chunk 60000'])
  expect(clock.sleeping).toBe(0)
})

test('every sign of life begins the silence anew, with one sleeper however many there are', async () => {
  const { clock, watchdog, ended } = watched()
  watchdog.expect('next chunk', 100)
  for (let chunk = 0; chunk < 50; chunk++) {
    await clock.advance(60)
    watchdog.touch()
    expect(clock.sleeping).toBe(1)
  }
  await clock.advance(99)
  expect(ended).toEqual([])
  await clock.advance(1)
  expect(ended).toEqual(['next chunk 100'])
})

test('a wait that goes on in another does not begin anew', async () => {
  const { clock, watchdog, ended } = watched()
  watchdog.expect('connect', 100)
  await clock.advance(60)
  watchdog.goOn('first byte', 300)
  await clock.advance(239)
  expect(ended).toEqual([])
  await clock.advance(1)
  expect(ended).toEqual(['first byte 300'])
})

test('what comes after the end does not begin it again', async () => {
  const { clock, watchdog, ended } = watched()
  watchdog.expect('connect', 100)
  watchdog.stop()
  watchdog.expect('first byte', 100)
  expect(clock.sleeping).toBe(0)
  await clock.advance(1_000)
  expect(ended).toEqual([])
})
