import type { HarnessEvent } from '@harnesswright/core'

/** Something that is told of the events of a run. */
export type EventListener = (event: HarnessEvent) => void

/**
 * Passes the events of an environment on while a run is watched. Harnesses are composed in the same environment before,
 * and what happens then is not part of the run.
 */
export class EventTap {
  #listeners: readonly EventListener[] = []

  /** For the environment's `observe`. */
  readonly observe: EventListener = (event) => {
    for (const listener of this.#listeners) listener(event)
  }

  watch(listeners: readonly EventListener[]): void {
    this.#listeners = listeners
  }

  stop(): void {
    this.#listeners = []
  }
}
