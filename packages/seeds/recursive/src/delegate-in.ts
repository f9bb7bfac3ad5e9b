import type { Action, CallAction, SubRun, ToolCall } from '@harnesswright/core'
import { countTries, type Delegation, isSameInstruction, readDelegation } from './delegation.js'
import { leaseSteps } from './lease.js'
import { citedIn } from './results.js'
import type { ActionCtx } from './setup.js'
import { stepsLeftInTree } from './steps-in-tree.js'

/** The calls of a reply, of which those that delegate become child runs. What is refused stays a call, and is told why. */
export function delegateIn(ctx: ActionCtx, chosen: CallAction): Action {
  const { calls, reply } = chosen
  ctx.state.refused = []
  const wanted: Wanted[] = []
  for (const call of calls) {
    const asked = readDelegation(call, ctx.options.models)
    if (asked === undefined) continue
    const why = refusalOf(ctx, asked, wanted)
    if (why === undefined) wanted.push({ call, asked })
    else ctx.state.refused.push({ callId: call.id, why })
  }
  const lease = leaseSteps(stepsLeftInTree(ctx), wanted.length, ctx.options.leastSteps)
  for (const { call } of wanted.slice(lease.runs))
    ctx.state.refused.push({ callId: call.id, why: ctx.prompt('tooFewSteps') })
  const started = wanted.slice(0, lease.runs)
  if (started.length === 0) return chosen
  const ids = new Set(started.map(({ call }) => call.id))
  const made = countDelegations(ctx)
  return {
    kind: 'spawn',
    runs: started.map((one, index) => subRun(ctx, one, { id: String(made + index + 1), steps: lease.steps })),
    calls: calls.filter(({ id }) => !ids.has(id)),
    concurrency: ctx.options.concurrency,
    ...(reply && { reply }),
  }
}

interface Wanted {
  readonly call: ToolCall
  readonly asked: Delegation
}

/** Why an instruction is not delegated once more. */
function refusalOf(ctx: ActionCtx, { instruction }: Delegation, beside: readonly Wanted[]): string | undefined {
  const again = beside.filter(({ asked }) => isSameInstruction(asked.instruction, instruction)).length
  if (countTries(ctx.history, instruction) + again < ctx.options.tries) return undefined
  return ctx.prompt('triedBefore', { tries: ctx.options.tries })
}

function countDelegations({ history }: ActionCtx): number {
  return history.reduce((sum, { action: one }) => sum + (one.kind === 'spawn' ? one.runs.length : 0), 0)
}

/** A sub-agent: this harness, with the tools of the environment on offer. */
function subRun(ctx: ActionCtx, { call, asked }: Wanted, { id, steps }: { id: string; steps: number }): SubRun {
  const { instruction, context, tools, model } = asked
  const { action: own } = ctx.manifest
  const brought = new Set(ctx.brought.map((tool) => tool.name))
  const named = tools.filter((name) => !brought.has(name))
  const handedOn = citedIn(context).flatMap((number) => ctx.state.results[number] ?? [])
  const told = [...(context === '' ? [] : [ctx.put(context)]), ...handedOn]
  return {
    id,
    callId: call.id,
    task: { instruction, ...(told.length === 0 ? {} : { context: told }) },
    harness: { extends: 'self', action: { ...own, with: { ...own.with, acts: true } } },
    limits: { steps },
    ...(named.length === 0 ? {} : { tools: named }),
    ...(model === '' ? {} : { model }),
  }
}
