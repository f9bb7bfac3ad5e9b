import type { Json, JsonSchema } from './json.js'
import type { Message } from './message.js'

/** A file of a task. With `text` it is written to the workspace; without, it is there already. */
export interface TaskFile {
  /** Relative to the workspace, with `/` between folders. */
  readonly path: string
  readonly text?: string
  /** Size in bytes, where it is known without reading. */
  readonly bytes?: number
}

/** What is to be done. JSON, and read-only for modules. */
export interface Task {
  readonly id?: string
  /** What the user wants, in the user's words. */
  readonly instruction: string
  /** Values the instruction speaks of, shown after it. */
  readonly inputs?: Json
  /** Ids of artifacts whose text is handed over with the instruction. */
  readonly context?: readonly string[]
  /** Files in the workspace. */
  readonly files?: readonly TaskFile[]
  /** Earlier turns of a conversation: the `messages` of a former result. */
  readonly messages?: readonly Message[]
  /** The shape the answer must have. Default: text. */
  readonly output?: JsonSchema
  readonly metadata?: Json
}
