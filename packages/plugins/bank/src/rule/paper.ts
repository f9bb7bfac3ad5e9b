import { mean } from '../statistics/moments.js'
import type { RaceTask } from './race.js'
import { RULE_VERSION } from './settings.js'

/** What the literal rule of the paper decides. */
export interface PaperDecision {
  readonly rule: 'paper'
  readonly ruleVersion: number
  readonly verdict: 'promote' | 'reject'
  readonly reason: string
  readonly numbers: { readonly pairs: number; readonly reward: number; readonly usd: number; readonly ms: number }
}

/**
 * The literal rule of arXiv 2608.25593, for comparison: keeps a challenger iff its mean reward is at least that of the frontier,
 * here the champion, and reward, time or cost is strictly better. It takes chance for progress: see the guide.
 */
export function decidePaper(tasks: readonly RaceTask[]): PaperDecision {
  const counted = tasks.filter(({ challenger, champion }) => challenger.reward !== null && champion.reward !== null)
  const difference = (what: 'reward' | 'usd' | 'ms'): number => {
    const known = counted.filter(({ challenger, champion }) => challenger[what] !== null && champion[what] !== null)
    return known.length === 0
      ? 0
      : mean(known.map((task) => Number(task.challenger[what]))) -
          mean(known.map((task) => Number(task.champion[what])))
  }
  const [reward, usd, ms] = [difference('reward'), difference('usd'), difference('ms')]
  const isKept = counted.length > 0 && reward >= 0 && (reward > 0 || usd < 0 || ms < 0)
  return {
    rule: 'paper',
    ruleVersion: RULE_VERSION,
    verdict: isKept ? 'promote' : 'reject',
    reason: `reward ${signed(reward)}, cost ${signed(usd)} USD, time ${signed(ms)} ms against the champion on ${counted.length} pairs`,
    numbers: { pairs: counted.length, reward, usd, ms },
  }
}

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${Number(value.toPrecision(3))}`
}
