import type { Manifest, Use } from '@harnesswright/core'

/** The four slots of a manifest: what a rule decides. */
export type Slots = Pick<Manifest, 'memory' | 'planning' | 'capability' | 'action'>

const REACT = '@harnesswright/seed-react'
const PLAN_AND_EXECUTE = '@harnesswright/seed-plan-and-execute'

/** The packages that a host installs to have something to compose from. */
export const USUAL_PACKAGES: readonly string[] = [REACT, PLAN_AND_EXECUTE]

/** Reason and act; `parallel` allows several calls in one reply. */
export function reactAction(options: { readonly parallel: boolean }): Use {
  return { use: `${REACT}#action`, with: options }
}

/** The whole history until it fills a share of the window; then the oldest observations become placeholders. */
export function guardedMemory(fill: number): Use {
  return { use: `${REACT}#memory`, with: { fill } }
}

/** A roadmap of at most so many goals, reviewed every few steps. */
export function roadmap(maxGoals: number): Use {
  return { use: `${PLAN_AND_EXECUTE}#planning`, with: { maxGoals } }
}

/** The seeds as they are published, without options. */
export const SEEDS = {
  react: {
    memory: { use: `${REACT}#memory` },
    planning: { use: `${REACT}#planning` },
    capability: { use: `${REACT}#capability` },
    action: { use: `${REACT}#action` },
  },
  'plan-and-execute': {
    memory: { use: `${REACT}#memory` },
    planning: { use: `${PLAN_AND_EXECUTE}#planning` },
    capability: { use: `${REACT}#capability` },
    action: { use: `${REACT}#action` },
  },
} as const satisfies Readonly<Record<string, Slots>>

/** A harness of one action module and nothing else. */
export function bareSlots(action: string): Slots {
  return { memory: null, planning: null, capability: null, action: { use: action } }
}
