import { type Action, defineModule, isHarnessError, type Json, type Module, type Reply } from '@harnesswright/core'
import { answerText, firstAnswered, type Rollout } from '@harnesswright/seed-aggagent/parts'
import { actAlone } from '@harnesswright/seed-recursive/parts'
import { expertsOf, leftSomething, startExperts } from './experts.js'
import { type ActionCtx, options, prompts, type State } from './setup.js'
import { readVerdict, VERDICT_SCHEMA } from './verdict.js'
import { writeWork } from './work.js'

/**
 * Action of OAgent: several experts do the task apart, then a critic scores them in one call and selects one. Where they left
 * files its answer and its files stand together; where they only answered, the critic may put the answer together from several.
 *
 * @see arXiv 2506.15741; docs: seeds/oagent
 */
export const action: Module = defineModule({
  slot: 'action',
  summary:
    'Has the task done by several experts apart, one along a plan, and a critic select one with its files; for tasks in which one way of working may fail.',
  options,
  prompts,
  state: (): State => ({ malformed: 0, isJudged: false, verdict: null }),
  system: (ctx) => ctx.prompt(isAlone(ctx) ? 'system' : 'critic'),
  select: (ctx) => (isAlone(ctx) ? ctx.capabilities : { ...ctx.capabilities, tools: [] }),
  async act(ctx): Promise<Action> {
    if (isAlone(ctx)) return await actAlone(ctx)
    const experts = expertsOf(ctx)
    if (experts.length === 0) return startExperts(ctx)
    const answered = experts.filter(({ result }) => answerText(result?.answer) !== '')
    if (answered.length > 1 && !ctx.state.isJudged) return await judge(ctx, experts, answered)
    return answer(ctx, experts)
  },
  finish(_reason, ctx): Json | undefined {
    const experts = expertsOf(ctx)
    return standing(ctx, experts) && answerOf(ctx, experts)
  },
})

/** As each of the experts, or where none may be started. */
function isAlone({ options: { experts }, left }: ActionCtx): boolean {
  return experts === 0 || left.depth === 0
}

/** The critic is asked once. */
async function judge(ctx: ActionCtx, experts: readonly Rollout[], answered: readonly Rollout[]): Promise<Action> {
  ctx.state.isJudged = true
  const reply = await criticise(ctx, experts)
  const numbers = answered.map(({ number }) => number)
  ctx.state.verdict = (reply && readVerdict(reply.content, numbers)) ?? null
  if (ctx.state.verdict === null) ctx.log('there is no verdict that can be read: the first expert stands')
  return { kind: 'think', ...(reply && { reply }) }
}

/** One call. Undefined where it fails for another reason than a limit. */
async function criticise(ctx: ActionCtx, experts: readonly Rollout[]): Promise<Reply | undefined> {
  const { snippets, snippetChars } = ctx.options
  const work = writeWork(experts, { snippets, chars: snippetChars })
  const ask = ctx.prompt(leftSomething(ctx, experts) ? 'choose' : 'merge')
  try {
    return await ctx.model({
      purpose: 'judge',
      messages: [...ctx.head, { role: 'user', content: ctx.prompt('work', { work, ask }) }],
      schema: VERDICT_SCHEMA,
    })
  } catch (error) {
    if (ctx.signal.aborted || !isHarnessError(error) || error.code === 'E_RUN_LIMIT') throw error
    ctx.log(`the critic could not be asked: ${error.message}`)
    return undefined
  }
}

/** The expert that was selected; the first that has an answer where none was. */
function standing({ state: { verdict } }: ActionCtx, experts: readonly Rollout[]): Rollout | undefined {
  return experts.find(({ number }) => number === verdict?.expert) ?? firstAnswered(experts)
}

/** Its answer; where the experts left nothing but answers, that of the critic, in the form that the task asks for. */
function answerOf(ctx: ActionCtx, experts: readonly Rollout[]): Json {
  const own = standing(ctx, experts)?.result?.answer ?? null
  const { answer: merged = '' } = ctx.state.verdict ?? {}
  if (merged === '' || leftSomething(ctx, experts)) return own
  if (ctx.task.output === undefined) return merged
  try {
    return JSON.parse(merged) as Json
  } catch {
    return own
  }
}

/** The answer, and the files of the expert that stands. What the critic thought is kept for those who look at the run. */
function answer(ctx: ActionCtx, experts: readonly Rollout[]): Action {
  const expert = standing(ctx, experts)
  if (expert === undefined) return { kind: 'fail', reason: 'no expert gave an answer' }
  const { verdict } = ctx.state
  const scores =
    verdict === null ? {} : { artifacts: [ctx.put({ selected_expert: verdict.expert, scores: verdict.scores })] }
  return { kind: 'answer', answer: answerOf(ctx, experts), commit: expert.path, ...scores }
}
