import { copyJson, faultOf, HarnessError, mapTexts, messageOf, type Task, wellFormed } from '@harnesswright/protocol'

/**
 * A copy of the task, clean.
 *
 * @throws HarnessError `E_RUN_TASK` when it has no instruction, is not JSON, or has messages that are no valid history.
 */
export function checkTask(task: Task): Task {
  const refuse = (message: string, cause?: unknown): never => {
    throw new HarnessError('E_RUN_TASK', { message, cause })
  }
  if (typeof task?.instruction !== 'string' || task.instruction.trim() === '') {
    return refuse('The task has no instruction: a text that is not empty was expected.')
  }
  const { messages = [] } = task
  const isList = Array.isArray(messages) && messages.every((message) => typeof message?.role === 'string')
  const fault = isList ? faultOf(messages) : 'they are no list of messages'
  if (fault !== undefined) return refuse(`The messages of the task are no valid history: ${fault}.`)
  try {
    return mapTexts(copyJson(task), wellFormed) as unknown as Task // a copy of a task is one
  } catch (cause) {
    return refuse(`The task is not JSON: ${messageOf(cause)}.`, cause)
  }
}
