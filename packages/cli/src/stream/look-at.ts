import type { TaskFeatures } from '@harnesswright/plugin-meta-agent'
import type { OpenedLab } from './set-up.js'
import type { CliTask } from './tasks.js'

/** What of a task the bank keeps. */
export interface BankedTask {
  readonly task: CliTask
  /** Its instruction. */
  readonly text: string
  readonly features: TaskFeatures
}

/** Looks at a task before it runs. */
export async function lookAt(task: CliTask, { lab, open }: Pick<OpenedLab, 'lab' | 'open'>): Promise<BankedTask> {
  const scene = open(task)
  try {
    return { task, text: scene.task.instruction, features: await lab.look(task) }
  } finally {
    scene.close()
  }
}
