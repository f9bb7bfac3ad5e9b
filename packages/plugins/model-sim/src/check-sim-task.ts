import type { Message } from '@harnesswright/core'
import { readers } from './readers/index.js'
import { findTask } from './sight.js'
import { createTextReader } from './text-reading.js'

/**
 * Checks before a run that these messages hold a task that simulated models read: one of a world, by its text. It takes what they
 * take, and costs nothing.
 *
 * @throws HarnessError `E_SIM_NO_TASK` when no reader finds a task.
 */
export function checkSimTask(messages: readonly Message[]): void {
  findTask(messages, createTextReader(readers))
}
