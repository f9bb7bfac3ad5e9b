import {
  type Action,
  type Ctx,
  defineModule,
  type Goal,
  type HarnessError,
  isHarnessError,
  type Json,
  type Message,
  type Module,
  type Plan,
  renderPlan,
  type SubRun,
} from '@harnesswright/core'
import {
  type AloneState,
  actAlone,
  assertStepsLeft,
  reactPrompts,
  stepsLeftInTree,
} from '@harnesswright/seed-recursive/parts'
import * as z from 'zod'
import { AGGREGATE_SCHEMA, readAggregate } from './aggregate.js'
import { ATOMISE_SCHEMA, readAtomic } from './atomise.js'
import { countLayers, inSeries, nextLayer } from './layers.js'
import { mostSubtasks, stepsOfSubtask } from './lease.js'
import { readSubtasks, subtasksSchema } from './subtasks.js'

const options = z.strictObject({
  maxDepth: z
    .int()
    .min(0)
    .max(10)
    .default(3)
    .describe('Most levels of subtasks below the first task; never more than limits.depth. 0: nothing is divided.')
    .meta({ buckets: [1, 2, 3] }),
  maxSubtasks: z
    .int()
    .min(2)
    .max(20)
    .default(4)
    .describe('Most subtasks into which one task is divided.')
    .meta({ buckets: [2, 4, 8] }),
  concurrency: z
    .int()
    .min(1)
    .max(64)
    .default(4)
    .describe('Subtasks of one task that are worked on at once, at most; never more than limits.concurrency.')
    .meta({ buckets: [1, 2, 4] }),
  leastSteps: z
    .int()
    .min(1)
    .max(100)
    .default(5)
    .describe('Fewest steps of a subtask: a task whose limit of steps has not as many for each is not divided.'),
  parallel: z
    .boolean()
    .default(true)
    .describe('Let the model make several calls in one reply where a task is not divided.'),
  faithful: z
    .boolean()
    .default(false)
    .describe(
      'As the published scaffold: two subtasks at once, the calls of a reply one after another, and for each subtask its share of the whole limit of steps.',
    ),
})

const prompts = {
  ...reactPrompts,
  atomise:
    'Before anything is done: is this task atomic, so that one agent can do it in one go, or is it better divided into parts that are worked on apart? Take it as atomic when its parts are few or hang together. Do not solve it yet.',
  plan: 'Divide the task into 2 to {{most}} subtasks that other agents do, each on its own. An agent sees its subtask, the results of the subtasks on which it depends, and nothing else: word each so that it stands alone, with every name in full. Let a subtask depend on another only if it needs its result: what does not wait is worked on at once. Leave nothing out, and do not solve the task yet.',
  cyclic:
    'These subtasks wait for each other in a circle:\n{{plan}}\nDivide the task once more, so that at least one waits for none and no circle is left.',
  parts: 'The task is divided into these parts:\n{{plan}}',
  results: 'The results above are those of the parts, in this order:\n{{parts}}',
  aggregate:
    'The parts are over. Put their results together into the one answer to the task, in the form that the task asks for. Use only what the results say, and say what is missing.',
} as const

interface State extends AloneState {
  /** It was settled whether the task is divided. */
  isSettled: boolean
  /** The parts; null: the task is done in one go. */
  plan: Plan | null
  /** Artifacts of the results, by the id of their part. */
  results: Record<string, string>
}

type ActionCtx = Ctx<z.output<typeof options>, State, typeof prompts>

/**
 * Action of ROMA: a task is atomic and done as ReAct does it, or it is divided, its parts are done by runs of the same kind,
 * and their results are put together. All runs take their steps from one limit.
 *
 * @see arXiv 2602.01848; docs: seeds/roma
 */
export const action: Module = defineModule({
  slot: 'action',
  summary:
    'Divides a task into subtasks, has each done by a run of the same kind, and puts the results together; for large tasks whose parts are known from the start.',
  options,
  prompts,
  state: (): State => ({ malformed: 0, isSettled: false, plan: null, results: {} }),
  system: (ctx) => ctx.prompt('system'),
  async act(ctx): Promise<Action> {
    if (!ctx.state.isSettled) await settle(ctx)
    const { plan } = ctx.state
    if (plan === null) return await actAlone(ctx)
    assertStepsLeft(ctx)
    const layer = nextLayer(plan)
    const runs = layer.length === 0 ? [] : subRuns(ctx, plan, layer)
    if (runs.length > 0) return { kind: 'spawn', runs, concurrency: widthOf(ctx.options) }
    return { kind: 'answer', answer: await aggregate(ctx, ({ code }) => code === 'E_RUN_EMPTY_REPLY') }
  },
  record({ action: made, observations }, ctx) {
    const { plan } = ctx.state
    if (made.kind !== 'spawn' || plan === null) return
    const ended = new Map(observations.map((observation) => [observation.callId, observation]))
    for (const { id, text } of plan.goals) {
      const observation = ended.get(id)
      if (observation !== undefined) ctx.state.results[id] = ctx.put(`Result of "${text}":\n${observation.content}`)
    }
    const goals = plan.goals.map((goal): Goal => {
      const observation = ended.get(goal.id)
      return observation === undefined ? goal : { ...goal, status: observation.ok ? 'done' : 'failed' }
    })
    ctx.state.plan = { goals }
    ctx.note('result', ctx.prompt('results', { parts: renderPlan({ goals: goals.filter(({ id }) => ended.has(id)) }) }))
  },
  async finish(_reason, ctx): Promise<Json | undefined> {
    if (Object.keys(ctx.state.results).length === 0) return undefined
    return await aggregate(ctx, ({ code }) => code !== 'E_RUN_ABORTED')
  },
})

/** Subtasks at once in the published scaffold. */
const PUBLISHED_WIDTH = 2

function widthOf({ concurrency, faithful }: ActionCtx['options']): number {
  return faithful ? Math.min(concurrency, PUBLISHED_WIDTH) : concurrency
}

/** Asks whether the task is atomic, and for its parts if not. Asked only where depth and steps are left for parts. */
async function settle(ctx: ActionCtx): Promise<void> {
  const { maxDepth, maxSubtasks, leastSteps } = ctx.options
  const most = mostSubtasks({ steps: stepsLeftInTree(ctx), most: maxSubtasks, least: leastSteps })
  const isDivisible = ctx.left.depth > 0 && ctx.depth < maxDepth && most >= 2
  const plan = isDivisible && !(await isAtomic(ctx)) ? await makePlan(ctx, most) : undefined
  ctx.state.isSettled = true
  ctx.state.plan = plan ?? null
  if (plan !== undefined) ctx.note('plan', ctx.prompt('parts', { plan: renderPlan(plan) }))
}

async function isAtomic(ctx: ActionCtx): Promise<boolean> {
  const messages = asking(ctx.view.messages, ctx.prompt('atomise'))
  const { content } = await ctx.model({ purpose: 'atomise', messages, schema: ATOMISE_SCHEMA })
  return readAtomic(content)
}

/** The parts; those that wait for each other are asked for once more, and then taken one after another. */
async function makePlan(ctx: ActionCtx, most: number): Promise<Plan | undefined> {
  const ask = async (prompt: string): Promise<Plan | undefined> => {
    const messages = asking(ctx.view.messages, prompt)
    const { content } = await ctx.model({ purpose: 'plan', messages, schema: subtasksSchema(most) })
    const plan = readSubtasks(content, most)
    return plan === undefined || plan.goals.length < 2 ? undefined : plan
  }
  const first = await ask(ctx.prompt('plan', { most }))
  if (first === undefined || countLayers(first) !== undefined) return first
  const prompt = `${ctx.prompt('plan', { most })}\n\n${ctx.prompt('cyclic', { plan: renderPlan(first) })}`
  const second = (await ask(prompt)) ?? first
  return countLayers(second) === undefined ? inSeries(second) : second
}

/** The runs of a layer, each of the same kind but without a planning; none where no steps are left for them. */
function subRuns(ctx: ActionCtx, plan: Plan, layer: readonly Goal[]): readonly SubRun[] {
  const { faithful } = ctx.options
  const left = stepsLeftInTree(ctx)
  const whole = ctx.left.steps + ctx.history.length
  const layers = countLayers(plan) ?? 1 // a plan that is made has no circle
  const open = plan.goals.filter(({ status }) => status === 'open').length
  const steps = stepsOfSubtask({
    left,
    layers,
    open,
    width: layer.length,
    ...(faithful && { whole, parts: plan.goals.length }),
  })
  if (steps < 1) return []
  return layer.map(({ id, text, dependsOn = [] }) => {
    const context = [...(ctx.task.context ?? []), ...dependsOn.flatMap((one) => ctx.state.results[one] ?? [])]
    const { inputs } = ctx.task
    return {
      id,
      task: {
        instruction: text,
        ...(inputs === undefined ? {} : { inputs }),
        ...(context.length === 0 ? {} : { context }),
      },
      harness: { extends: 'self', planning: null },
      limits: { steps },
    }
  })
}

/** One answer from the results; the results one after another where the model gives none, or fails in a way that is pardoned. */
async function aggregate(ctx: ActionCtx, isPardoned: (error: HarnessError) => boolean): Promise<Json> {
  const { output } = ctx.task
  const messages = asking(ctx.view.messages, ctx.prompt('aggregate'))
  try {
    const { content } = await ctx.model({ purpose: 'aggregate', messages, schema: output ?? AGGREGATE_SCHEMA })
    return readAggregate(content, output !== undefined) ?? joinResults(ctx)
  } catch (error) {
    if (!isHarnessError(error) || !isPardoned(error)) throw error
    return joinResults(ctx)
  }
}

/** What the parts gave, one after another. */
function joinResults({ state, get }: ActionCtx): string {
  return Object.values(state.results)
    .map((id) => String(get(id)))
    .join('\n\n')
}

function asking(messages: readonly Message[], prompt: string): readonly Message[] {
  return [...messages, { role: 'user', content: prompt }]
}
