import type { Harness } from '@harnesswright/core'
import { type Delta, describeRound, type RepairRound } from '@harnesswright/plugin-meta-agent'
import type { FailedAttempt } from '../run/run-prepared.js'
import { shortId } from '../text/format.js'

/** What failed, what was changed, and what runs again. */
export function mendedLines({ result, harness, rounds }: FailedAttempt, next: Harness): readonly string[] {
  const { code = '', message = '', module, step } = result.error ?? {}
  const at = [module, step === undefined ? undefined : `step ${step}`].filter((one) => one !== undefined).join(', ')
  const ids = `manifest ${shortId(next.manifestId)}, harness ${shortId(next.harnessId)}`
  return [
    `the harness failed: ${code} in ${at}: ${message}`,
    ...changedLines(rounds, harness.manifest.name),
    `repaired: the task runs again with what is left of the limits: ${ids}`,
  ]
}

/** The corrections that were made, a line each. */
export function changedLines(rounds: readonly RepairRound[], name: string): readonly string[] {
  return rounds.flatMap((round) => describeRound({ ...round, deltas: round.deltas.filter(isApplied) }, name))
}

/** Whether a correction was made. */
export function isApplied({ patch, refused }: Delta): boolean {
  return patch.length > 0 && refused === undefined
}

/** What was tried of a failure that stays one. */
export function inVainLines(rounds: readonly RepairRound[], name: string): readonly string[] {
  const last = rounds.at(-1)
  if (last === undefined) return []
  const left = last.left[0]?.message ?? 'nothing of it could be changed'
  return [...rounds.flatMap((round) => describeRound(round, name)), `not repaired: ${left}`]
}
