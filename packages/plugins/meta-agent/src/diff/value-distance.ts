import type { Json } from '@harnesswright/core'

/** What of the schema of an option says how far apart two of its values are. */
export interface OptionScale {
  /** Values that the option declares as its usual ones, in order. */
  readonly buckets?: readonly number[]
  readonly minimum?: number
  readonly maximum?: number
}

/** The scale of an option, from its JSON Schema. */
export function scaleOf(schema: unknown): OptionScale {
  if (typeof schema !== 'object' || schema === null) return {}
  const { buckets, minimum, maximum } = schema as Readonly<Record<string, unknown>>
  const numbers = Array.isArray(buckets) ? buckets.filter((one) => Number.isFinite(one)) : []
  return {
    ...(numbers.length < 2 ? {} : { buckets: [...new Set<number>(numbers)].sort((a, b) => a - b) }),
    ...(typeof minimum === 'number' ? { minimum } : {}),
    ...(typeof maximum === 'number' ? { maximum } : {}),
  }
}

/** Values that are not the same are never taken as the same, however little they differ. */
const LEAST = 1e-6

/**
 * How far apart two values of an option are, from 0 to 1; 0 for the same value alone.
 *
 * Numbers lie on the scale of the buckets, one bucket as far from the next as any; without buckets on that of the bounds,
 * else in the relation to their size. Whatever is no number is the same or not.
 */
export function valueDistance(a: Json | undefined, b: Json | undefined, scale: OptionScale): number {
  if (isSameJson(a, b)) return 0
  if (typeof a !== 'number' || typeof b !== 'number') return 1
  return Math.max(LEAST, Math.min(1, numberDistance(a, b, scale)))
}

function numberDistance(a: number, b: number, { buckets = [], minimum, maximum }: OptionScale): number {
  if (buckets.length > 1) return Math.abs(placeOf(a, buckets) - placeOf(b, buckets)) / (buckets.length - 1)
  const range = minimum === undefined || maximum === undefined ? 0 : maximum - minimum
  return Math.abs(a - b) / (range > 0 ? range : Math.abs(a) + Math.abs(b))
}

/** Where a number lies among buckets: at a bucket its index, between two of them in between, beyond the ends further out. */
function placeOf(value: number, buckets: readonly number[]): number {
  const above = buckets.findIndex((bucket) => bucket > value)
  const at = Math.max(0, Math.min(buckets.length - 2, (above === -1 ? buckets.length : above) - 1))
  const [low, high] = [buckets[at] as number, buckets[at + 1] as number] // there are two buckets at least
  return at + (value - low) / (high - low)
}

/** Whether two JSON values are the same, whatever the order of their keys. */
export function isSameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, index) => isSameJson(item, b[index]))
  }
  const [one, other] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
  return one.size === other.size && [...one].every(([key, item]) => other.has(key) && isSameJson(item, other.get(key)))
}
