import type { Action, Json, Message, Observation, PendingEffect, Question, Status } from '@harnesswright/protocol'
import type { RunState } from '../run-state.js'
import { performAnswer } from './answer.js'
import { performAsk } from './ask.js'
import { performCall } from './call.js'
import { performFail } from './fail.js'
import { performSpawn } from './spawn.js'
import { performThink } from './think.js'

type Beginning = Pick<PendingEffect, 'action' | 'directive' | 'capabilities' | 'before' | 'modelCalls' | 'at'>

/** What came of an effect. */
export interface Outcome {
  readonly observations: readonly Observation[]
  /** Told to the model as a user message. */
  readonly feedback?: string
  /** Set when the effect ends the run. */
  readonly end?: { readonly status: Status; readonly reason?: string; readonly answer?: Json }
  /** A limit that the effect ran into: the run ends after this step. */
  readonly limit?: string
  /** The effect waits for a person: the step is not over, and the run ends as `waiting`. */
  readonly questions?: readonly Question[]
}

/** Performs an action, or goes on with it: one file per kind. `before` are the notes made before it. */
export function performEffect(run: RunState, action: Action, before: readonly Message[]): Promise<Outcome> {
  switch (action.kind) {
    case 'call':
      return performCall(run, action, before)
    case 'spawn':
      return performSpawn(run, action, before)
    case 'ask':
      return performAsk(run, action, before)
    case 'answer':
      return performAnswer(run, action)
    case 'think':
      return performThink(action)
    case 'fail':
      return performFail(action)
  }
}

/** The effect under way, as it is durable. */
export function pendingOf(run: RunState): PendingEffect | undefined {
  return run.tree.runs[run.path]?.pending
}

/** The outcome of a call or child run of the effect under way, if it is durable. */
export function outcomeOf(run: RunState, id: string): Observation | undefined {
  const { outcomes = {} } = pendingOf(run) ?? {}
  return Object.hasOwn(outcomes, id) ? outcomes[id] : undefined // an id may be "constructor"
}

/** What is durable of an effect from its beginning on; nothing where it is durable already. */
export function beginning(run: RunState, action: Action, before: readonly Message[]): Partial<PendingEffect> {
  return pendingOf(run) === undefined ? beginningOf(run, action, before) : {}
}

/** What is kept of an effect from its beginning on, clean. */
export function beginningOf(run: RunState, action: Action, before: readonly Message[]): Beginning {
  const { directive, capabilities, modelCalls, at } = run.turn
  const names = capabilities.tools.map(({ name }) => name)
  return run.clean({ action, directive, capabilities: names, before, modelCalls: modelCalls.length, at })
}
