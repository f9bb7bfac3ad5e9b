import type { Plan } from '@harnesswright/protocol'
import { type ConformanceCase, check } from './case.js'
import { runTrial, type Subject } from './trial.js'

/** Rules for planning. */
export function planningCases(subject: Subject): readonly ConformanceCase[] {
  return [
    {
      name: 'PLAN-1 gives plans whose goals have distinct ids and wait for goals that exist',
      run: async () => {
        for (const { directive } of (await runTrial(subject)).result.steps)
          if (directive.plan !== undefined) checkPlan(directive.plan)
      },
    },
    {
      name: 'PLAN-2 goes on when the model gives no plan that can be read',
      run: async () => {
        const { result } = await runTrial(subject, { other: 'Well, that is hard to say' })
        check(
          result.status === 'answered',
          `the run ended as ${result.status}: ${result.error?.message ?? result.reason}`,
        )
      },
    },
  ]
}

function checkPlan(plan: Plan): void {
  const ids = plan.goals.map((goal) => goal.id)
  check(new Set(ids).size === ids.length, `two goals have one id: ${ids.join(', ')}`)
  for (const goal of plan.goals) {
    check(goal.text.trim() !== '', `the goal ${goal.id} has no words`)
    const missing = goal.dependsOn?.find((id) => !ids.includes(id))
    check(missing === undefined, `the goal ${goal.id} waits for ${missing}, which is no goal`)
  }
}
