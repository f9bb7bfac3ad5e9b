import { createHash } from 'node:crypto'
import { benchedWorlds } from '../bench/bench-worlds.js'
import { worldTask } from '../stream/tasks.js'
import type { GivenTask } from '../task/read-task.js'

/**
 * What a bank knows a task by: the same for the same task, in whichever command it is met. A task of a world is its name, size and
 * random seed; another one its own id, and without that what it says.
 */
export function bankTaskId({ task, spec }: GivenTask, rng: number): string {
  if (spec !== undefined) return worldTask(benchedWorlds(spec)[0] ?? spec, rng).id
  if (task.id !== undefined) return task.id
  const hash = createHash('sha256').update(JSON.stringify([task.instruction, task.inputs ?? null]))
  return `task-${hash.digest('hex').slice(0, 16)}`
}
