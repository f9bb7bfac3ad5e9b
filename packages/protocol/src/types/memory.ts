import type { Message } from './message.js'

/**
 * v_t, the realised view: the messages the model will see, ready to be sent, head first.
 *
 * A memory module turns the history into it. It starts from `ctx.view`, keeps the head, keeps what it does not know,
 * drops or rewrites whole steps and never half a step, and does not bring back steps that an incoming message covers.
 *
 * @see arXiv 2608.25593, v_t = M(history)
 */
export interface View {
  readonly messages: readonly Message[]
}
