import { ERRORS, type ErrorCode } from './table.js'

const BRAND = Symbol.for('harnesswright.HarnessError/1')

/** Where an error happened and what caused it. */
export interface HarnessErrorOptions {
  /** What happened, in a sentence. Default: the message of the table. */
  readonly message?: string
  /** How to mend it. Default: the hint of the table. */
  readonly hint?: string
  readonly slot?: string
  /** The module, as the manifest names it. */
  readonly module?: string
  readonly step?: number
  /** Ids, paths and numbers; never prompts, keys or model output. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/**
 * An error with a stable code. Recognise it with {@link isHarnessError}, which works across copies of core.
 *
 * A plugin may use codes of its own (`E_SIM_NOT_A_COMPOSER`); it then gives message and hint itself.
 */
export class HarnessError extends Error {
  /** Stable code, `E_<AREA>_<WHAT>`. */
  readonly code: ErrorCode | (string & {})
  readonly hint: string
  readonly slot?: string
  readonly module?: string
  readonly step?: number
  readonly details: Readonly<Record<string, unknown>>
  /** Where the docs speak of it. */
  readonly docs: string

  constructor(code: ErrorCode | (string & {}), options: HarnessErrorOptions = {}) {
    const [message, hint] = Object.hasOwn(ERRORS, code) ? ERRORS[code as ErrorCode] : [code, '']
    super(options.message ?? message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'HarnessError'
    this.code = code
    this.hint = options.hint ?? hint
    if (options.slot !== undefined) this.slot = options.slot
    if (options.module !== undefined) this.module = options.module
    if (options.step !== undefined) this.step = options.step
    this.details = options.details ?? {}
    this.docs = `docs/guide/errors-${(code.split('_')[1] ?? 'run').toLowerCase()}.md#${code.toLowerCase()}`
    Object.defineProperty(this, BRAND, { value: true })
  }
}

/** True for a {@link HarnessError} of any copy of core in the process. */
export function isHarnessError(value: unknown): value is HarnessError {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[BRAND] === true
}

/** The message of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown)
  } catch {
    return 'a value that has no text'
  }
}
