import type { Token } from 'node-llama-cpp'

/** What a sequence of a context holds. */
export interface Held {
  readonly tokens: readonly Token[]
  /** Number of the request that used it last; 0 where none did. */
  readonly usedAt: number
}

/** Share of what a sequence holds that a request must begin with, to go on with it. */
const GOES_ON = 0.5

/**
 * Index of the sequence that a request is read into: the one that it goes on with, so that little is read again, else the one
 * that was used longest ago. All requests begin alike, so that a short common beginning is no reason to put a long one out.
 */
export function chooseHeld(held: readonly Held[], tokens: readonly Token[]): number {
  const ranked = held.map(({ tokens: before, usedAt }, index) => {
    const common = commonLength(before, tokens)
    return { index, usedAt, common: common > 0 && common >= before.length * GOES_ON ? common : 0 }
  })
  ranked.sort((a, b) => b.common - a.common || a.usedAt - b.usedAt)
  return ranked[0]?.index ?? 0
}

function commonLength(one: readonly Token[], other: readonly Token[]): number {
  const end = one.findIndex((token, index) => token !== other[index])
  return end < 0 ? one.length : end
}
