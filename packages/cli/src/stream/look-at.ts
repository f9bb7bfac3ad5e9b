import type { TaskFeatures } from '@harnesswright/plugin-meta-agent'
import { hideSecrets } from '../run/secrets.js'
import type { OpenedLab } from './set-up.js'
import type { CliTask } from './tasks.js'

/** What of a task the bank keeps. */
export interface BankedTask {
  readonly task: CliTask
  /** Its instruction. */
  readonly text: string
  readonly features: TaskFeatures
}

/** Looks at a task before it runs. Its text is without the secrets of the host. */
export async function lookAt(
  task: CliTask,
  { lab, open, secrets }: Pick<OpenedLab, 'lab' | 'open' | 'secrets'>,
): Promise<BankedTask> {
  const scene = open(task)
  try {
    return { task, text: hideSecrets(scene.task.instruction, secrets), features: await lab.look(task) }
  } finally {
    scene.close()
  }
}
