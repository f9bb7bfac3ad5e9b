import { isHarnessError } from '@harnesswright/core'

/** What a refusal says, in the fields of the provider's error object. */
export interface RefusalInfo {
  readonly status: number
  readonly message: string
  readonly code: string
  /** The field of the request that is wrong, as `messages[0].role`. */
  readonly param?: string
  /** Simulated time of the refusal in ms. */
  readonly latencyMs?: number
}

/** A request that is answered with an error. Its message is sent; its stack never is. */
export class Refusal extends Error {
  readonly info: RefusalInfo

  constructor(info: RefusalInfo) {
    super(info.message)
    this.info = info
  }
}

/** A request that is not what the interface takes. */
export function badRequest(message: string, param?: string): Refusal {
  return new Refusal({ status: 400, code: 'invalid_value', message, ...(param === undefined ? {} : { param }) })
}

/** The refusal behind whatever was thrown. What is not known is told without a word of its own. */
export function toRefusal(thrown: unknown): RefusalInfo {
  if (thrown instanceof Refusal) return thrown.info
  if (!isHarnessError(thrown)) return { status: 500, code: 'internal_error', message: 'The simulated model failed.' }
  const { code, message, hint, details } = thrown
  if (code !== 'E_MODEL_CONTEXT_OVERFLOW') return { status: 400, code, message: `${message} ${hint}` }
  const { latencyMs } = details
  return {
    status: 400,
    code: 'context_length_exceeded',
    message,
    param: 'messages',
    ...(typeof latencyMs === 'number' ? { latencyMs } : {}),
  }
}

/** The body of a refusal. */
export function refusalBody({ status, message, code, param, latencyMs }: RefusalInfo): object {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error'
  return {
    error: { message, type, param: param ?? null, code },
    ...(latencyMs === undefined ? {} : { harnesswright: { simulated: true, latency_ms: latencyMs } }),
  }
}
