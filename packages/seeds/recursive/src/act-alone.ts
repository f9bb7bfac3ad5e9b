import type { Action, Ctx } from '@harnesswright/core'
import { action as react } from '@harnesswright/seed-react'

/** The prompts of ReAct: a module that acts alone has them among its own. */
export const reactPrompts = react.prompts as Readonly<Record<'system' | 'unreadable' | 'final', string>> // of that module

/** The state of ReAct: a module that acts alone has it among its own. */
export interface AloneState {
  /** Replies in a row that could not be read. */
  malformed: number
}

/** What ReAct reads of the ctx of the module that acts alone. */
export interface AloneCtx {
  readonly options: { readonly parallel: boolean; readonly faithful?: boolean }
  state: AloneState
}

/** One step as ReAct takes it: a model call that becomes calls or the answer. For runs that start none below them. */
export async function actAlone(ctx: AloneCtx): Promise<Action> {
  return (await react.act?.(ctx as Ctx)) as Action // a ctx with what ReAct has; it always gives an action
}
