import type { ArtifactStore, Message, Task } from '../types/index.js'
import { renderTask } from './render.js'

/** The head without a system message: earlier turns, which keep what was said and not where, and the task. */
export function openingMessages(task: Task, artifacts: Pick<ArtifactStore, 'get'>): readonly Message[] {
  const turns = (task.messages ?? []).filter((message) => message.role !== 'system')
  const said: Message[] = turns.map(({ step: _step, covers: _covers, ...message }) => message)
  const all: Message[] = [...said, { role: 'user', content: renderTask(task, artifacts) }]
  return all.map((message, index) => ({ ...message, id: `head.${index + 1}` }))
}
