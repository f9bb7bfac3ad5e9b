import { callsOf, childPaths, type RunRecord, recordedResult, stepsOf } from '@harnesswright/protocol'
import type { RunState } from './run-state.js'

/** Sets a new run to what is durable of it. The states of its modules are opened when it starts. */
export function restoreRun(run: RunState, { steps, facts, pending }: RunRecord): void {
  const { random = {}, toolCounts = {}, broken = {}, tokensPerByte = {}, warnings = [], artifacts = [] } = facts
  const fill = <T>(map: Map<string, T>, fields: Readonly<Record<string, T>>): void => {
    for (const [name, value] of Object.entries(fields)) map.set(name, value)
  }
  fill(run.randoms, random)
  fill(run.toolCounts, toolCounts)
  fill(run.brokenArguments, broken)
  fill(run.sizes.tokensPerByte, tokensPerByte)
  run.warnings.push(...warnings)
  run.artifacts.push(...artifacts)
  for (const [id, value] of run.tree.artifacts) run.env.artifacts.put(id, value)
  run.steps = stepsOf(steps, run.fence)
  for (const step of run.steps) run.history.push(...step.messages)
  run.hasCutResults = run.steps.some((step) => step.observations.some((one) => one.truncated !== undefined))
  const actions = [...run.steps.map(({ action }) => action), ...(pending === undefined ? [] : [pending.action])]
  const calls = actions.flatMap((action) => [...callsOf(action), ...(action.reply?.toolCalls ?? [])])
  for (const { id } of calls) run.callIds.add(id)
  for (const path of childPaths(run.tree.runs, run.path)) {
    const { end } = run.tree.runs[path] as RunRecord
    if (end !== undefined) run.children[path] = recordedResult(run.tree.runs, path, end, run)
  }
}
