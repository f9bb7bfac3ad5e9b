import type { Action } from './action.js'
import type { Json } from './json.js'
import type { Message } from './message.js'
import type { Purpose, Usage } from './model.js'
import type { Directive } from './planning.js'
import type { Question } from './snapshot.js'

/** Why something went wrong, for the model and for the record. */
export interface ErrorInfo {
  readonly code: string
  readonly message: string
}

/** What came of one call or of one child run. */
export interface Observation {
  readonly callId: string
  /** Name of the tool; absent for a child run. */
  readonly tool?: string
  readonly ok: boolean
  /** Text for the model. That of a failure starts with `error`. */
  readonly content: string
  /** The value, where the result was not text. */
  readonly data?: Json
  readonly error?: ErrorInfo
  /** Id of the artifact that holds the whole text, where `content` is cut. */
  readonly truncated?: string
}

/** One model call, as it is recorded in a step. */
export interface ModelCall {
  readonly purpose: Purpose
  /** The module that made it, as `<slot>.<index>`; `kernel` for a forced answer. */
  readonly by: string
  readonly model: string
  readonly usage: Usage
  /** Cost in USD; null where the price or the usage is unknown. */
  readonly usd: number | null
  /** Time on the environment's clock in ms. */
  readonly ms: number
  /** Part of `ms` in which the request waited for its turn on the client's side. Absent: none. */
  readonly queuedMs?: number
}

/** How a run ended. */
export type Status = 'answered' | 'limit' | 'failed' | 'aborted' | 'waiting'

/** One step of the trajectory. */
export interface Step {
  /** From 1. */
  readonly index: number
  readonly directive: Directive
  /** Names of the tools that were on offer. */
  readonly capabilities: readonly string[]
  readonly action: Action
  readonly observations: readonly Observation[]
  /** What the step appended to the history, in order. */
  readonly messages: readonly Message[]
  readonly modelCalls: readonly ModelCall[]
  /** Start on the environment's clock in ms. */
  readonly at: number
  /** Duration in ms. */
  readonly ms: number
  /** Set on a last step that a limit, not the action, made the last. */
  readonly end?: { readonly status: Status; readonly reason: string }
}

/** What a run has used. */
export interface Spent {
  readonly steps: number
  readonly tokens: number
  readonly toolCalls: number
  readonly modelCalls: number
  readonly usage: Usage
  /** True when some call did not say what it used: the totals are then lower bounds. */
  readonly partial: boolean
  /** Cost in USD; null where some price or usage is unknown. */
  readonly usd: number | null
}

/** The whole record of a run. */
export interface RunResult {
  readonly status: Status
  /** Why a run that was not answered ended: `steps`, `tokens`, `usd`, `ms`, `tool_calls`, `loop`, `empty_reply`, `context_overflow`, or the agent's or the error's own words. */
  readonly reason?: string
  /** null: there is none, and none was invented. */
  readonly answer: Json
  /** The answer is the last text of the model, not one it gave as an answer. */
  readonly partial?: boolean
  readonly artifacts: readonly string[]
  readonly steps: readonly Step[]
  /** A valid history, system message left out: hand it to the next task as `messages`. */
  readonly messages: readonly Message[]
  readonly spent: Spent
  /** Time on the environment's clock in ms. */
  readonly ms: number
  /** What the run was made of, for records. */
  readonly manifestId: string
  readonly harnessId: string
  /** Records of child runs by path. */
  readonly children: Readonly<Record<string, RunResult>>
  readonly warnings: readonly string[]
  /** What a person must answer, where the run waits: `harness.resume(snapshot, { answers })` goes on. */
  readonly questions?: readonly Question[]
  /** The failure that ended the run, where there was one. */
  readonly error?: ErrorInfo & { readonly slot?: string; readonly module?: string; readonly step?: number }
}
