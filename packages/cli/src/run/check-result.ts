import type { RunResult } from '@harnesswright/core'
import type { CheckReport } from '../output/outcome.js'
import type { GivenTask } from '../task/read-task.js'
import type { TaskWorkspace } from '../task/task-workspace.js'

/** The verdict of the checker of a task. Of a run that is not over there is nothing to judge, nor where there is no checker. */
export async function checkResult(
  result: RunResult,
  { world }: GivenTask,
  { readFile }: Pick<TaskWorkspace, 'readFile'>,
): Promise<CheckReport | undefined> {
  if (world === undefined || isOpen(result)) return undefined
  const { answer } = result
  const { passed, reward, detail } = await world.check(answer === null ? { readFile } : { answer, readFile })
  return { passed, reward, detail }
}

/** A run that goes on when it is resumed. */
export function isOpen({ status }: RunResult): boolean {
  return status === 'aborted' || status === 'waiting'
}
