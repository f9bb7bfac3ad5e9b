import { type AnswerAction, HarnessError, nearestNames } from '@harnesswright/protocol'
import type { RunState } from '../run-state.js'
import type { Outcome } from './effect.js'

/** `answer`: the run ends with it. With `commit`, the workspace of that child run takes the place of ours. */
export async function performAnswer(run: RunState, action: AnswerAction): Promise<Outcome> {
  const { answer, artifacts, commit } = action
  if (commit !== undefined) await adopt(run, commit)
  return { observations: [], end: { status: 'answered', answer, ...(artifacts && { artifacts }) } }
}

async function adopt(run: RunState, path: string): Promise<void> {
  const { workspace, workspaces } = run.env
  const chosen = run.children[path] && run.tree.runs[path]?.opening.workspace
  if (chosen !== undefined && chosen !== workspace && workspace !== undefined && workspaces !== undefined)
    return await run.env.clock.during(workspaces.commit(chosen, workspace))
  const forks = Object.keys(run.children).filter((one) => run.tree.runs[one]?.opening.workspace !== workspace)
  throw new HarnessError('E_PROTOCOL_ACTION', {
    message: `The answer commits the workspace of "${path}", which is no child run with a forked one.`,
    hint: `Use one of: ${nearestNames(path, forks, 5).join(', ') || 'none, as no child run had a fork'}.`,
    slot: 'action',
    step: run.turn.step,
  })
}
