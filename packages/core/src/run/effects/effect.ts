import type { Action, Json, Observation, Status } from '@harnesswright/protocol'
import { HarnessError } from '../../errors/error.js'
import type { RunState } from '../run-state.js'
import { performAnswer } from './answer.js'
import { performCall } from './call.js'
import { performFail } from './fail.js'
import { performThink } from './think.js'

/** What came of an effect. */
export interface Outcome {
  readonly observations: readonly Observation[]
  /** Told to the model as a user message. */
  readonly feedback?: string
  /** Set when the effect ends the run. */
  readonly end?: { readonly status: Status; readonly reason?: string; readonly answer?: Json }
  /** A limit that the effect ran into: the run ends after this step. */
  readonly limit?: string
}

/** Performs an action: one file per kind. */
export function performEffect(run: RunState, action: Action): Promise<Outcome> {
  switch (action.kind) {
    case 'call':
      return performCall(run, action)
    case 'answer':
      return performAnswer(action)
    case 'think':
      return performThink(action)
    case 'fail':
      return performFail(action)
    case 'spawn':
    case 'ask':
      throw new HarnessError('E_RUN_UNSUPPORTED', {
        message: `The action "${action.kind}" cannot be performed by this version.`,
        slot: 'action',
        step: run.turn.step,
      })
  }
}
