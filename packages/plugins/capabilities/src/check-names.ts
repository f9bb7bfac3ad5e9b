import { HarnessError, nearestNames } from '@harnesswright/core'

/** What names may stand for, with the code when there is nothing of that name. */
const CODES = { tool: 'E_CAPABILITY_TOOL', skill: 'E_CAPABILITY_SKILL' } as const

/** Names in an option, and what there is. */
export interface NamesToCheck {
  readonly of: keyof typeof CODES
  /** The option, as the manifest writes it. */
  readonly option: string
  readonly names: readonly string[]
  readonly there: readonly { readonly name: string }[]
}

/**
 * Checks that the environment has everything that an option names.
 *
 * @throws HarnessError `E_CAPABILITY_TOOL` or `E_CAPABILITY_SKILL` that names the first that is missing, with the nearest that
 * are there.
 */
export function checkNames({ of, option, names, there }: NamesToCheck): void {
  const known = new Set(there.map(({ name }) => name))
  const missing = names.find((name) => !known.has(name))
  if (missing === undefined) return
  const nearest = nearestNames(missing, known)
  const found = nearest.length === 0 ? `it has no ${of}s` : `nearest: ${nearest.join(', ')}`
  throw new HarnessError(CODES[of], {
    message: `The option "${option}" names the ${of} "${missing}", which the environment does not have; ${found}.`,
    hint: `Name a ${of} of the environment, or take the name out of the option.`,
    details: { option, missing },
  })
}
