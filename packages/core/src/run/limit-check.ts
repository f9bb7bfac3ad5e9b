import type { RunState } from './run-state.js'

/** The limit that ends the run before its next step, if one does. */
export function limitReachedNow(run: RunState): string | undefined {
  const { limits, meter, steps } = run
  if (steps.length >= limits.steps) return 'steps'
  if (run.leftMs() <= 0) return 'ms'
  if (meter.leftTokens() <= 0) return 'tokens'
  if (meter.leftUsd() <= 0) return 'usd'
  return undefined
}
