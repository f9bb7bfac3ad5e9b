import type { ThinkAction } from '@harnesswright/protocol'
import type { Outcome } from './effect.js'

/** `think`: the controller moved, the world did not. */
export async function performThink(action: ThinkAction): Promise<Outcome> {
  return { observations: [], ...(action.feedback === undefined ? {} : { feedback: action.feedback }) }
}
