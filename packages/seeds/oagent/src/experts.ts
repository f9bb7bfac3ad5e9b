import type { Action, Manifest } from '@harnesswright/core'
import type { Rollout } from '@harnesswright/seed-aggagent/parts'
import type { ActionCtx } from './setup.js'

/** Fewest steps of a solver that gets a share. */
const LEAST_STEPS = 5

const PLANNER = '@harnesswright/seed-plan-and-execute'

/** Every expert has the task, its own copy of the workspace and its own luck, and sees nothing of the others. */
export function startExperts(ctx: ActionCtx): Action {
  const { experts, planners, expertSteps, faithful } = ctx.options
  const { steps } = ctx.left
  const share = Math.max(LEAST_STEPS, Math.floor(steps / experts))
  return {
    kind: 'spawn',
    runs: Array.from({ length: experts }, (_, index) => ({
      id: `expert-${index + 1}`,
      task: ctx.task,
      harness: { extends: 'self', ...harnessOf(ctx, index < planners) },
      limits: { steps: faithful || expertSteps === 'share' ? share : steps },
      workspace: 'fork',
    })),
    concurrency: faithful ? 1 : experts,
    merge: false,
  }
}

/** How an expert differs from this harness: it acts alone, and plans with what this harness has for it, or not at all. */
function harnessOf({ manifest }: ActionCtx, plans: boolean): Partial<Manifest> {
  const { action: own, packages, planning } = manifest
  const action = { ...own, with: { ...own.with, experts: 0 } }
  if (!plans) return { action, planning: null }
  if (planning !== null && planning !== undefined) return { action }
  return {
    action,
    packages: { ...packages, [PLANNER]: packages?.[PLANNER] ?? '*' },
    planning: { use: `${PLANNER}#planning` },
  }
}

/** The experts in the order of their numbers, with what came of each; none before they were started. */
export function expertsOf({ history, children, path }: ActionCtx): readonly Rollout[] {
  for (const { index, action } of history) {
    if (action.kind !== 'spawn') continue
    const prefix = path === '' ? '' : `${path}/`
    return action.runs.map(({ id }, at): Rollout => {
      const own = `${prefix}${index}.${id}`
      return { number: at + 1, path: own, result: children[own] }
    })
  }
  return []
}

/** True where an expert has done something that shows outside its answer: a call went well of a tool that does not only read. */
export function leftSomething({ catalog }: Pick<ActionCtx, 'catalog'>, experts: readonly Rollout[]): boolean {
  const changing = new Set(catalog.tools.filter(({ readOnly }) => readOnly !== true).map(({ name }) => name))
  return experts.some(({ result }) =>
    result?.steps.some(({ observations }) =>
      observations.some(({ ok, tool }) => ok && tool !== undefined && changing.has(tool)),
    ),
  )
}
