import { type Ctx, HarnessError, type RunResult } from '@harnesswright/core'

type Taken = Pick<RunResult, 'spent' | 'children'>

/** Steps that a run and all runs below it have taken. */
export function stepsOfTree({ spent, children }: Taken): number {
  return Object.values(children).reduce((sum, child) => sum + stepsOfTree(child), spent.steps)
}

/**
 * Steps that this run and those below it may still take together: what its limit leaves, without what its child runs took.
 * The kernel counts the steps of each run on its own.
 */
export function stepsLeftInTree({ left, children }: Pick<Ctx, 'left' | 'children'>): number {
  const below = Object.values(children).reduce((sum, child) => sum + stepsOfTree(child), 0)
  return Math.max(0, left.steps - below)
}

/**
 * Ends the run where its tree has taken all steps of its limit.
 *
 * @throws HarnessError `E_RUN_LIMIT` for the limit `steps`.
 */
export function assertStepsLeft(ctx: Pick<Ctx, 'left' | 'children'>): void {
  if (stepsLeftInTree(ctx) > 0) return
  throw new HarnessError('E_RUN_LIMIT', {
    message: 'The limit "steps" is reached: the child runs have taken those that were left.',
    details: { limit: 'steps', left: 0, wanted: 1 },
  })
}
