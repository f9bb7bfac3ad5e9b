import type { GenerateOptions, Model } from '@harnesswright/core'
import type { CallBudget } from './retry.js'

/** A `generate` that shares the bound of its call with others. */
export type BudgetedGenerate = (
  request: Parameters<Model['generate']>[0],
  options: Parameters<Model['generate']>[1],
  budget: CallBudget,
) => ReturnType<Model['generate']>

const generates = new WeakMap<Model, BudgetedGenerate>()

/** Lets a fallback list share one bound with the model. */
export function registerBudgeted(model: Model, generate: BudgetedGenerate): void {
  generates.set(model, generate)
}

/** The `generate` of a model within a bound. Of a model of another package those attempts count that it announces. */
export function budgetedOf(model: Model): BudgetedGenerate {
  return generates.get(model) ?? ((request, called, budget) => model.generate(request, counting(called, budget)))
}

function counting(called: GenerateOptions, budget: CallBudget): GenerateOptions {
  budget.attemptsLeft--
  return {
    ...called,
    onRetry: (retry) => {
      budget.attemptsLeft--
      budget.waitingLeftMs -= retry.delayMs
      called.onRetry?.(retry)
    },
  }
}
