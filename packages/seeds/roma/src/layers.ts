import type { Goal, Plan } from '@harnesswright/core'

/** The goals that can be worked on now: open ones that wait for no open one. */
export function nextLayer({ goals }: Plan): readonly Goal[] {
  const open = new Set(goals.filter(({ status }) => status === 'open').map(({ id }) => id))
  return goals.filter(({ id, dependsOn = [] }) => open.has(id) && !dependsOn.some((one) => open.has(one)))
}

/** How many layers the open goals make, one after another; undefined where some wait for each other. */
export function countLayers(plan: Plan): number | undefined {
  let { goals } = plan
  for (let layers = 0; ; layers++) {
    const layer = new Set(nextLayer({ goals }))
    if (layer.size === 0) return goals.some(({ status }) => status === 'open') ? undefined : layers
    goals = goals.map((goal) => (layer.has(goal) ? { ...goal, status: 'done' } : goal))
  }
}

/** The plan with its goals one after another, as they are listed: each waits for the one before it and for none behind it. */
export function inSeries({ goals }: Plan): Plan {
  const ids = goals.map(({ id }) => id)
  return {
    goals: goals.map(({ dependsOn = [], ...goal }, index) => {
      const before = ids.slice(0, index)
      const needed = before.filter((id, at) => dependsOn.includes(id) || at === index - 1)
      return { ...goal, ...(needed.length === 0 ? {} : { dependsOn: needed }) }
    }),
  }
}
