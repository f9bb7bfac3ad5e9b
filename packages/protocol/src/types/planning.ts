/** How far a goal or a path has come. */
export type GoalStatus = 'open' | 'active' | 'done' | 'failed'

/** One of several ways to reach a goal. */
export interface GoalPath {
  readonly text: string
  readonly status: GoalStatus
}

/** One goal of a plan. */
export interface Goal {
  readonly id: string
  /** The goal in words that stand alone. */
  readonly text: string
  readonly status: GoalStatus
  /** Ids of the goals that come before this one. */
  readonly dependsOn?: readonly string[]
  readonly paths?: readonly GoalPath[]
}

/** A typed plan: goals, their states and what each waits for. */
export interface Plan {
  readonly goals: readonly Goal[]
}

/**
 * d_t, the directive: what to do now.
 *
 * The action module puts `text` at the very end of its request; it is not recorded. What is to stay in view is a note.
 *
 * @see arXiv 2608.25593, d_t = P(v_t)
 */
export interface Directive {
  /** Empty: nothing to say. */
  readonly text: string
  readonly plan?: Plan
  /** Planning says that the task is finished: the kernel asks `finish` now. */
  readonly done?: boolean
  /** Planning used up this step (a review that counts as one): no action is asked for. */
  readonly consumesStep?: boolean
}
