import {
  type Ctx,
  type Directive,
  defineModule,
  type Goal,
  type Message,
  type Module,
  type Plan,
  renderPlan,
  type Tool,
} from '@harnesswright/core'
import * as z from 'zod'
import { currentPath, readyGoals, toPlan, waitingGoals } from './goal-graph.js'
import { planSchema, readGoals } from './plan-format.js'
import { applyReview, REVIEW_SCHEMA } from './review.js'

const options = z.strictObject({
  maxGoals: z
    .int()
    .min(1)
    .max(40)
    .default(5)
    .describe('Most goals of a plan.')
    .meta({ buckets: [3, 5, 10] }),
  maxPaths: z
    .int()
    .min(1)
    .max(10)
    .default(5)
    .describe('Most ways to reach one goal that are planned.')
    .meta({ buckets: [1, 3, 5] }),
  maxCalls: z
    .int()
    .min(1)
    .max(20)
    .default(5)
    .describe('Most calls of one reply that the model is told of. How many run at once is up to limits.concurrency.')
    .meta({ buckets: [3, 5] }),
  reviewEvery: z
    .int()
    .min(2)
    .max(50)
    .default(8)
    .describe('Steps between two reviews of the goals.')
    .meta({ buckets: [4, 8, 16] }),
  reviewOnFailures: z
    .int()
    .min(1)
    .max(50)
    .default(3)
    .describe('Failed calls since the last review after which the next one comes early.')
    .meta({ buckets: [2, 3, 6] }),
  toolChars: z
    .int()
    .min(200)
    .max(20_000)
    .default(2_000)
    .describe('Characters of the tool list that the planner is shown.'),
  faithful: z
    .boolean()
    .default(false)
    .describe(
      'As the published scaffold: a review takes a step of its own and comes at no other time, and the directive is the whole plan.',
    ),
})

const prompts = {
  system:
    'The task is split into goals that hardly depend on each other. Advance several of them at once: put calls for different goals into one reply, at most {{calls}}. Follow one way per goal at a time, and take the next way only when the one before it has failed. Take a goal as reached only when something you observed shows it.',
  plan: 'Before anything is done, split the task into at most {{goals}} goals that can be worked on side by side. A goal names in full what it is about and stands alone. Say which goals it has to wait for, if any, and give one to {{paths}} ways to reach it, the most promising first, each with what would show that it worked. Do not solve the task yet.\n\nTools that will be at hand:\n{{tools}}',
  review:
    'Take stock of the goals after {{steps}} steps. Say of each whether it is open, active, done or failed; done only with the observation that shows it. Say where the way in which a goal is tried now has failed. Add a goal if one was missing.\n\n{{plan}}',
  ready:
    'Goals to work on now, side by side where nothing keeps them apart. If one of them is reached already, go on with the others.\n{{goals}}',
  waiting: 'When those are reached:\n{{goals}}',
  settled: 'Every goal is reached or given up. See that the task is answered in full, then give the answer.',
} as const

type State = { plan: Plan | null; reviewedAt: number }
type PlanningCtx = Ctx<z.output<typeof options>, State, typeof prompts>

/**
 * Planning of Flash-Searcher: a graph of goals, each with ways to reach it. The directive names every goal that waits for
 * nothing, so that they advance side by side; reviews settle goals and change ways.
 *
 * @see arXiv 2509.25301; docs: seeds/flash-searcher
 */
export const planning: Module = defineModule({
  slot: 'planning',
  summary:
    'Splits the task into goals that advance side by side, each with fallback ways, and reviews them; for wide tasks with slow tools.',
  options,
  prompts,
  provides: ['plan'],
  state: (): State => ({ plan: null, reviewedAt: 0 }),
  system: (ctx) => ctx.prompt('system', { calls: ctx.options.maxCalls }),
  async direct(ctx): Promise<Directive> {
    if (ctx.state.plan === null) await makePlan(ctx)
    const isReviewed = isReviewDue(ctx) && (await review(ctx))
    return directiveOf(ctx, isReviewed && ctx.options.faithful)
  },
})

async function makePlan(ctx: PlanningCtx): Promise<void> {
  const { maxGoals, maxPaths, toolChars } = ctx.options
  const tools = listTools(ctx.catalog.tools, toolChars)
  const { content } = await ctx.model({
    purpose: 'plan',
    messages: asking(ctx.view.messages, ctx.prompt('plan', { goals: maxGoals, paths: maxPaths, tools })),
    schema: planSchema({ maxGoals, maxPaths }),
  })
  const plan = toPlan(readGoals(content))
  ctx.state.plan = plan
  if (plan.goals.length > 0) ctx.note('plan', `Goals:\n${renderPlan(plan)}`)
  else ctx.log('the planner named no goals; the run goes on without a plan')
}

function isReviewDue({
  state,
  step,
  history,
  options: { reviewEvery, reviewOnFailures, faithful },
}: PlanningCtx): boolean {
  if (state.plan === null || state.plan.goals.length === 0 || step === state.reviewedAt) return false
  if (faithful) return step % reviewEvery === 0
  const since = history.filter(({ index }) => index >= state.reviewedAt)
  const failures = since.flatMap(({ observations }) => observations.filter(({ ok }) => !ok)).length
  return step - state.reviewedAt >= reviewEvery || failures >= reviewOnFailures
}

/** Asks how far the goals are. Says whether the question was put, whatever came of it. */
async function review(ctx: PlanningCtx): Promise<true> {
  const plan = ctx.state.plan as Plan // a review is due only where there is one
  const steps = ctx.history.length
  ctx.state.reviewedAt = ctx.step
  const { content } = await ctx.model({
    purpose: 'review',
    messages: asking(ctx.view.messages, ctx.prompt('review', { steps, plan: renderPlan(plan) })),
    schema: REVIEW_SCHEMA,
  })
  const reviewed = applyReview(plan, content)
  if (reviewed === undefined) {
    ctx.log('the review named no goals; the plan stays as it was')
    return true
  }
  ctx.state.plan = reviewed.plan
  for (const change of reviewed.switches) ctx.emit('path-switch', { ...change })
  ctx.note('review', `Goals after ${steps} steps:\n${renderPlan(reviewed.plan)}`)
  return true
}

function directiveOf(ctx: PlanningCtx, consumesStep: boolean): Directive {
  const { plan } = ctx.state
  if (plan === null || plan.goals.length === 0) return ctx.directive
  const own = ctx.options.faithful ? renderPlan(plan) : whatToDo(ctx, plan)
  const text = [ctx.directive.text, own].filter((part) => part !== '').join('\n\n')
  return { text, plan, ...(consumesStep ? { consumesStep } : {}) }
}

/** All goals that wait for nothing, and then those that do: between two reviews a goal may well become ready. */
function whatToDo(ctx: PlanningCtx, plan: Plan): string {
  const [ready, waiting] = [readyGoals(plan), waitingGoals(plan)]
  if (ready.length === 0) return ctx.prompt('settled')
  const parts = [ctx.prompt('ready', { goals: listGoals(ready) })]
  if (waiting.length > 0) parts.push(ctx.prompt('waiting', { goals: listGoals(waiting) }))
  return parts.join('\n')
}

function listGoals(goals: readonly Goal[]): string {
  return goals
    .map((goal) => {
      const path = currentPath(goal)
      return `${goal.id}. ${goal.text}${path === undefined ? '' : `\n   by: ${path.text}`}`
    })
    .join('\n')
}

function asking(messages: readonly Message[], prompt: string): readonly Message[] {
  return [...messages, { role: 'user', content: prompt }]
}

/** The tools by name and description, as far as there is room for them. */
function listTools(tools: readonly Tool[], maxChars: number): string {
  const lines = tools.map(({ name, description }) => `- ${name}: ${description}`)
  const text = lines.join('\n')
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text
}
