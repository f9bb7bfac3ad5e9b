import { type GenerateOptions, HarnessError, isHarnessError, type Model, type ModelResponse } from '@harnesswright/core'
import { type BudgetedGenerate, budgetedOf, registerBudgeted } from './budgeted.js'
import { MOST_ATTEMPTS, MOST_WAITING_MS } from './retry.js'

/** One model giving way to the next. */
export interface FallbackInfo {
  /** Ids of the models. */
  readonly from: string
  readonly to: string
  /** Code of what failed, `E_MODEL_*`. */
  readonly code: string
  /** What failed, in a sentence. */
  readonly message: string
}

/** How a list of models is made. */
export interface FallbackOptions {
  /** Id in the environment. Default: that of the first model. */
  readonly id?: string
  /** Told when a model gives way to the next. */
  readonly onFallback?: (info: FallbackInfo) => void
}

const GIVES_WAY = new Set(['E_MODEL_OVERLOADED', 'E_MODEL_TRANSPORT', 'E_MODEL_RATE_LIMIT'])

/**
 * Models in order of preference as one. The next is asked only when one is overloaded, out of reach or limited in its rate;
 * any other failure would be the same with every model. All of them share the bound of one call, five attempts and 120 s of
 * waiting, in equal parts of what is left; what the list says of itself is what holds for each of its models. To
 * `onRetry` a model that gives way is an attempt like any other, after 0 ms.
 *
 * @throws HarnessError `E_OPENAI_OPTIONS` when the list is empty or longer than five.
 */
export function createFallbackModel(models: readonly Model[], options: FallbackOptions = {}): Model {
  const [first] = models
  if (first === undefined || models.length > MOST_ATTEMPTS) {
    throw new HarnessError('E_OPENAI_OPTIONS', {
      message: `A list of ${models.length} models was given.`,
      hint: `Give 1 to ${MOST_ATTEMPTS}: a call has no more attempts.`,
    })
  }
  const budgeted = generateOf(models, options)
  const model: Model = Object.freeze({
    ...commonInfo(models, first),
    id: options.id ?? first.id,
    generate: (...[request, called]: Parameters<Model['generate']>) =>
      budgeted(request, called, { attemptsLeft: MOST_ATTEMPTS, waitingLeftMs: MOST_WAITING_MS }),
  })
  registerBudgeted(model, budgeted)
  return model
}

function generateOf(models: readonly Model[], { onFallback }: FallbackOptions): BudgetedGenerate {
  return async (request, called, budget): Promise<ModelResponse> => {
    let made = 0
    for (const [index, model] of models.entries()) {
      const following = models[index + 1]
      const parts = models.length - index
      const attempts = Math.max(1, Math.floor(budget.attemptsLeft / parts))
      const share = { attemptsLeft: attempts, waitingLeftMs: budget.waitingLeftMs / parts }
      const given = { ...share }
      try {
        return await budgetedOf(model)(request, countedFrom(made, called), share)
      } catch (error) {
        made += given.attemptsLeft - share.attemptsLeft
        budget.attemptsLeft -= given.attemptsLeft - share.attemptsLeft
        budget.waitingLeftMs -= given.waitingLeftMs - share.waitingLeftMs
        const gives = isHarnessError(error) && GIVES_WAY.has(error.code)
        if (!gives || following === undefined || budget.attemptsLeft < 1) throw error
        called.signal.throwIfAborted()
        called.onRetry?.({ attempt: made + 1, delayMs: 0, code: error.code })
        onFallback?.({ from: model.id, to: following.id, code: error.code, message: error.message })
      }
    }
    throw new Error('a list of models ended without an answer')
  }
}

/** What a model of the list is called with: it counts its own attempts, and the list those of all. */
function countedFrom(made: number, called: GenerateOptions): GenerateOptions {
  const { onRetry } = called
  if (made === 0 || onRetry === undefined) return called
  return { ...called, onRetry: (retry) => onRetry({ ...retry, attempt: made + retry.attempt }) }
}

/** What holds for every model of the list: the smallest window, the dearest price, what all of them support. */
function commonInfo(models: readonly Model[], first: Model): Omit<Model, 'id' | 'generate'> {
  const windows = models.flatMap((model) => model.contextWindow ?? [])
  const outputs = models.flatMap((model) => model.maxOutputTokens ?? [])
  const supports = Object.fromEntries(
    Object.keys(first.supports).map((name) => [
      name,
      models.every((model) => model.supports[name as keyof Model['supports']] === true),
    ]),
  )
  const prices = models.flatMap((model) => model.price ?? [])
  const dearest = prices.length < models.length ? undefined : dearestOf(prices)
  return {
    supports,
    ...(windows.length === 0 ? {} : { contextWindow: Math.min(...windows) }),
    ...(outputs.length === 0 ? {} : { maxOutputTokens: Math.min(...outputs) }),
    ...(dearest === undefined ? {} : { price: dearest }),
    ...(models.some((model) => model.simulated === true) ? { simulated: true } : {}),
  }
}

type Price = NonNullable<Model['price']>

/** A bound for every model: nothing of a call is billed below what it may have cost. */
function dearestOf(prices: readonly Price[]): Price {
  const most = (read: (price: Price) => number): number => Math.max(...prices.map(read))
  const [{ source, date }] = prices as readonly [Price]
  return {
    input: most((price) => price.input),
    cached: most((price) => price.cached ?? price.input),
    output: most((price) => price.output),
    source: prices.length === 1 ? source : `the dearest of ${prices.map((price) => price.source).join(', ')}`,
    date,
  }
}
