import type { Interval, NoInformation } from './estimate.js'

/**
 * An interval in a few words: `0.650 [0.433, 0.819] (wilson 95 %, n = 20)`; for a sample in which all are tied, or that is too
 * small, `no information` and why.
 */
export function formatInterval(interval: Interval | NoInformation): string {
  const mean = interval.mean === null ? '' : `${interval.mean.toFixed(3)}: `
  if (interval.kind === 'no-information') return `${mean}no information (${interval.reason})`
  const { method, lower, upper, n, confidence, tied } = interval
  if (tied) return `${mean}no information (all ${n} alike)`
  const percent = Number((100 * confidence).toFixed(2))
  return `${interval.mean.toFixed(3)} [${lower.toFixed(3)}, ${upper.toFixed(3)}] (${method} ${percent} %, n = ${n})`
}
