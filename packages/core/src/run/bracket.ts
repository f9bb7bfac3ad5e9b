import type { Clock } from '@harnesswright/protocol'

/**
 * Keeps simulated time standing while the tool of a module works, and lets it pass while that waits for a model: the time
 * that a reply takes would else never pass.
 */
export class Bracket {
  readonly #clock: Clock
  #isAtWork = false
  #waits = 0
  #release: (() => void) | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  during<T>(work: Promise<T>): Promise<T> {
    this.#isAtWork = true
    this.#update()
    return work.finally(() => {
      this.#isAtWork = false
      this.#update()
    })
  }

  without<T>(wait: Promise<T>): Promise<T> {
    this.#waits++
    this.#update()
    return wait.finally(() => {
      this.#waits--
      this.#update()
    })
  }

  #update(): void {
    const holds = this.#isAtWork && this.#waits === 0
    if (holds === (this.#release !== undefined)) return
    this.#release?.()
    this.#release = undefined
    if (holds) void this.#clock.during(new Promise<void>((resolve) => (this.#release = resolve)))
  }
}
