import type { FailAction } from '@harnesswright/protocol'
import type { Outcome } from './effect.js'

/** `fail`: the agent gives up, and says why. */
export async function performFail(action: FailAction): Promise<Outcome> {
  return { observations: [], end: { status: 'failed', reason: action.reason } }
}
