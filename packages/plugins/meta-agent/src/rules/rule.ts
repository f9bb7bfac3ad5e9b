import type { TaskFeatures } from '../features/task-features.js'
import type { Slots } from './modules.js'

/** One row of the table: for which tasks, why, and what. */
export interface Rule {
  readonly name: string
  /** Whether the row applies. */
  when(features: TaskFeatures): boolean
  /** The measured facts that decide, beside the threshold they are held against; true whether the row applies or not. */
  because(features: TaskFeatures): string
  /** What stands in the four slots. */
  manifest(features: TaskFeatures): Slots
}
