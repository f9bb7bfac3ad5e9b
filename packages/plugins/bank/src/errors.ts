import { HarnessError } from '@harnesswright/core'

/** Codes of the bank. */
export type BankCode =
  | 'E_BANK_ENTRY'
  | 'E_BANK_FULL'
  | 'E_BANK_IMPORT'
  | 'E_BANK_INDEX'
  | 'E_BANK_NEWER'
  | 'E_BANK_OPEN'
  | 'E_BANK_UNKNOWN'
  | 'E_BANK_WRITE'

/** What a person needs to know to mend it. */
export interface BankErrorSpec {
  readonly message: string
  readonly where: string
  readonly expected: string
  readonly fix: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** An error of a bank, with the place and what was expected there. */
export function bankError(
  code: BankCode,
  { message, where, expected, fix, details, cause }: BankErrorSpec,
): HarnessError {
  return new HarnessError(code, {
    message,
    hint: fix,
    details: { where, expected, ...details },
    ...(cause === undefined ? {} : { cause }),
  })
}

/** An entry of several that is none. */
export function badEntry(position: number, fault: string): Error {
  return bankError('E_BANK_ENTRY', {
    message: `Entry ${position + 1} cannot be remembered: ${fault}. Nothing was written.`,
    where: `entry ${position + 1}`,
    expected: 'an entry with every field of its kind',
    fix: 'Mend the entry, and append all of them again.',
  })
}
