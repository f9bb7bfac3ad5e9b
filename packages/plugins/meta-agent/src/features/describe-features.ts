import { formatCount, formatShare } from '../rules/format.js'
import type { TaskFeatures } from './task-features.js'

/** The features of a task in a line. */
export function describeFeatures(features: TaskFeatures): string {
  const { files, sources, goals, dependencyDepth, deliverable, expectedObservationTokens, windowShare } = features
  const share = windowShare === null ? 'window unknown' : `${formatShare(windowShare)} of the window`
  return [
    formatCount(files, 'file'),
    formatCount(sources, 'source'),
    `about ${formatCount(expectedObservationTokens, 'token')} to observe (${share})`,
    formatCount(goals, 'goal'),
    `chain of ${dependencyDepth}`,
    deliverable ? 'a file to write' : 'nothing to write',
    `at least ${formatCount(features.leastSteps, 'step')} and ${formatCount(features.leastTokens, 'token')}`,
  ].join(', ')
}
