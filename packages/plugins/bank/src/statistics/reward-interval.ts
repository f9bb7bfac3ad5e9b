import { type BootstrapOptions, bootstrapMean, LEAST_BOOTSTRAP_UNITS } from './bootstrap.js'
import { type Interval, intervalOf, type NoInformation } from './estimate.js'
import { mean } from './moments.js'
import { meanByT } from './paired.js'
import { wilson } from './wilson.js'

/**
 * The interval of a mean reward over tasks: Wilson's where each task was run once with a result of 0 or 1, otherwise the
 * bootstrap over tasks, and Student's t over the means of tasks where they are too few for it.
 *
 * @param tasks - The rewards of each task, from 0 to 1. Tasks without one are left out.
 */
export function rewardInterval(
  tasks: readonly (readonly number[])[],
  options: BootstrapOptions,
): Interval | NoInformation {
  const measured = tasks.filter(({ length }) => length > 0)
  if (measured.every(isOneOutcome))
    return wilson(measured.filter(([reward]) => reward === 1).length, measured.length, options.confidence)
  if (measured.length >= LEAST_BOOTSTRAP_UNITS) return bootstrapMean(measured, options)
  return intervalOf(meanByT(measured.map(mean)), options.confidence)
}

function isOneOutcome(rewards: readonly number[]): boolean {
  return rewards.length === 1 && (rewards[0] === 0 || rewards[0] === 1)
}
