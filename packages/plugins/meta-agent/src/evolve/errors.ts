import { HarnessError } from '@harnesswright/core'

/** What a person needs to know to mend it. */
interface EvolveErrorSpec {
  readonly message: string
  readonly where: string
  readonly expected: string
  readonly fix: string
}

/** An error of what is asked of an evolution or of a stream. */
export function evolveError(
  code: 'E_EVOLVE_SPLIT' | 'E_EVOLVE_PROMPTS',
  { message, where, expected, fix }: EvolveErrorSpec,
): HarnessError {
  return new HarnessError(code, { message, hint: fix, details: { where, expected } })
}
