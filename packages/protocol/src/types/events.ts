import type { Json } from './json.js'
import type { Purpose, Usage } from './model.js'
import type { ErrorInfo, Observation, Status } from './step.js'

/** What every event carries: where in the tree, which step, when. */
export interface EventBase {
  /** Path of the run in its tree: '' for the root. */
  readonly path: string
  /** Step, from 1; 0 before the first. */
  readonly step: number
  /** The environment's clock in ms. */
  readonly at: number
}

/** What happens in a run, by `type`. */
export type EventBody =
  | { readonly type: 'run-start'; readonly manifestId: string; readonly harnessId: string; readonly seed: number }
  | { readonly type: 'step-start' }
  | { readonly type: 'model-start'; readonly purpose: Purpose; readonly by: string; readonly model: string }
  | { readonly type: 'model-delta'; readonly text?: string; readonly reasoning?: string }
  | {
      readonly type: 'model-end'
      readonly purpose: Purpose
      readonly by: string
      readonly usage: Usage
      readonly usd: number | null
      readonly ms: number
      /** The call failed. */
      readonly error?: ErrorInfo
    }
  | { readonly type: 'tool-start'; readonly callId: string; readonly tool: string; readonly arguments: string }
  | {
      readonly type: 'tool-end'
      readonly callId: string
      readonly tool: string
      readonly observation: Observation
      readonly ms: number
    }
  | {
      readonly type: 'retry'
      readonly by: string
      readonly model: string
      readonly attempt: number
      readonly delayMs: number
      readonly code: string
    }
  | { readonly type: 'child-start'; readonly child: string; readonly instruction: string }
  | { readonly type: 'child-end'; readonly child: string; readonly status: Status; readonly reason?: string }
  | { readonly type: 'ask'; readonly id: string; readonly question: string }
  | { readonly type: 'limit'; readonly reason: string }
  | { readonly type: 'healed'; readonly module: string; readonly what: string }
  | { readonly type: 'warning'; readonly message: string; readonly module?: string }
  | { readonly type: 'note'; readonly kind: string; readonly text: string; readonly by: string }
  | { readonly type: 'custom'; readonly name: string; readonly by: string; readonly data?: Json }
  | {
      readonly type: 'step-end'
      readonly action: string
      readonly directive: string
      readonly tokens: number
      readonly usd: number | null
    }
  | { readonly type: 'run-end'; readonly status: Status; readonly reason?: string; readonly answer: Json }

/** One event of a run. They are built only if somebody reads. */
export type HarnessEvent = EventBase & EventBody
