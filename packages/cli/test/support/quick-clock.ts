import { systemClock } from '@harnesswright/core'
import type { Io } from '../../src/io.js'

const FACTOR = 10

/** The clock of a computer on which time passes ten times as fast, so that a wait is a wait and takes little. */
export const quickClock: Pick<Io, 'now' | 'sleep'> = {
  now: () => Date.now() * FACTOR,
  sleep: (ms, signal) => systemClock.sleep(ms / FACTOR, signal),
}
