import type { Authority, Catalog, Environment, Origin } from '@harnesswright/core'
import type { Spending } from '../model/spending.js'
import type { PatchOperation } from './patch.js'
import type { RepairCase } from './repair-case.js'

/** What a repairer is given. */
export interface RepairInput {
  /** JSON, whatever is wrong with it. */
  readonly manifest: unknown
  /** What is wrong, and where it may be mended: at least one. */
  readonly cases: readonly RepairCase[]
  readonly catalog: Catalog
  readonly env: Environment
  readonly origin: Origin
  readonly granted?: readonly Authority[]
  /** 1 or 2. */
  readonly round: number
  /** Counts what model calls cost. */
  readonly spending: Spending
  readonly signal?: AbortSignal
}

/** A correction, and of which cases. */
export interface RepairAnswer {
  /** Empty: the repairer knows no correction. */
  readonly patch: readonly PatchOperation[]
  /** The cases that the patch is meant for; the others go to the next repairer. */
  readonly covers: readonly RepairCase[]
  /** Why there is no correction, or what it is. */
  readonly said?: string
}

/** Gives corrections. What they may touch is looked at by whoever asks. */
export interface Repairer {
  readonly name: string
  /** A correction of some of the cases, or none. What it throws ends the repair. */
  repair(input: RepairInput): RepairAnswer | Promise<RepairAnswer>
}
