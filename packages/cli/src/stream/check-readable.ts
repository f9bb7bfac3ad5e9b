import { checkSimTask } from '@harnesswright/plugin-model-sim'
import { cliError } from '../errors/cli-error.js'
import type { FileCliTask } from './tasks.js'

/**
 * A task that a simulated model cannot read says nothing of a harness: it is no reward of 0.
 *
 * @throws HarnessError `E_CLI_TASK` when it is the task of no world.
 */
export function checkReadable({ id, task: { instruction, messages = [] } }: FileCliTask): void {
  try {
    checkSimTask([...messages, { role: 'user', content: [{ type: 'text', text: instruction }] }])
  } catch (cause) {
    throw cliError('E_CLI_TASK', {
      message: 'A simulated model knows only the tasks of worlds, and this is none.',
      where: `task ${JSON.stringify(id)}`,
      expected: 'such as {"world":"quotes","rng":3}, or a model that reads any task',
      fix: 'Take --worlds <list>, or a real model (see "harnesswright models").',
      cause,
    })
  }
}
