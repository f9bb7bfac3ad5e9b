import {
  type Ctx,
  type Directive,
  defineModule,
  type Message,
  type Module,
  type Plan,
  renderPlan,
  type Tool,
} from '@harnesswright/core'
import * as z from 'zod'
import { applyReview, currentGoal, planSchema, REVIEW_SCHEMA, readPlan } from './plan-format.js'

const options = z.strictObject({
  reviewEvery: z
    .int()
    .min(2)
    .max(50)
    .default(8)
    .describe('Steps between two reviews of the plan.')
    .meta({ buckets: [4, 8, 16] }),
  maxGoals: z
    .int()
    .min(2)
    .max(40)
    .default(7)
    .describe('Most goals of a plan.')
    .meta({ buckets: [5, 7, 12] }),
  toolChars: z
    .int()
    .min(200)
    .max(20_000)
    .default(2_000)
    .describe('Characters of the tool list that the planner is shown.'),
  faithful: z
    .boolean()
    .default(false)
    .describe('As the published scaffold: a review takes a step of its own, and the directive is the whole plan.'),
})

const prompts = {
  plan: 'Make a roadmap for the task before anything is done: {{least}} to {{most}} goals in the order in which they are to be reached, a check of the result near the end. Each goal stands alone and names in full what it is about. Do not solve the task yet.\n\nTools that will be at hand:\n{{tools}}',
  review:
    'Review the roadmap after {{steps}} steps. For each goal say whether it is open, active, done or failed, from what was observed. Add a goal if one was missing.\n\n{{plan}}',
  directive: 'Next on the roadmap: {{goal}}. If that is done already, go on with the first goal that is not.',
} as const

/** Fewest goals that are asked for. */
const LEAST_GOALS = 3

type State = { plan: Plan | null; reviewedAt: number }
type PlanningCtx = Ctx<z.output<typeof options>, State, typeof prompts>

/**
 * Planning of Plan-and-Execute: a typed roadmap first, reviewed every few steps; the directive is its current goal.
 *
 * @see arXiv 2305.04091; docs: seeds/plan-and-execute
 */
export const planning: Module = defineModule({
  slot: 'planning',
  summary:
    'Makes a roadmap of a few goals before the first step and reviews it every few steps; for tasks of many parts.',
  options,
  prompts,
  provides: ['plan'],
  state: (): State => ({ plan: null, reviewedAt: 0 }),
  async direct(ctx): Promise<Directive> {
    if (ctx.state.plan === null) await makePlan(ctx)
    const isReviewed =
      ctx.step % ctx.options.reviewEvery === 0 && ctx.state.reviewedAt !== ctx.step && (await review(ctx))
    return directiveOf(ctx, isReviewed && ctx.options.faithful)
  },
})

async function makePlan(ctx: PlanningCtx): Promise<void> {
  const { maxGoals, toolChars } = ctx.options
  const prompt = ctx.prompt('plan', {
    least: Math.min(LEAST_GOALS, maxGoals),
    most: maxGoals,
    tools: describeTools(ctx.catalog.tools, toolChars),
  })
  const reply = await ctx.model({
    purpose: 'plan',
    messages: asking(ctx.view.messages, prompt),
    schema: planSchema(maxGoals),
  })
  const plan = readPlan(reply.content)
  if (plan === undefined) ctx.log('the planner gave no goals; the run goes on without a plan')
  ctx.state.plan = plan ?? { goals: [] }
  if (plan !== undefined) ctx.note('plan', `Roadmap:\n${renderPlan(plan)}`)
}

/** Says whether a review was made. */
async function review(ctx: PlanningCtx): Promise<boolean> {
  const { plan } = ctx.state
  if (plan === null || plan.goals.length === 0) return false
  ctx.state.reviewedAt = ctx.step
  const prompt = ctx.prompt('review', { steps: ctx.history.length, plan: renderPlan(plan) })
  const reply = await ctx.model({
    purpose: 'review',
    messages: asking(ctx.view.messages, prompt),
    schema: REVIEW_SCHEMA,
  })
  const reviewed = applyReview(plan, reply.content)
  if (reviewed === undefined) {
    ctx.log('the review named no goals; the plan stays as it was')
    return true
  }
  ctx.state.plan = reviewed
  ctx.note('review', `Roadmap after ${ctx.history.length} steps:\n${renderPlan(reviewed)}`)
  return true
}

function directiveOf(ctx: PlanningCtx, consumesStep: boolean): Directive {
  const { plan } = ctx.state
  if (plan === null || plan.goals.length === 0) return { text: ctx.directive.text }
  const goal = currentGoal(plan)
  const current = goal === undefined ? '' : ctx.prompt('directive', { goal: goal.text })
  const text = ctx.options.faithful ? renderPlan(plan) : current
  return { text, plan, ...(consumesStep ? { consumesStep } : {}) }
}

function asking(messages: readonly Message[], prompt: string): readonly Message[] {
  return [...messages, { role: 'user', content: prompt }]
}

function describeTools(tools: readonly Tool[], maxChars: number): string {
  const text = tools.map((tool) => `- ${tool.name}: ${tool.description}`).join('\n')
  return text.length <= maxChars ? text : `${text.slice(0, maxChars)}…`
}
