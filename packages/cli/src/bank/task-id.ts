import { createHash } from 'node:crypto'
import type { Task } from '@harnesswright/core'
import { benchedWorlds } from '../bench/bench-worlds.js'
import { worldTask } from '../stream/tasks.js'
import type { GivenTask } from '../task/read-task.js'

/**
 * What a bank knows a task by: the same for the same task, in whichever command it is met. A task of a world is its name, size and
 * random seed; another one its own id, and without that what it says.
 */
export function bankTaskId({ task, spec }: GivenTask, rng: number): string {
  if (spec !== undefined) return worldTask(benchedWorlds(spec)[0] ?? spec, rng).id
  return task.id ?? contentId(task)
}

/** The id of a task that brings none: what it says and what it comes with, so that the same task has the same one everywhere. */
export function contentId({ instruction, inputs, files }: Task): string {
  const hash = createHash('sha256').update(JSON.stringify([instruction, inputs ?? null, files ?? null]))
  return `task-${hash.digest('hex').slice(0, 16)}`
}
