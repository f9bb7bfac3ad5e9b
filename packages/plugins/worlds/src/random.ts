import type { Range } from './constants.js'

/** Draws for a generator: a stream that depends on its seed alone. */
export interface Draws {
  /** Uniform in [0, 1). */
  next(): number
  /** An integer of an inclusive range. */
  integer(range: Range): number
  pick<T>(values: readonly T[]): T
  /** All values in a drawn order. */
  shuffle<T>(values: readonly T[]): T[]
}

/** A stream of draws from a text (FNV-1a into mulberry32): the same text gives the same stream. */
export function createDraws(seed: string): Draws {
  let state = hashText(seed)
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number): number => Math.floor(next() * count)
  return {
    next,
    integer: ([least, most]) => least + below(most - least + 1),
    pick: (values) => values[below(values.length)] as (typeof values)[number],
    shuffle<T>(values: readonly T[]): T[] {
      const mixed = [...values]
      for (let last = mixed.length - 1; last > 0; last--) {
        const other = below(last + 1)
        const held = mixed[last] as T
        mixed[last] = mixed[other] as T
        mixed[other] = held
      }
      return mixed
    },
  }
}

function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
