import { isHarnessError } from '@harnesswright/protocol'
import type { RunState } from './run-state.js'

/** The limit that ends the run before its next step, if one does. */
export function limitReachedNow(run: RunState): string | undefined {
  const { limits, meter, steps } = run
  const met = run.tree.runs[run.path]?.steps.at(-1)?.limit
  if (met !== undefined) return met
  if (steps.length >= limits.steps) return 'steps'
  if (run.leftMs() <= 0) return 'ms'
  if (meter.leftTokens() <= 0) return 'tokens'
  if (meter.leftUsd() <= 0) return 'usd'
  return undefined
}

/** The limit that an error stands for, if it does. */
export function limitOf(error: unknown): string | undefined {
  if (!isHarnessError(error)) return undefined
  if (error.code === 'E_RUN_LIMIT') return String(error.details['limit'] ?? 'limit')
  return error.code === 'E_MODEL_CONTEXT_OVERFLOW' ? 'context_overflow' : undefined
}
