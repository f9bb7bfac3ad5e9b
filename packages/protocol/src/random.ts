import type { Random } from './types/index.js'

/** Mixes numbers and texts into 32 bits (FNV-1a with a final avalanche): for seeds, not for secrets. */
export function mixSeed(...parts: readonly (number | string)[]): number {
  let hash = 0x811c9dc5
  for (const part of parts) {
    for (const char of `${part};`) {
      hash ^= char.codePointAt(0) ?? 0
      hash = Math.imul(hash, 0x01000193)
    }
  }
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** A stream of numbers in [0, 1) that depends on the seed alone (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return {
    next(): number {
      state = (state + 0x6d2b79f5) >>> 0
      let mixed = Math.imul(state ^ (state >>> 15), state | 1)
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
    },
  }
}
