import type { Clock } from '@harnesswright/core'
import { setAlarm } from './alarm.js'

/** What an exchange waits for: after the next chunks, for counts that may follow the last word, and for the end of the body. */
export type Wait = 'connect' | 'first byte' | 'next chunk' | 'counts' | 'end'

/** What happens when a wait is over, and what was waited for how long. */
export type OnSilence = (wait: Wait, limitMs: number) => void

/**
 * Ends a wait that lasts too long. One sleeper at a time, however many chunks there are: each only moves the moment from
 * which the silence counts.
 */
export class Watchdog {
  readonly #clock: Clock
  readonly #onSilence: OnSilence
  #wait: Wait = 'connect'
  #limitMs = 0
  #sinceMs = 0
  #wakesAtMs = Number.POSITIVE_INFINITY
  #stopAlarm: (() => void) | undefined
  #isStopped = false

  constructor(clock: Clock, onSilence: OnSilence) {
    this.#clock = clock
    this.#onSilence = onSilence
  }

  /** What is waited for. */
  get wait(): Wait {
    return this.#wait
  }

  /** Begins another wait. */
  expect(wait: Wait, limitMs: number): void {
    if (this.#isStopped) return
    this.#wait = wait
    this.#limitMs = limitMs
    this.touch()
    // Later is seen when the sleeper wakes; only an earlier end needs another sleeper.
    if (this.#stopAlarm === undefined || this.#sinceMs + limitMs < this.#wakesAtMs) this.#sleep()
  }

  /** Waits for something else in the same silence, which may last longer then. */
  goOn(wait: Wait, limitMs: number): void {
    this.#wait = wait
    this.#limitMs = limitMs
  }

  /** Something came: the silence counts from now. */
  touch(): void {
    this.#sinceMs = this.#clock.now()
  }

  /** Ends the watch for good: what comes late does not begin it again. */
  stop(): void {
    this.#isStopped = true
    this.#wakeNoMore()
  }

  #wakeNoMore(): void {
    this.#stopAlarm?.()
    this.#stopAlarm = undefined
  }

  #sleep(): void {
    this.#wakeNoMore()
    this.#wakesAtMs = this.#sinceMs + this.#limitMs
    this.#stopAlarm = setAlarm(this.#clock, this.#wakesAtMs - this.#clock.now(), this.#wake)
  }

  readonly #wake = (): void => {
    this.#stopAlarm = undefined
    if (this.#isStopped) return
    if (this.#clock.now() - this.#sinceMs < this.#limitMs) this.#sleep()
    else this.#onSilence(this.#wait, this.#limitMs)
  }
}
