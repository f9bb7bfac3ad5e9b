import { mean } from '../statistics/moments.js'
import type { RaceRun } from './race.js'
import { LEAST_SCREEN_PAIRS, RULE_VERSION } from './settings.js'

/** What is known of a challenger before it races. */
export interface ScreenInput {
  /** Whether its manifest was found valid. */
  readonly isValid: boolean
  /** Whether it was seen to run to an end. */
  readonly runs: boolean
  /** Tasks that it and the champion have both run. */
  readonly pairs: readonly { readonly challenger: RaceRun; readonly champion: RaceRun }[]
}

/** Whether a challenger may race, and why. */
export interface ScreenVerdict {
  readonly passes: boolean
  readonly reason: string
}

/** Lets a challenger race that is valid, runs, and is not dominated by the champion on at least three paired tasks. */
export function screenChallenger({ isValid, runs, pairs }: ScreenInput): ScreenVerdict {
  const counted = pairs.filter(({ challenger, champion }) => challenger.reward !== null && champion.reward !== null)
  const fault = faultOf({ isValid, runs, pairs: counted })
  return fault === undefined
    ? { passes: true, reason: `valid, runs, and not dominated on ${counted.length} paired tasks` }
    : { passes: false, reason: fault }
}

/** Why a challenger does not race, as it is stored. */
export interface ScreenDecision {
  readonly rule: 'screen'
  readonly ruleVersion: number
  readonly verdict: 'reject'
  readonly reason: string
  readonly numbers: { readonly pairs: number }
}

/** The decision that a challenger does not race; undefined where it may. */
export function screenOut(input: ScreenInput): ScreenDecision | undefined {
  const { passes, reason } = screenChallenger(input)
  if (passes) return undefined
  return {
    rule: 'screen',
    ruleVersion: RULE_VERSION,
    verdict: 'reject',
    reason,
    numbers: { pairs: input.pairs.length },
  }
}

function faultOf({ isValid, runs, pairs }: ScreenInput): string | undefined {
  if (!isValid) return 'its manifest is not valid'
  if (!runs) return 'it did not run to an end'
  if (pairs.length < LEAST_SCREEN_PAIRS)
    return `${pairs.length} paired tasks, and ${LEAST_SCREEN_PAIRS} are needed before a race`
  return isDominated(pairs)
    ? `dominated by the champion on ${pairs.length} paired tasks: worse, and not cheaper or faster`
    : undefined
}

/** Worse in reward, and neither cheaper nor faster as far as it is known. */
function isDominated(pairs: ScreenInput['pairs']): boolean {
  const difference = (what: 'reward' | 'usd' | 'ms'): number => {
    const known = pairs.filter(({ challenger, champion }) => challenger[what] !== null && champion[what] !== null)
    return known.length === 0
      ? 0
      : mean(known.map(({ challenger, champion }) => Number(challenger[what]) - Number(champion[what])))
  }
  return difference('reward') < 0 && difference('usd') >= 0 && difference('ms') >= 0
}
