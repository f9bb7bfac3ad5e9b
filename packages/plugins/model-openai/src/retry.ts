import { type Clock, type GenerateOptions, HarnessError } from '@harnesswright/core'
import { Failure, type FailureCode } from './failure/failure.js'

/** Most attempts of one call, over all models that answer it. */
export const MOST_ATTEMPTS = 5
/** Longest waiting of one call between its attempts, in ms. */
export const MOST_WAITING_MS = 120_000

/** Retries by class. What is not named is not tried again. */
const RETRIES: Partial<Record<FailureCode, number>> = {
  E_MODEL_RATE_LIMIT: 4,
  E_MODEL_OVERLOADED: 3,
  E_MODEL_TRANSPORT: 3,
  E_MODEL_TIMEOUT: 3,
}
const REFUSED_RETRIES = 2

/** What one call may still use. */
export interface CallBudget {
  attemptsLeft: number
  waitingLeftMs: number
}

/** How the calls of a model are tried again. */
export interface RetryRules {
  /** Id of the model. */
  readonly model: string
  readonly clock: Clock
  /** A number in [0, 1) for each jitter. */
  readonly random: () => number
  /** Most attempts again after a silence. */
  readonly silentRetries: number
  /** Longest wait after a silence, in ms. */
  readonly silentWaitMs: number
  /** Takes secrets out of texts. */
  readonly redact: (text: string) => string
}

/** The call that is tried again. */
export type RetriedCall = Pick<GenerateOptions, 'signal' | 'onRetry'> & { readonly budget: CallBudget }

/**
 * Tries until it succeeds, the class of the failure allows no more, or the bound of the call is reached.
 *
 * @throws HarnessError `E_MODEL_*` of the last failure.
 */
export async function tryAgain<T>(attempt: () => Promise<T>, rules: RetryRules, call: RetriedCall): Promise<T> {
  const { budget, signal } = call
  let waitedMs = 0
  for (let made = 1; ; made++) {
    budget.attemptsLeft--
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const delayMs = delayBefore(error, made, { rules, budget })
      if (delayMs === undefined) throw errorOf(error, { rules, made, waitedMs })
      call.onRetry?.({ attempt: made + 1, delayMs, code: error.code })
      budget.waitingLeftMs -= delayMs
      waitedMs += delayMs
      await rules.clock.sleep(delayMs, signal)
      signal.throwIfAborted()
    }
  }
}

interface Bounds {
  readonly rules: RetryRules
  readonly budget: CallBudget
}

/** The wait before the next attempt in ms, or undefined when there is none. */
function delayBefore({ code, facts }: Failure, made: number, { rules, budget }: Bounds): number | undefined {
  const { random, silentRetries, silentWaitMs } = rules
  const isSilent = code === 'E_MODEL_TIMEOUT' && facts.status === undefined
  const allowed = facts.isRefused === true ? REFUSED_RETRIES : (RETRIES[code] ?? 0)
  if (facts.isFinal === true || made > allowed || budget.attemptsLeft < 1) return undefined
  if (isSilent && made > silentRetries) return undefined
  const stepMs = Math.min(60_000, 1_000 * 2 ** (made - 1))
  const own = code === 'E_MODEL_RATE_LIMIT' ? stepMs : Math.round(stepMs * (0.5 + random() / 2))
  const waitMs = isSilent ? Math.min(own, silentWaitMs) : (facts.retryAfterMs ?? own)
  return waitMs > budget.waitingLeftMs ? undefined : waitMs
}

interface Made {
  readonly rules: RetryRules
  readonly made: number
  readonly waitedMs: number
}

function errorOf({ code, facts }: Failure, { rules, made, waitedMs }: Made): HarnessError {
  const { message, hint, isFinal: _, ...known } = facts
  const tries = made === 1 ? '' : ` (attempt ${made}, after ${waitedMs} ms of waiting)`
  return new HarnessError(code, {
    message: `The model "${rules.model}" failed${tries}: ${rules.redact(message)}.`,
    ...(hint === undefined ? {} : { hint }),
    details: { model: rules.model, attempts: made, waitedMs, ...redactTexts(known, rules.redact) },
  })
}

function redactTexts(facts: object, redact: (text: string) => string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, typeof value === 'string' ? redact(value) : value]),
  )
}
