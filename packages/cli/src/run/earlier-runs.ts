import type { EarlierRun } from '../output/outcome.js'
import { changedLines } from '../output/repair-text.js'
import { runTotal } from '../output/total.js'
import type { FailedAttempt } from './run-prepared.js'

/** What is told of a run that ended by an exception of its harness. */
export function earlierRunOf({ result, harness, rounds }: FailedAttempt): EarlierRun {
  const { code = '', message = '', module, step } = result.error ?? {}
  const place = { ...(module === undefined ? {} : { module }), ...(step === undefined ? {} : { step }) }
  return {
    harnessId: result.harnessId,
    error: { code, message, ...place },
    changed: changedLines(rounds, harness.manifest.name),
    steps: result.spent.steps,
    total: runTotal(result),
  }
}
