/** By this every copy of every package of ours knows an error of ours. */
const BRAND = Symbol.for('harnesswright.HarnessError/1')

/** Codes of what can go wrong. */
export type CreateCode = 'E_CREATE_USAGE' | 'E_CREATE_NAME' | 'E_CREATE_EXISTS' | 'E_CREATE_WRITE'

/** What a person needs to know to mend it. */
export interface CreateErrorSpec {
  /** What happened, with what was found. */
  readonly message: string
  readonly where: string
  readonly expected: string
  readonly fix: string
  readonly cause?: unknown
}

/** An error of this package. It has what errors of core have, and needs no core. */
export class CreateError extends Error {
  readonly code: CreateCode
  /** How to mend it. */
  readonly hint: string
  readonly details: { readonly where: string; readonly expected: string }
  /** Where the docs speak of it. */
  readonly docs: string

  constructor(code: CreateCode, { message, where, expected, fix, cause }: CreateErrorSpec) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'CreateError'
    this.code = code
    this.hint = fix
    this.details = { where, expected }
    this.docs = `docs/guide/errors-create.md#${code.toLowerCase()}`
    Object.defineProperty(this, BRAND, { value: true })
  }
}
