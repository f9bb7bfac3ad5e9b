/** Draws in [0, 1) for one request. Every draw is a hash: there is no generator with a state. */
export interface Dice {
  /** Fixed for the run: what is hard to recall, what is lost, where arithmetic slips. */
  latent(label: string, key: string): number
  /** Drawn anew with the contents of the request. */
  roll(label: string, key?: string): number
}

/** Hash of a text, 32 bits (FNV-1a with a final avalanche). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return avalanche(hash)
}

/** One hash of two, in that order. */
export function mixHashes(first: number, second: number): number {
  return avalanche(Math.imul(first, 0x9e3779b1) ^ Math.imul(second ^ 0x85ebca77, 0xc2b2ae3d))
}

/** The dice of a request: `run` is the hash of the seeds, `digest` that of the contents. */
export function createDice(run: number, digest: number): Dice {
  const draw = (base: number, label: string, key: string): number =>
    mixHashes(mixHashes(base, hashText(label)), hashText(key)) / 4_294_967_296
  return {
    latent: (label, key) => draw(run, label, key),
    roll: (label, key = '') => draw(digest, label, key),
  }
}

function avalanche(value: number): number {
  let hash = value ^ (value >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
