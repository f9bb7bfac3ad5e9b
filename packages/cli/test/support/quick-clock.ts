import { systemClock } from '@harnesswright/core'
import type { Io } from '../../src/io.js'

/** The clock of a computer on which time passes so many times as fast, so that a wait is a wait and takes little. */
export function quickerClock(factor: number): Pick<Io, 'now' | 'sleep'> {
  return {
    now: () => Date.now() * factor,
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  }
}

export const quickClock = quickerClock(10)
