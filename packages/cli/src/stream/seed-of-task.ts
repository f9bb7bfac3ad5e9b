import { mixSeed } from '@harnesswright/core'
import type { CliTask } from './tasks.js'

/** The random seed of the run of a task: that of its world, else one that its id and the seed of the command line decide. */
export function seedOfTask(rng: number): (task: CliTask) => number {
  return (task) => ('world' in task ? task.rng : mixSeed(rng, task.id))
}
