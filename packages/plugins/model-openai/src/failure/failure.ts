/** Codes of core for what can become of a model call. */
export type FailureCode =
  | 'E_MODEL_AUTH'
  | 'E_MODEL_BAD_REQUEST'
  | 'E_MODEL_CONTENT_FILTER'
  | 'E_MODEL_RATE_LIMIT'
  | 'E_MODEL_OVERLOADED'
  | 'E_MODEL_TRANSPORT'
  | 'E_MODEL_TIMEOUT'
  | 'E_MODEL_CONTEXT_OVERFLOW'

/** What is known of a failed attempt. */
export interface FailureFacts {
  readonly message: string
  /** How to mend it, where it is not what the table of core says. */
  readonly hint?: string
  /** Status of HTTP. */
  readonly status?: number
  /** The endpoint's own code or type. */
  readonly endpointCode?: string
  readonly requestId?: string
  /** How long the endpoint asks to wait, in ms. */
  readonly retryAfterMs?: number
  /** Nothing listens at the address, or there is no such address. */
  readonly isRefused?: boolean
  /** Another attempt cannot succeed, whatever the class says. */
  readonly isFinal?: boolean
}

/** One attempt that failed, with its class. Never leaves this package: callers get a HarnessError. */
export class Failure extends Error {
  readonly code: FailureCode
  readonly facts: FailureFacts

  constructor(code: FailureCode, facts: FailureFacts) {
    super(facts.message)
    this.name = 'Failure'
    this.code = code
    this.facts = facts
  }
}
