import type { ConformanceCase, FaultFinding, FaultMode } from '@harnesswright/core/testkit'

/** One thing that was looked at, and what came of it. */
export interface Check {
  /** What was looked at: a harness, a module, an endpoint. */
  readonly group: string
  /** Short name of the rule. */
  readonly name: string
  /** Of rules that hold for whole replies and for streams: which it was. */
  readonly mode?: FaultMode
  /** The rule in a sentence, or what goes wrong. */
  readonly sentence: string
  /** What must come of it, where the sentence does not say so. */
  readonly expects?: string
  readonly state: 'passed' | 'failed' | 'skipped'
  /** What was expected and what was found, where it failed. */
  readonly findings: readonly FaultFinding[]
  /** Why it was skipped, or what of it could not be looked at. */
  readonly notes: readonly string[]
  /** Real time in ms. */
  readonly ms: number
}

/** Looks at the rules of a kit, one after another. */
export async function* checkCases(
  group: string,
  cases: readonly ConformanceCase[],
  now: () => number,
): AsyncGenerator<Check, void, undefined> {
  for (const { name: whole, run } of cases) {
    const space = whole.indexOf(' ')
    const [name, sentence] = [whole.slice(0, space), whole.slice(space + 1)]
    const startedAt = now()
    const found = await run().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    yield {
      group,
      name,
      sentence,
      state: found === undefined ? 'passed' : 'failed',
      findings: found === undefined ? [] : [{ expected: sentence, found }],
      notes: [],
      ms: Math.round(now() - startedAt),
    }
  }
}

/** Something that was not looked at, and why. */
export function skipped(group: string, name: string, sentence: string, why: string): Check {
  return { group, name, sentence, state: 'skipped', findings: [], notes: [why], ms: 0 }
}
