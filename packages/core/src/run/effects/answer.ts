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
  if (run.children[path] === undefined) throw noChild(run, path)
  const chosen = run.tree.runs[path]?.opening.workspace
  // A child that worked in our workspace, or in none, left nothing to take over: not every host has workspaces.
  if (chosen === undefined || chosen === workspace || workspace === undefined || workspaces === undefined) return
  await run.env.clock.during(workspaces.commit(chosen, workspace))
}

function noChild(run: RunState, path: string): HarnessError {
  const known = nearestNames(path, Object.keys(run.children), 5).join(', ')
  const which = known === '' ? 'there was none' : `use one of: ${known}`
  return new HarnessError('E_PROTOCOL_ACTION', {
    message: `The answer commits the workspace of "${path}", which is no child run: ${which}.`,
    slot: 'action',
    step: run.turn.step,
  })
}
