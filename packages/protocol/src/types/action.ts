import type { Json, JsonSchema } from './json.js'
import type { Limits } from './limits.js'
import type { Manifest } from './manifest.js'
import type { ToolCall } from './message.js'
import type { Reply } from './model.js'
import type { Task } from './task.js'

/** One child run, as data. */
export interface SubRun {
  /** The author's, unique within the action. */
  readonly id: string
  readonly task: Task
  /** `self` (default), a manifest, or a patch over the parent's in which `null` empties a slot. */
  readonly harness?: 'self' | Manifest | ({ readonly extends: 'self' } & Partial<Manifest>)
  /** A lease for the child and its tree. Default: an equal share of what is left, with one share kept. */
  readonly limits?: Partial<Limits>
  /** Names of environment tools the child may use. Default: the parent's. */
  readonly tools?: readonly string[]
  /** A model of the environment. Default: the parent's. */
  readonly model?: string
  /** Default: `fork` when the runs are concurrent, `share` when they are not. */
  readonly workspace?: 'share' | 'fork' | 'none'
  /** The call of the reply that this run answers. */
  readonly callId?: string
}

/** The model's reply that led to an action: the kernel writes the assistant message from it. */
export interface Replied {
  readonly reply?: Reply
}

/** Call tools. `parallel` is the default only if every tool is `readOnly`. */
export type CallAction = Replied & {
  readonly kind: 'call'
  readonly calls: readonly ToolCall[]
  readonly mode?: 'parallel' | 'serial'
}
/** Start child runs; `calls` are those of the same reply that are not delegations. */
export type SpawnAction = Replied & {
  readonly kind: 'spawn'
  readonly runs: readonly SubRun[]
  readonly calls?: readonly ToolCall[]
  /** Runs at once. Default and most: `limits.concurrency`. */
  readonly concurrency?: number
  /** Whether what forked workspaces changed is brought into that of this run at the end. Default true; false: `answer.commit` may choose one later. */
  readonly merge?: boolean
}
/** End the run with an answer. `commit` is the path of the child whose forked workspace becomes ours. */
export type AnswerAction = Replied & {
  readonly kind: 'answer'
  readonly answer: Json
  readonly artifacts?: readonly string[]
  readonly commit?: string
}
/** The controller moved, the world did not. `feedback` is told to the model as a user message. */
export type ThinkAction = Replied & { readonly kind: 'think'; readonly feedback?: string }
/** A person must answer. `callId` is the call of the reply that the answer answers. */
export type AskAction = Replied & {
  readonly kind: 'ask'
  readonly question: string
  readonly schema?: JsonSchema
  readonly callId?: string
}
/** Give up. */
export type FailAction = Replied & { readonly kind: 'fail'; readonly reason: string }

/**
 * e_t, the action: an effect on the world, as data. The kernel performs it.
 *
 * @see arXiv 2608.25593, e_t = A(v_t, d_t, C_t)
 */
export type Action = CallAction | SpawnAction | AnswerAction | ThinkAction | AskAction | FailAction
