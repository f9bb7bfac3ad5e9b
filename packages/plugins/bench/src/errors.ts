import { HarnessError } from '@harnesswright/core'

/** What a person needs to know to mend it. */
export interface BenchErrorSpec {
  readonly message: string
  readonly where: string
  readonly expected: string
  readonly fix: string
  readonly cause?: unknown
}

/** An error of a bench, with the place and what was expected there. */
export function benchError(
  code: 'E_BENCH_DIRECTORY' | 'E_BENCH_RESULTS' | 'E_BENCH_OPTION',
  { message, where, expected, fix, cause }: BenchErrorSpec,
): HarnessError {
  return new HarnessError(code, {
    message,
    hint: fix,
    details: { where, expected },
    ...(cause === undefined ? {} : { cause }),
  })
}
