import { type Directive, defineModule, type Module } from '@harnesswright/core'
import { delegatedPlan } from './results.js'

/** Planning of the recursive scaffold: what was delegated, as a plan; the directive names what did not come back done. */
export const planning: Module = defineModule({
  slot: 'planning',
  summary:
    'Keeps what was delegated as goals and names those that are not done; asks no model. Goes with the recursive action.',
  prompts: {
    open: 'Not done yet: {{goals}}. Delegate what can still be done, in other words, in smaller pieces or with more context; else answer, and say what is missing.',
  },
  provides: ['plan'],
  direct(ctx): Directive {
    const plan = delegatedPlan(ctx.history)
    if (plan.goals.length === 0) return ctx.directive
    const open = plan.goals.filter(({ status }) => status !== 'done').map(({ text }) => text)
    return { text: open.length === 0 ? ctx.directive.text : ctx.prompt('open', { goals: open.join('; ') }), plan }
  },
})
