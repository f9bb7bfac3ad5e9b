import { type Clock, HarnessError } from '@harnesswright/core'
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

/** A wait before an attempt, told when it begins. */
export interface RetryInfo {
  /** Id of the model. */
  readonly model: string
  /** The attempt that failed, from 1. */
  readonly attempt: number
  /** How long is waited before the next one, in ms. */
  readonly delayMs: number
  /** Code of what failed, `E_MODEL_*`. */
  readonly code: string
  /** What failed, in a sentence. */
  readonly message: string
}

/** How a call is tried again. */
export interface RetryOptions {
  readonly model: string
  readonly clock: Clock
  /** A number in [0, 1) for each jitter. */
  readonly random: () => number
  readonly signal: AbortSignal
  readonly budget: CallBudget
  /** Most attempts again after a silence. */
  readonly silentRetries: number
  /** Longest wait after a silence, in ms. */
  readonly silentWaitMs: number
  readonly onRetry: ((info: RetryInfo) => void) | undefined
  /** Takes secrets out of texts. */
  readonly redact: (text: string) => string
}

/**
 * Tries until it succeeds, the class of the failure allows no more, or the bound of the call is reached.
 *
 * @throws HarnessError `E_MODEL_*` of the last failure.
 */
export async function tryAgain<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { budget, signal } = options
  let waitedMs = 0
  for (let made = 1; ; made++) {
    budget.attemptsLeft--
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const delayMs = delayBefore(error, made, options)
      if (delayMs === undefined) throw errorOf(error, { options, made, waitedMs })
      options.onRetry?.({
        model: options.model,
        attempt: made,
        delayMs,
        code: error.code,
        message: options.redact(error.message),
      })
      budget.waitingLeftMs -= delayMs
      waitedMs += delayMs
      await options.clock.sleep(delayMs, signal)
      signal.throwIfAborted()
    }
  }
}

/** The wait before the next attempt in ms, or undefined when there is none. */
function delayBefore({ code, facts }: Failure, made: number, options: RetryOptions): number | undefined {
  const { budget, random, silentRetries, silentWaitMs } = options
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
  readonly options: RetryOptions
  readonly made: number
  readonly waitedMs: number
}

function errorOf({ code, facts }: Failure, { options, made, waitedMs }: Made): HarnessError {
  const { message, hint, isFinal: _, ...known } = facts
  const tries = made === 1 ? '' : ` (attempt ${made}, after ${waitedMs} ms of waiting)`
  return new HarnessError(code, {
    message: `The model "${options.model}" failed${tries}: ${options.redact(message)}.`,
    ...(hint === undefined ? {} : { hint }),
    details: { model: options.model, attempts: made, waitedMs, ...redactTexts(known, options.redact) },
  })
}

function redactTexts(facts: object, redact: (text: string) => string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, typeof value === 'string' ? redact(value) : value]),
  )
}
