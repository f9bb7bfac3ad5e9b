import type { Charged, RunEnd, RunRecord, RunResult, Step } from '@harnesswright/protocol'
import type { Environment } from '../environment/environment.js'
import { addCharged, NOTHING } from './charge.js'
import { spentOf } from './meter.js'
import { callsOf, childPaths, fenceOf, type Records, stepOf } from './record.js'
import { openingMessages, type RunState, type Tree } from './run-state.js'

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
  run.steps = stepsOf(run, steps)
  for (const step of run.steps) run.history.push(...step.messages)
  run.hasCutResults = run.steps.some((step) => step.observations.some((one) => one.truncated !== undefined))
  const actions = [...run.steps.map(({ action }) => action), ...(pending === undefined ? [] : [pending.action])]
  for (const action of actions) for (const call of callsOf(action)) run.callIds.add(call.id)
  for (const path of childPaths(run.tree.runs, run.path)) {
    const { end } = run.tree.runs[path] as RunRecord
    if (end !== undefined) run.children[path] = recordedResult(run.tree, path, end, run.env)
  }
}

function stepsOf({ fence }: { readonly fence: string }, records: RunRecord['steps']): readonly Step[] {
  return records.map((record, index) => stepOf(record, index + 1, fence))
}

/** What was charged to a run and to all below it, and the calls of tools that they made. */
export function chargedBelow(runs: Records, path: string): [charged: Charged, toolCalls: number] {
  const below = Object.keys(runs).filter((one) => path === '' || one === path || one.startsWith(`${path}/`))
  const records = below.map((one) => runs[one] as RunRecord)
  const made = records.flatMap(({ facts }) => Object.values(facts.toolCounts ?? {}))
  return [records.reduce((sum, run) => addCharged(sum, run.charged), NOTHING), made.reduce((sum, one) => sum + one, 0)]
}

/** The result of a run that has ended, from what is durable of it. */
export function recordedResult(tree: Tree, path: string, end: RunEnd, env: Environment): RunResult {
  const { opening, steps: records, facts, ms } = tree.runs[path] as RunRecord
  const steps = stepsOf({ fence: fenceOf(opening.seed, path) }, records)
  const [charged, toolCalls] = chargedBelow(tree.runs, path)
  const ended = childPaths(tree.runs, path).flatMap((child) => {
    const of = tree.runs[child]?.end
    return of === undefined ? [] : [[child, recordedResult(tree, child, of, env)] as const]
  })
  return {
    answer: null,
    artifacts: facts.artifacts ?? [],
    ...end,
    steps,
    messages: [...openingMessages(opening.task, tree.artifacts, env), ...steps.flatMap((step) => step.messages)],
    spent: spentOf(charged, steps.filter((step) => step.end === undefined).length, toolCalls),
    ms,
    manifestId: opening.manifestId,
    harnessId: opening.harnessId,
    children: Object.fromEntries(ended),
    warnings: facts.warnings ?? [],
  }
}
