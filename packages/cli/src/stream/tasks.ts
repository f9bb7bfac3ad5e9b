import type { Json, Task } from '@harnesswright/core'
import type { LabTask } from '@harnesswright/plugin-meta-agent'

/** How the answer of a task is checked. */
export interface AnswerCheck {
  readonly kind: 'exact' | 'numeric' | 'regex' | 'json'
  readonly expected: Json
}

/** A task of a stream or an evolution: one of a world, or one of a file. */
export type CliTask = WorldCliTask | FileCliTask

/** A task that a world generates. */
export interface WorldCliTask extends LabTask {
  /** `<name>:<size>` */
  readonly world: string
  readonly rng: number
}

/** A task as a file tells it. */
export interface FileCliTask extends LabTask {
  readonly task: Task
  readonly check: AnswerCheck
}

/** The task of a world and a random seed. Tasks of one seed are one unit: what they are made of is drawn with it. */
export function worldTask(world: string, rng: number): WorldCliTask {
  return { id: `${world}#${rng}`, unit: `rng ${rng}`, world, rng }
}

/** The tasks of these worlds with the random seeds from the first on, so many. */
export function worldTasks(worlds: readonly string[], first: number, count: number): readonly WorldCliTask[] {
  return Array.from({ length: count }, (_, index) => worlds.map((world) => worldTask(world, first + index))).flat()
}
