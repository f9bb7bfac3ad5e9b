import { type FaultReport, faultCases, runFaultCase } from '@harnesswright/core/testkit'
import type { Check } from './check.js'
import { HARNESS_SETTLE_MS, HARNESS_TRAITS, type HarnessParts, harnessSubject } from './harness-subject.js'

/** Plays every row of the kit of faults with a harness, in both modes at once. */
export async function* checkHarness(
  group: string,
  parts: HarnessParts,
  signal: AbortSignal,
): AsyncGenerator<Check, void, undefined> {
  const options = { subject: harnessSubject(parts), traits: HARNESS_TRAITS, settleMs: HARNESS_SETTLE_MS }
  for (const row of faultCases) {
    signal.throwIfAborted()
    const reports = await Promise.all(row.modes.map((mode) => runFaultCase(row, { ...options, mode })))
    yield* reports.map((report) => toCheck(group, report))
  }
}

function toCheck(group: string, report: FaultReport): Check {
  const { id, mode, sentence, expects, state, findings, unchecked, ms } = report
  return { group, name: id, mode, sentence, expects, state, findings, notes: unchecked, ms }
}
