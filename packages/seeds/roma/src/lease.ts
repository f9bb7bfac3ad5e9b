/** How many subtasks a limit of steps has room for: each has at least `least`, and each may need a step here; one is for the answer. */
export function mostSubtasks({ steps, most, least }: { steps: number; most: number; least: number }): number {
  return Math.min(most, Math.floor((steps - 1) / (least + 1)))
}

/** What is known when a layer is started. */
export interface LayerBudget {
  /** Steps that the tree may still take, that of this layer included. */
  readonly left: number
  /** Layers that are still to come, this one included: each takes a step here, and the answer takes one. */
  readonly layers: number
  /** Subtasks that are still to come, those of this layer included. */
  readonly open: number
  /** Subtasks of this layer. */
  readonly width: number
  /** The whole limit of steps and all subtasks, where each subtask has its share of that, as published. */
  readonly whole?: number
  readonly parts?: number
}

/** Fewest steps of a subtask in the published scaffold. */
const PUBLISHED_LEAST = 5

/**
 * Steps of each subtask of a layer, with all below it: an equal share of what is left. What a layer does not use goes to those
 * after it. The shares and the steps taken here never sum to more than what is left; 0 when nothing is.
 */
export function stepsOfSubtask({ left, layers, open, width, whole, parts }: LayerBudget): number {
  const free = Math.max(0, left - layers - 1)
  if (whole === undefined || parts === undefined) return Math.floor(free / open)
  return Math.min(Math.max(Math.floor(whole / parts), PUBLISHED_LEAST), Math.floor(free / width))
}
