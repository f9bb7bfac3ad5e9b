/** What the model works towards, and the steps that it took: the unit in which a history is remembered. */
export interface Subgoal {
  /** From 1, in order. */
  readonly number: number
  /** In the model's words; empty before it has named one. */
  readonly goal: string
  readonly first: number
}

/** A sub-goal that is over. */
export interface ClosedSubgoal extends Subgoal {
  readonly last: number
  /** What came of it; empty while its steps stand in view as they are. */
  readonly summary: string
}

/** All sub-goals of a run. */
export interface Subgoals {
  closed: ClosedSubgoal[]
  current: Subgoal
}

/** Before the first step: a sub-goal without a name. */
export function noSubgoals(): Subgoals {
  return { closed: [], current: { number: 1, goal: '', first: 1 } }
}

/** Begins a sub-goal with this step. The one before is over, unless it has no step yet: then it only gets other words. */
export function begin({ closed, current }: Subgoals, goal: string, step: number): Subgoals {
  if (step <= current.first) return { closed, current: { ...current, goal } }
  return {
    closed: [...closed, { ...current, last: step - 1, summary: '' }],
    current: { number: current.number + 1, goal, first: step },
  }
}

/** Closes the current sub-goal up to a step and goes on with it from the next. */
export function splitAt({ closed, current }: Subgoals, last: number, summary: string): Subgoals {
  return {
    closed: [...closed, { ...current, last, summary }],
    current: { ...current, number: current.number + 1, first: last + 1 },
  }
}

/** Takes down what came of a sub-goal. */
export function conclude({ closed, current }: Subgoals, number: number, summary: string): Subgoals {
  return { closed: closed.map((one) => (one.number === number ? { ...one, summary } : one)), current }
}

/** `step 4` or `steps 4 to 7`. */
export function nameSteps({ first, last }: Pick<ClosedSubgoal, 'first' | 'last'>): string {
  return first === last ? `step ${first}` : `steps ${first} to ${last}`
}
