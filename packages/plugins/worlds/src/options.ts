import { HarnessError } from '@harnesswright/core'
import { DISTRACTORS } from './constants.js'
import type { WorldOptions, WorldSize } from './world.js'

const SIZES: readonly WorldSize[] = ['small', 'large']

/** The options with their defaults, checked. */
export function readOptions(options: WorldOptions): Required<WorldOptions> {
  const { size = 'small', rng = 1, distractors = DISTRACTORS.usual } = options
  if (!SIZES.includes(size)) throw wrongOption(`size is ${JSON.stringify(size)}`, `one of: ${SIZES.join(', ')}`)
  if (!Number.isSafeInteger(rng)) throw wrongOption(`rng is ${rng}`, 'an integer')
  if (!Number.isInteger(distractors) || distractors < 0 || distractors > DISTRACTORS.most) {
    throw wrongOption(`distractors is ${distractors}`, `an integer from 0 to ${DISTRACTORS.most}`)
  }
  return { size, rng, distractors }
}

function wrongOption(found: string, expected: string): HarnessError {
  return new HarnessError('E_WORLDS_OPTION', {
    message: `A world was asked for a task it cannot make: ${found}.`,
    hint: `Give ${expected}.`,
  })
}
