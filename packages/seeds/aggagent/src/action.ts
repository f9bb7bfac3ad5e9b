import { type Action, type Ctx, defineModule, type Json, type Module, type Reply } from '@harnesswright/core'
import { type AloneState, actAlone, reactPrompts } from '@harnesswright/seed-recursive/parts'
import * as z from 'zod'
import { firstAnswered, idOfRollout, type Rollout } from './rollouts.js'
import { createTools, FINISH, findRollout, SOLUTIONS, type Verdict } from './tools.js'

const options = z.strictObject({
  rollouts: z
    .int()
    .min(0)
    .max(32)
    .default(4)
    .describe('Runs of the task whose results are judged. 0: the task is done once, as by each of them.')
    .meta({ buckets: [2, 4, 8] }),
  rolloutSteps: z
    .enum(['whole', 'share'])
    .default('whole')
    .describe('Steps of each rollout: the whole limit of steps, or its share of that, but at least 5.'),
  turns: z
    .int()
    .min(1)
    .max(200)
    .default(12)
    .describe('Most turns of the aggregator. After the last the answer of the first rollout that has one stands.')
    .meta({ buckets: [6, 12, 24] }),
  budgetTokens: z
    .int()
    .min(1_000)
    .max(10_000_000)
    .default(100_000)
    .describe(
      'Tokens in view of the aggregator above which it must finish; never more than 0.6 of the context window.',
    ),
  parallel: z.boolean().default(true).describe('Let a rollout make several calls in one reply.'),
  faithful: z
    .boolean()
    .default(false)
    .describe(
      'As the published scaffold: rollouts and calls one after another, a share of the steps for each, and 100 turns of the aggregator.',
    ),
})

const prompts = {
  ...reactPrompts,
  aggregate:
    'Several agents have each done the whole task on their own. You judge their work and give the one answer; you have no tools of the task. Where they disagree, look at what they saw, not at how many say it: search their trajectories, and read the steps in question. An answer may take from each of them what is right. Make one call a turn. When it is settled, call finish.',
  nudge: 'Nothing was called. Look at the trajectories with a tool, or give the answer by calling finish.',
  close: 'No more can be looked at. Call finish now.',
} as const

interface State extends AloneState {
  /** Turns that the aggregator has taken. */
  turns: number
  /** The answers of the rollouts were shown to it. */
  isShown: boolean
  /** The run has a workspace, of which each rollout had a copy. */
  hasWorkspace: boolean
  verdict: Verdict | null
}

type ActionCtx = Ctx<z.output<typeof options>, State, typeof prompts>

/** Fewest steps of a rollout that gets a share. */
const LEAST_STEPS = 5

/** Turns of the published aggregator. */
const PUBLISHED_TURNS = 100

/** Share of the context window that the view of the aggregator may fill. */
const FILL = 0.6

/**
 * Action of AggAgent: several rollouts of the task at once, then an aggregator that reads their trajectories with tools of its own
 * and gives one answer. The files of one rollout are kept.
 *
 * @see arXiv 2604.11753; docs: seeds/aggagent
 */
export const action: Module = defineModule({
  slot: 'action',
  summary:
    'Has the same task done several times apart, then reads and adjudicates what came of it; for tasks in which runs differ by luck.',
  options,
  prompts,
  state: (): State => ({ malformed: 0, turns: 0, isShown: false, hasWorkspace: false, verdict: null }),
  system: (ctx) => ctx.prompt(isAlone(ctx) ? 'system' : 'aggregate'),
  tools(ctx) {
    if (isAlone(ctx)) return []
    return createTools({
      rollouts: () => rolloutsOf(ctx),
      shown({ workspace }) {
        ctx.state.isShown = true
        ctx.state.hasWorkspace = workspace !== undefined
      },
      decide(verdict) {
        answerOf(ctx, verdict) // throws where it is none
        ctx.state.verdict = verdict
      },
    })
  },
  select: (ctx) => (isAlone(ctx) ? ctx.capabilities : { ...ctx.capabilities, tools: [] }),
  async act(ctx): Promise<Action> {
    const { isShown, verdict, turns } = ctx.state
    if (isAlone(ctx)) return await actAlone(ctx)
    if (rolloutsOf(ctx).length === 0) return startRollouts(ctx)
    if (!isShown) return { kind: 'call', calls: [{ id: '', name: SOLUTIONS, arguments: '{}' }] }
    if (verdict !== null) return adopt(ctx, findRollout(rolloutsOf(ctx), verdict.rollout), answerOf(ctx, verdict))
    return turns < mostTurns(ctx) ? await judge(ctx) : fallBack(ctx)
  },
  finish(_reason, ctx): Json | undefined {
    const { verdict } = ctx.state
    return verdict === null ? firstAnswered(rolloutsOf(ctx))?.result?.answer : answerOf(ctx, verdict)
  },
})

/** As each of the rollouts, or where none may be started. */
function isAlone({ options: { rollouts }, left }: ActionCtx): boolean {
  return rollouts === 0 || left.depth === 0
}

function mostTurns({ options: { turns, faithful } }: ActionCtx): number {
  return faithful ? PUBLISHED_TURNS : turns
}

/** Every rollout has the task, its own copy of the workspace and its own luck, and sees nothing of the others. */
function startRollouts(ctx: ActionCtx): Action {
  const { action: own } = ctx.manifest
  const { rollouts, rolloutSteps, faithful } = ctx.options
  const { steps } = ctx.left
  const share = Math.max(LEAST_STEPS, Math.floor(steps / rollouts))
  return {
    kind: 'spawn',
    runs: Array.from({ length: rollouts }, (_, index) => ({
      id: idOfRollout(index + 1),
      task: ctx.task,
      harness: { extends: 'self', action: { ...own, with: { ...own.with, rollouts: 0 } } },
      limits: { steps: faithful || rolloutSteps === 'share' ? share : steps },
      workspace: 'fork',
    })),
    concurrency: faithful ? 1 : rollouts,
    merge: false,
  }
}

function rolloutsOf({ history, children, path }: ActionCtx): readonly Rollout[] {
  const started = history.find(({ action: made }) => made.kind === 'spawn')
  if (started?.action.kind !== 'spawn') return []
  const prefix = `${path === '' ? '' : `${path}/`}${started.index}.`
  return started.action.runs.map(({ id }, index) => {
    return { number: index + 1, path: `${prefix}${id}`, result: children[`${prefix}${id}`] }
  })
}

/** One turn of the aggregator: a look at the trajectories, or the verdict. In the last one, and when its view is full, only that. */
async function judge(ctx: ActionCtx): Promise<Action> {
  const { messages } = ctx.view
  const { tools } = ctx.capabilities
  ctx.state.turns += 1
  const isLast = ctx.state.turns >= mostTurns(ctx) || ctx.estimate(messages) > mostTokens(ctx)
  const reply = await ctx.model({
    purpose: 'judge',
    messages: isLast ? [...messages, { role: 'user', content: ctx.prompt('close') }] : messages,
    tools: isLast ? tools.filter(({ name }) => name === FINISH) : tools,
    parallelToolCalls: false,
    ...(isLast && { choice: { tool: FINISH } }),
  })
  if (reply.malformed === undefined && reply.toolCalls.length > 0)
    return { kind: 'call', reply, calls: reply.toolCalls, mode: 'serial' }
  return { kind: 'think', reply, feedback: feedbackOn(ctx, reply) }
}

function mostTokens({ options: { budgetTokens }, modelInfo }: ActionCtx): number {
  return Math.min(budgetTokens, FILL * (modelInfo.contextWindow ?? Number.POSITIVE_INFINITY))
}

function feedbackOn(ctx: ActionCtx, { malformed }: Reply): string {
  return malformed === undefined ? ctx.prompt('nudge') : ctx.prompt('unreadable', { fault: malformed })
}

/**
 * The answer of a verdict, in the form that the task asks for.
 *
 * @throws Error that says what is wrong with it.
 */
function answerOf(ctx: ActionCtx, { answer, rollout }: Verdict): Json {
  findRollout(rolloutsOf(ctx), rollout)
  if (answer.trim() === '') throw new Error('the answer is empty')
  if (ctx.task.output === undefined) return answer
  try {
    return JSON.parse(answer) as Json
  } catch (cause) {
    throw new Error('the answer must be JSON of the form that the task asks for, and nothing else', { cause })
  }
}

/** The answer of the first rollout that has one, where the aggregator came to none. */
function fallBack(ctx: ActionCtx): Action {
  const first = firstAnswered(rolloutsOf(ctx))
  if (first?.result === undefined)
    return { kind: 'fail', reason: 'no rollout gave an answer, and none was adjudicated' }
  return adopt(ctx, first, first.result.answer)
}

/** The answer, and the files of one rollout. */
function adopt({ state }: ActionCtx, { path, result }: Rollout, answer: Json): Action {
  return { kind: 'answer', answer, ...(state.hasWorkspace && result !== undefined && { commit: path }) }
}
