import type { WantedCall } from './act.js'
import type { Goal } from './reader.js'

/** One item of a plan, as it is written and as it is meant. */
export interface PlanItem {
  readonly id: string
  /** The wording of its goals. */
  readonly text: string
  readonly goals: readonly Goal[]
  /** Ids of the items that come before it. */
  readonly dependsOn: readonly string[]
  readonly status: 'open' | 'active' | 'done'
}

/** What the model has to say, for the properties of a schema to be filled with. */
export interface Slots {
  /** The whole of it as text. */
  readonly text: string
  /** What is answered; empty where nothing is. */
  readonly answer: string
  /** A sentence of thought, never read back. */
  readonly thought: string
  readonly items: readonly PlanItem[]
  readonly isDone: boolean
  readonly calls: readonly WantedCall[]
  /** Names in open goals, one an entry. */
  readonly queries: readonly string[]
}
