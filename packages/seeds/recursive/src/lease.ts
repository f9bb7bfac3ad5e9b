/** Steps that a run keeps for itself: the one that delegates, and one for the answer. */
const OWN_STEPS = 2

/** How many sub-agents can be started, and with how many steps each. */
export interface StepLease {
  readonly runs: number
  /** Steps of each of them, with all below it. */
  readonly steps: number
}

/**
 * Shares what is left of the steps of a tree: equally among the sub-agents, with one share kept for what comes after them.
 * Where a share would be less than `least`, fewer are started. What is lent out never sums to more than what is left.
 */
export function leaseSteps(left: number, wanted: number, least: number): StepLease {
  const open = Math.max(0, left - OWN_STEPS)
  const runs = Math.min(wanted, Math.floor(open / least))
  return { runs, steps: runs === 0 ? 0 : Math.max(least, Math.floor(open / (runs + 1))) }
}
