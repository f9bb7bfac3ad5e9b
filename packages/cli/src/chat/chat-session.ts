import type { Task } from '@harnesswright/core'
import type { WorldTask } from '@harnesswright/plugin-worlds'
import type { askerOf } from '../run/ask-person.js'
import type { RunCard } from '../run/run-card.js'
import type { RunDirectory, TraceFile } from '../run/run-store.js'
import type { OpenSession } from '../run/session.js'
import type { ChatLimits } from './chat-limits.js'
import type { ChatCard, Turn } from './chat-store.js'

/** What a chat stands on, whether it begins or goes on. */
export interface ChatSession extends OpenSession {
  /** Limits over all turns of this command. */
  readonly chatLimits: ChatLimits
  /** The file of `--trace`, for all turns. */
  readonly trace?: TraceFile
  /** Asks what a run must ask, where somebody can be asked. */
  readonly asker: Parameters<typeof askerOf>[0]
}

/** What is said in a turn. */
export interface Saying {
  readonly task: Task
  /** The world whose task it is. */
  readonly world?: WorldTask
  /** Name and size of that. */
  readonly spec?: string
}

/** What is kept of a chat that goes on. */
export interface KeptChat {
  readonly directory: RunDirectory
  readonly run: RunCard
  readonly card: ChatCard
  readonly turns: readonly Turn[]
  readonly world: WorldTask | undefined
  readonly unclaim: () => void
}
