import { HarnessError, nearestNames, type Tool } from '@harnesswright/core'

/** Where the names of tools are written, and what there is. */
export interface NamedTools {
  /** The option, as the manifest writes it. */
  readonly option: string
  readonly names: readonly string[]
  readonly tools: readonly Tool[]
}

/**
 * Checks that the environment has every tool that an option names.
 *
 * @throws HarnessError `E_CAPABILITY_TOOL` that names the first one that is missing, with the nearest that are there.
 */
export function checkToolNames({ option, names, tools }: NamedTools): void {
  const known = new Set(tools.map(({ name }) => name))
  const missing = names.find((name) => !known.has(name))
  if (missing === undefined) return
  const nearest = nearestNames(missing, known)
  const found = nearest.length === 0 ? 'it has no tools' : `nearest: ${nearest.join(', ')}`
  throw new HarnessError('E_CAPABILITY_TOOL', {
    message: `The option "${option}" names the tool "${missing}", which the environment does not have; ${found}.`,
    hint: 'Name a tool of the environment, or take the name out of the option.',
    details: { option, missing },
  })
}
