import type { Limits, SubRun } from '../types/index.js'

const SHARED = ['tokens', 'usd', 'toolCalls'] as const

/**
 * What each child run may use at most, with all below it: what was asked for while there is enough, else an equal share of
 * what is left, with one share kept. Leases never sum to more than what is left. A lease that is no limit is left out.
 */
export function leasesOf(
  runs: readonly SubRun[],
  left: Pick<Limits, 'tokens' | 'usd' | 'toolCalls' | 'ms'>,
): Readonly<Record<string, Partial<Limits>>> {
  const leases = new Map(runs.map(({ id }) => [id, { ms: left.ms } as Record<string, number>]))
  for (const name of SHARED) {
    let rest = Math.max(0, left[name])
    if (rest === Number.POSITIVE_INFINITY) continue
    const whole = name === 'usd' ? (value: number): number => value : Math.floor
    const asking = runs.filter(({ limits: asked }) => asked?.[name] !== undefined)
    for (const { id, limits: asked } of asking) {
      const lease = Math.min(rest, asked?.[name] ?? 0)
      rest -= lease
      Object.assign(leases.get(id) ?? {}, { [name]: lease })
    }
    const share = whole(rest / (runs.length - asking.length + 1))
    for (const { id } of runs.filter((one) => !asking.includes(one)))
      Object.assign(leases.get(id) ?? {}, { [name]: share })
  }
  return Object.fromEntries(leases)
}
