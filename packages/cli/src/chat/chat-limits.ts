import type { Snapshot } from '@harnesswright/core'
import { type HostLimits, LIMIT_NAMES } from '../args/parse-limits.js'

/** What a turn used of the limits. */
export type Used = Required<HostLimits>

/** The limits over all turns of one command: what a turn used is off those of the turns after it. */
export class ChatLimits {
  #left: HostLimits

  constructor(limits: HostLimits) {
    this.#left = limits
  }

  /** What is left, of the limits that there are. */
  get left(): HostLimits {
    return this.#left
  }

  take(used: Used): void {
    const left = LIMIT_NAMES.flatMap((name) => {
      const before = this.#left[name]
      return before === undefined ? [] : [[name, Math.max(0, before - used[name])] as const]
    })
    this.#left = Object.fromEntries(left)
  }

  /** A limit of which nothing is left. */
  get usedUp(): keyof HostLimits | undefined {
    return LIMIT_NAMES.find((name) => this.#left[name] === 0)
  }
}

/** What was charged to a tree of runs: what an endpoint did not count, as it was set aside. */
export function chargedTo({ runs }: Snapshot): Pick<Used, 'tokens' | 'usd'> {
  const charged = Object.values(runs).map((run) => run.charged)
  return {
    tokens: charged.reduce((sum, { tokens }) => sum + tokens, 0),
    usd: charged.reduce((sum, { usd }) => sum + usd, 0),
  }
}
