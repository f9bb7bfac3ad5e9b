import type { Comparison } from './comparison.js'
import type { Gain, RaceNumbers, RaceVerdict } from './decide-race.js'

/** The reason of a verdict in words, with the numbers that it rests on. */
export function reasonOfRace(verdict: RaceVerdict, numbers: RaceNumbers): string {
  const { pairs, n, masked } = numbers
  const left = masked === 0 ? '' : ` (${masked} left out, for a run of them failed for no fault of a harness)`
  const on = `on ${pairs} pairs${left}`
  if (verdict === 'incomplete') return `${pairs} of ${n} pairs are measured${left}: it is decided once, with all ${n}`
  if (pairs < n) return `${rewardsText(numbers)} ${on}: no result of the ${n - pairs} to come could make up for it`
  if (verdict === 'reject') return `${rewardsText(numbers)} ${on}: ${faultOf(numbers)}`
  const ending = verdict === 'nominate' ? '; a judge scored some of it, which nominates and never promotes' : ''
  return `${rewardsText(numbers)} ${on}: ${standing(numbers)}, and ${gainsText(numbers)}${ending}`
}

function rewardsText({ rewards }: RaceNumbers): string {
  if (rewards === null) return 'nothing measured'
  const { challenger, champion, anchor } = rewards
  return `reward ${text(challenger)} against ${text(champion)} of the champion and ${text(anchor)} of the anchor`
}

/** That the bounds of reward hold. */
function standing({ reward, rewardToAnchor, margin }: RaceNumbers): string {
  return `the lower bounds of the differences, ${text(reward.lower)} and ${text(rewardToAnchor.lower)}, are not below ${text(-margin)}`
}

function gainsText({ gains, reward, usd, ms }: RaceNumbers): string {
  const texts: Readonly<Record<Gain, string>> = {
    reward: `better (at least by ${text(reward.lower)})`,
    usd: `cheaper (${timesText(usd)})`,
    ms: `faster (${timesText(ms)})`,
  }
  return `it is ${gains.map((gain) => texts[gain]).join(' and ')}`
}

function timesText({ mean, upper }: Comparison): string {
  return `times ${Math.exp(mean ?? 0).toFixed(2)}, at most ${Math.exp(upper ?? 0).toFixed(2)}`
}

/** The first condition that does not hold. */
function faultOf({ reward, rewardToAnchor, margin, gains, level, p }: RaceNumbers): string {
  const confidence = Number((100 * (1 - level)).toFixed(1))
  for (const [other, { mean, lower, note }] of [
    ['champion', reward],
    ['anchor', rewardToAnchor],
  ] as const) {
    if (mean !== null && mean < 0) return `worse than the ${other} by ${text(-mean)} in the mean`
    if (lower === null) return `nothing is known of the difference to the ${other}: ${note}`
    if (lower < -margin)
      return `the lower bound of the difference to the ${other}, ${text(lower)}, is below ${text(-margin)} (${confidence} %)`
  }
  if (gains.length === 0) return `neither better nor cheaper nor faster beyond its bound (${confidence} %)`
  return p <= level ? 'another of its batch did better' : `the bounds do not hold at ${confidence} %`
}

function text(value: number | null): string {
  return value === null ? 'unknown' : value.toFixed(3)
}
