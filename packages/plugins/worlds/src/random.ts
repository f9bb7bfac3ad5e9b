import { mixSeed, seededRandom } from '@harnesswright/core'
import type { Range } from './constants.js'

/** Draws for a generator: a stream that depends on its seed alone. */
export interface Draws {
  /** An integer of an inclusive range. */
  integer(range: Range): number
  pick<T>(values: readonly T[]): T
  /** All values in a drawn order. */
  shuffle<T>(values: readonly T[]): T[]
}

/** A stream of draws: the same parts give the same stream. */
export function createDraws(...seed: readonly (number | string)[]): Draws {
  const random = seededRandom(mixSeed(...seed))
  const below = (count: number): number => Math.floor(random.next() * count)
  return {
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
