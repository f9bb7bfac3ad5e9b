import type { Composing, EarlierRun } from '../output/outcome.js'

/** Whether a value of a card is what composing cost. */
export function isComposing(value: unknown): value is Composing {
  return (
    isObject(value) && typeof value['model'] === 'string' && typeof value['simulated'] === 'boolean' && isSpent(value)
  )
}

/** Whether a value of a card tells of a run before. */
export function isEarlierRun(value: unknown): value is EarlierRun {
  if (!isObject(value) || !isObject(value['error']) || !isObject(value['total'])) return false
  const { harnessId, error, changed, steps, total } = value
  const { code, message, module, step } = error
  return (
    [harnessId, code, message].every((one) => typeof one === 'string') &&
    (module === undefined || typeof module === 'string') &&
    (step === undefined || isCount(step)) &&
    Array.isArray(changed) &&
    changed.every((line) => typeof line === 'string') &&
    [steps, total['tokens']].every(isCount) &&
    typeof total['partial'] === 'boolean' &&
    isSpent(total)
  )
}

function isSpent({ modelCalls, usd, ms, usage }: Readonly<Record<string, unknown>>): boolean {
  if (!isObject(usage)) return false
  const { inputTokens, cachedTokens, outputTokens, reasoningTokens, source } = usage
  const mayBeUnknown = [usd, inputTokens, cachedTokens, outputTokens, reasoningTokens]
  return (
    [modelCalls, ms].every(isCount) &&
    mayBeUnknown.every((one) => one === null || isCount(one)) &&
    typeof source === 'string' &&
    ['known', 'estimated', 'unknown'].includes(source)
  )
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0
}

/** Whether a value is an object, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
