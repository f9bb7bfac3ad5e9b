import { HarnessError } from '../errors/error.js'
import type { Charged, Limits, Price, Spent, Usage } from '../types/index.js'
import { addCharged, chargeOf, NOTHING, spentOf } from './charge.js'

/** What one request may use at most. */
export interface Bound {
  /** Tokens of the request. */
  readonly inputTokens: number
  /** Most tokens of the reply that are wanted. */
  readonly outputTokens: number
  readonly price?: Price
  /** Whether the share kept aside for the closing answer may be used. */
  readonly useReserve: boolean
}

/** What was set aside for one request, until its usage is known. */
export interface Reservation {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly usd: number
  readonly price?: Price
}

/** A reply shorter than this is of no use, unless less was asked for. */
const LEAST_REPLY_TOKENS = 16

/**
 * What a run and its children use. Each request reserves its bound here and at every meter above before it is sent, so that
 * at every moment reserved plus spent is at most the limit, also for requests that are under way at once.
 */
export class Meter {
  readonly #limits: Limits
  readonly #parent: Meter | undefined
  #charged: Charged
  #toolCalls: number
  #reservedTokens = 0
  #reservedUsd = 0

  /** `charged` and `toolCalls` are of a run that goes on, with those of its children: the meter above has them already. */
  constructor(limits: Limits, parent?: Meter, charged: Charged = NOTHING, toolCalls: number = 0) {
    this.#limits = limits
    this.#parent = parent
    this.#charged = charged
    this.#toolCalls = toolCalls
  }

  /** Tokens that may still be reserved, here and above. */
  leftTokens(useReserve = false): number {
    const own = this.#open(this.#limits.tokens, useReserve) - this.#charged.tokens - this.#reservedTokens
    return Math.max(0, Math.floor(Math.min(own, this.#parent?.leftTokens(useReserve) ?? own)))
  }

  /** USD that may still be reserved, here and above. */
  leftUsd(useReserve = false): number {
    const own = this.#open(this.#limits.usd, useReserve) - this.#charged.usd - this.#reservedUsd
    return Math.max(0, Math.min(own, this.#parent?.leftUsd(useReserve) ?? own))
  }

  /** The part of a limit that is open to a request. Where there is no limit, nothing needs to be kept aside. */
  #open(limit: number, useReserve: boolean): number {
    return useReserve || limit === Number.POSITIVE_INFINITY ? limit : limit * (1 - this.#limits.reserve)
  }

  /**
   * Sets the bound of a request aside; the reply is shortened to what is left.
   *
   * @throws HarnessError `E_RUN_LIMIT` with `details.limit` when nothing useful is left; `E_PROTOCOL_VALUE` for what is no
   * number of tokens.
   */
  reserve(bound: Bound): Reservation {
    const { inputTokens, outputTokens, price, useReserve } = bound
    const least = Math.min(LEAST_REPLY_TOKENS, outputTokens)
    let most = Math.min(outputTokens, this.leftTokens(useReserve) - inputTokens)
    if (most < least) throw limitReached('tokens', this.leftTokens(useReserve), inputTokens + least)
    if (price !== undefined && Number.isFinite(this.leftUsd(useReserve))) {
      const forReply = this.leftUsd(useReserve) - (inputTokens * price.input) / 1e6
      most = Math.min(most, Math.floor((forReply * 1e6) / Math.max(price.output, 1e-12)))
      if (most < least) throw limitReached('usd', this.leftUsd(useReserve), inputTokens + least)
    }
    const usd = price === undefined ? 0 : (inputTokens * price.input + most * price.output) / 1e6
    if (!(most >= 0 && Number.isFinite(most + usd)))
      // one NaN would unmake every limit
      throw new HarnessError('E_PROTOCOL_VALUE', {
        message: `A request is for a reply of ${outputTokens} tokens: a number from 0 up was expected.`,
      })
    const reservation = { inputTokens, outputTokens: most, usd, ...(price === undefined ? {} : { price }) }
    this.#hold(reservation, 1)
    return reservation
  }

  /**
   * Gives a reservation back and charges what was used. What is unknown is charged as reserved, which is told, and reported
   * as unknown.
   */
  settle(reservation: Reservation, usage: Usage): { usd: number | null; charged?: Pick<Charged, 'tokens' | 'usd'> } {
    this.#hold(reservation, -1)
    const usd = costOf(usage, reservation.price)
    const isKnown = usage.inputTokens !== null && usage.outputTokens !== null && (usd !== null || reservation.usd === 0)
    const charged = {
      tokens: (usage.inputTokens ?? reservation.inputTokens) + (usage.outputTokens ?? reservation.outputTokens),
      usd: usd ?? reservation.usd,
    }
    this.#charge(chargeOf({ usage, usd }, charged))
    return isKnown ? { usd } : { usd, charged }
  }

  /** Gives a reservation back for a request that was not answered. */
  release(reservation: Reservation): void {
    this.#hold(reservation, -1)
  }

  /** Counts calls of tools. */
  countToolCalls(calls: number): void {
    this.#toolCalls += calls
    this.#parent?.countToolCalls(calls)
  }

  /** What has been used. Steps are counted by the run. */
  spent(steps: number): Spent {
    return spentOf(this.#charged, steps, this.#toolCalls)
  }

  #hold(reservation: Reservation, sign: 1 | -1): void {
    this.#reservedTokens += sign * (reservation.inputTokens + reservation.outputTokens)
    this.#reservedUsd += sign * reservation.usd
    if (this.#parent !== undefined) this.#parent.#hold(reservation, sign)
  }

  #charge(charged: Charged): void {
    this.#charged = addCharged(this.#charged, charged)
    if (this.#parent !== undefined) this.#parent.#charge(charged)
  }
}

/** The error of a limit that is reached; `details.limit` names it. */
export function limitReached(limit: string, left: number, wanted: number): HarnessError {
  return new HarnessError('E_RUN_LIMIT', {
    message: `The limit "${limit}" is reached: ${round(left)} left, at least ${round(wanted)} wanted.`,
    details: { limit, left, wanted },
  })
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6
}

/** Cost in USD, cached tokens at their own price; null where price or usage is unknown. */
function costOf(usage: Usage, price: Price | undefined): number | null {
  if (price === undefined || usage.inputTokens === null || usage.outputTokens === null) return null
  // Some endpoints count what was cached beside the input: a cost below nothing would raise the limit.
  const cached = Math.min(usage.cachedTokens ?? 0, usage.inputTokens)
  return (
    ((usage.inputTokens - cached) * price.input +
      cached * (price.cached ?? price.input) +
      usage.outputTokens * price.output) /
    1e6
  )
}
