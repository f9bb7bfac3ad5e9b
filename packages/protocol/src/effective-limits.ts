import { HarnessError } from './errors/error.js'
import type { Limits } from './types/index.js'

/** The limits of a host that sets none. */
export const DEFAULT_LIMITS: Limits = Object.freeze({
  steps: 40,
  tokens: 1_000_000,
  usd: Number.POSITIVE_INFINITY,
  ms: 600_000,
  toolCalls: 200,
  perTool: Object.freeze({}),
  depth: 3,
  concurrency: 4,
  repeats: 3,
  reserve: 0.05,
})

/**
 * The strictest of several limits, field by field: the least of each, and the largest `reserve`, as what is kept aside
 * for the closing answer is taken from the rest. A field that is left out limits nothing.
 */
export function minLimits(first: Limits, ...others: readonly Partial<Limits>[]): Limits {
  const all = [first, ...others]
  const numbers = leastByName(all.map(({ perTool: _, ...rest }) => rest)) as Omit<Limits, 'perTool'> // all are in the first
  const perTool = leastByName(all.map((limits) => limits.perTool ?? {}))
  return { ...numbers, perTool, reserve: Math.max(...all.map((limits) => limits.reserve ?? 0)) }
}

/** Limits as JSON, which has no infinity: one that is none is left out. */
export function finiteLimits(limits: Limits): Partial<Limits> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== Number.POSITIVE_INFINITY))
}

/** Limits of which those that were left out are none. */
export function wholeLimits(limits: Partial<Limits>): Limits {
  const none = Object.keys(DEFAULT_LIMITS).map((name) => [name, Number.POSITIVE_INFINITY])
  return { ...Object.fromEntries(none), perTool: {}, ...limits }
}

function leastByName(records: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const least = new Map<string, number>()
  for (const [name, value] of records.flatMap(Object.entries<number>)) {
    least.set(name, Math.min(value, least.get(name) ?? value))
  }
  return Object.fromEntries(least)
}

/**
 * Limits of a host or of one run: numbers from 0 up, as one NaN would be no limit at all. What is undefined is left out.
 *
 * @throws HarnessError `E_ENV_INVALID` that names the limit.
 */
export function checkLimits(limits: Partial<Limits> = {}): Partial<Limits> {
  const { perTool = {}, ...others } = withoutUndefined(limits)
  const ofTools = withoutUndefined(perTool)
  const named = Object.entries(ofTools).map(([tool, most]) => [`perTool.${tool}`, most] as const)
  for (const [name, most] of [...Object.entries(others), ...named]) {
    if (typeof most === 'number' && most >= 0 && (name !== 'reserve' || most <= 1)) continue
    throw new HarnessError('E_ENV_INVALID', {
      message: `The limit "${name}" is ${String(most)}: a number from 0${name === 'reserve' ? ' to 1' : ' up'} was expected.`,
      hint: 'Give a number, or leave the limit out.',
    })
  }
  return { ...others, perTool: ofTools }
}

/** The fields that are there. */
export function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T // what is there is kept
}
