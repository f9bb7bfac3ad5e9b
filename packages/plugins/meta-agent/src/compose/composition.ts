import type { Harness, Limits, Manifest, Origin } from '@harnesswright/core'
import type { DeadPart } from '../check/liveness.js'
import type { TaskFeatures } from '../features/task-features.js'
import type { ModelProbe } from '../model/probe/model-probe.js'
import type { ComposeSpent } from '../model/spending.js'
import type { Explanation } from '../proposers/proposer.js'
import type { Route } from '../proposers/route.js'
import type { TaskAnalysis } from '../proposers/task-analysis.js'
import type { Selection } from '../select/selector.js'
import type { Attempt } from './attempt.js'
import type { HarnessReference } from './reference.js'

/** A harness made for a task, and how it came about. */
export interface Composition {
  readonly manifest: Manifest
  /** Where the manifest comes from, which decides what it may name, also when it is repaired later. */
  readonly origin: Origin
  /** Assembled and ready to run. */
  readonly harness: Harness
  /** Where the manifest came from: `nearest` and `fallback` when nothing that was proposed passed, as it was or mended. */
  readonly route: Route
  readonly features: TaskFeatures
  /** What the model said of the task and expects of the harness, where a model wrote it. It is in the manifest's metadata too. */
  readonly analysis?: TaskAnalysis
  /** Every row and candidate that was looked at, in order, up to the one that was taken. */
  readonly explanation: readonly Explanation[]
  /** The harnesses of a bank that were retrieved. */
  readonly references: readonly HarnessReference[]
  /** Every manifest that was tried, in order, with its problems and what was done about them. */
  readonly attempts: readonly Attempt[]
  /** Which of several was chosen, how and why. */
  readonly selection: Selection
  /** What the executor was seen to follow, where it was asked. */
  readonly probe?: ModelProbe
  /** Parts of the manifest that change nothing in the smoke run, where they were looked for. */
  readonly dead: readonly DeadPart[]
  /** Checks that were left out, and why. */
  readonly notes: readonly string[]
  /** What composing cost: proposing, probing, repairing and choosing. It counts with the run. */
  readonly spent: ComposeSpent
  /** What composing left of the limits: for `harness.run(task, { limits })`. Empty when no model was asked. */
  readonly limits: Partial<Limits>
  /** Identity of what was configured: `sha256:` and 64 hex digits. */
  readonly manifestId: string
  /** Identity of what runs: the manifest and the exact code of every package. */
  readonly harnessId: string
}

/** A composition as JSON: everything that was decided, in order, for records and training. No harness, and no model's key, is in it. */
export type CompositionRecord = Omit<Composition, 'harness' | 'references'> & {
  readonly version: 1
  readonly references: readonly RecordedReference[]
}

/** What a record keeps of a harness that was retrieved: its manifest is in the bank, by its id. */
export interface RecordedReference extends Required<Pick<HarnessReference, 'harnessId' | 'why' | 'isExample'>> {
  /** Of its manifest. */
  readonly name: string
  /** null: it was never measured. */
  readonly measured: NonNullable<HarnessReference['measured']> | null
}

/** The record of a composition. */
export function recordOf({ harness: _, references, ...rest }: Composition): CompositionRecord {
  const known = references.map(({ harnessId, manifest, why, measured = null, isExample = false }) => {
    return { harnessId, name: manifest.name, why, measured, isExample }
  })
  return { version: 1, ...rest, references: known }
}
