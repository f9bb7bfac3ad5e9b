import type { Dice } from './dice.js'
import { MECHANICS, type SimParameters } from './profiles.js'
import type { Known } from './reader.js'
import type { SeenClaim, Sight } from './sight.js'

/** What bears on recall. */
interface Distance {
  /** Tokens to the end of the request. */
  readonly tokens: number
  /** Share of the window that is full. */
  readonly fill: number
  readonly isProgress?: boolean
}

/** Probability that something at that distance is recalled. */
export function recallRate({ tokens, fill, isProgress = false }: Distance, profile: SimParameters): number {
  const { r0, far, distTokens } = profile
  const rate = r0 * (1 - far * (1 - Math.exp(-((tokens / distTokens) ** 2)))) * (1 - profile.fill * fill ** 3)
  return isProgress ? 1 - MECHANICS.progressLoss * (1 - rate) : rate
}

/**
 * What the model has in mind of the claims in view. What is not recalled is missing, or has a plausible wrong value.
 *
 * The draw is fixed for the run and the claim: what is hard to hold stays hard until it stands nearer to the end.
 */
export function recallClaims(sight: Sight, profile: SimParameters, dice: Dice): Known {
  const known = new Map<string, string>()
  for (const claim of sight.claims) {
    const value = recallValue(claim, sight, { profile, dice })
    if (value !== undefined) known.set(claim.key, value)
  }
  return known
}

interface Mind {
  readonly profile: SimParameters
  readonly dice: Dice
}

function recallValue(claim: SeenClaim, { fill, reader }: Sight, { profile, dice }: Mind): string | undefined {
  const { key, value, distance, isProgress } = claim
  const rate = recallRate({ tokens: distance, fill, isProgress: isProgress === true }, profile)
  if (dice.latent('recall', key) < rate) return value
  if (dice.latent('confabulate', key) >= profile.confab) return undefined
  return reader.distort(claim, dice.latent('wrong value', key))
}
