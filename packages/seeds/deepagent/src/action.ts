import {
  type Action,
  type CallAction,
  type Ctx,
  defineModule,
  isHarnessError,
  type Message,
  type Module,
  type Observation,
  type Tool,
  type ToolCall,
  type ToolDecision,
} from '@harnesswright/core'
import { type AloneState, actAlone, reactPrompts } from '@harnesswright/seed-recursive/parts'
import * as z from 'zod'
import { answerIn, finalAnswerTool, replyWith, withCalls, withoutAnswer } from './final-answer.js'
import { isSameCall, madeBefore } from './made-before.js'
import { piecesOf } from './pieces.js'
import { headOf } from './short-results.js'

const options = z.strictObject({
  parallel: z.boolean().default(false).describe('Let the model do several things in one reply, not only the first.'),
  longChars: z
    .int()
    .min(500)
    .max(1_000_000)
    .default(5_000)
    .describe('Characters of a result above which a summary of it is shown instead.')
    .meta({ buckets: [5_000, 20_000] }),
  readChars: z
    .int()
    .min(500)
    .max(1_000_000)
    .default(8_000)
    .describe('Characters of such a result that one summary is made of. What is longer has up to four, made at once.')
    .meta({ buckets: [8_000, 32_000] }),
  keptChars: z
    .int()
    .min(100)
    .max(1_000_000)
    .default(3_000)
    .describe('Characters of such a result that are shown where no summary could be made.'),
  faithful: z
    .boolean()
    .default(false)
    .describe(
      'As the published scaffold: a call that was made before is refused, also where it only reads or had failed, and of a long result only the beginning is read.',
    ),
})

const prompts = {
  ...reactPrompts,
  system:
    'You solve the task in one stream of thought. In each turn say in a sentence or two what you learned and what you need next, then do one thing: call a tool with exact arguments, or one of those that serve your own work. Do not repeat a call whose result you have. When everything the task asks for is done and written where it must be, give the answer. Use only what the task and the tools told you.',
  finalAnswer: 'The answer is what you pass to final_answer; words without a call end nothing.',
  unmarked:
    'You called nothing. If the work is done, call final_answer with the whole answer; if not, do the next thing.',
  repeated: 'the same call was made in step {{step}}, and its result is known; do something else',
  summarise:
    'This result, or piece of one, is long, and only your summary of it stays. Keep everything in it that the task may need, with names, identifiers and numbers as they stand; leave out the rest, and add nothing.',
  summarised: '[Summary of the first {{read}} of {{chars}} characters]\n{{summary}}',
  cut: '{{head}}\n[… {{left}} characters were left out …]',
} as const

interface State extends AloneState {
  /** The model was told that words alone are no answer, and has done nothing else since. */
  isAsked: boolean
  /** Calls of the step under way. */
  calls: ToolCall[]
}

type ActionCtx = Ctx<z.output<typeof options>, State, typeof prompts>

/**
 * Action of DeepAgent: one thing a turn. Calls that were made before are refused, long results give way to summaries, and the
 * answer is what the model calls its answer.
 *
 * @see arXiv 2510.21618; docs: seeds/deepagent
 */
export const action: Module = defineModule({
  slot: 'action',
  summary:
    'Does one thing a turn in one stream of thought, summarises long results and refuses repeated calls; for models that wander.',
  options,
  prompts,
  state: (): State => ({ malformed: 0, isAsked: false, calls: [] }),
  system: (ctx) => (isMarked(ctx) ? `${ctx.prompt('system')} ${ctx.prompt('finalAnswer')}` : ctx.prompt('system')),
  tools: (ctx) => (isMarked(ctx) ? [finalAnswerTool] : []),
  async act(ctx): Promise<Action> {
    ctx.state.calls = []
    const chosen = await actAlone(ctx)
    if (chosen.kind === 'call') return callOrAnswer(ctx, chosen)
    return chosen.kind === 'answer' && isUnmarked(ctx, chosen) ? askForAnswer(ctx, chosen) : chosen
  },
  toolCall(call, ctx): ToolDecision | undefined {
    const {
      state,
      history,
      options: { faithful },
    } = ctx
    const tool = ownTool(ctx, call.name)
    if (tool === undefined) return undefined
    const isTwice = state.calls.some((made) => isSameCall(made, call))
    state.calls.push(call)
    if (tool.readOnly === true && !faithful) return undefined
    const step = isTwice ? ctx.step : madeBefore(history, call, { failed: faithful })
    return step === undefined ? undefined : { deny: true, reason: ctx.prompt('repeated', { step }) }
  },
  async toolResult(observation, ctx): Promise<Observation | undefined> {
    const { ok, content, tool = '' } = observation
    if (!ok || content.length <= ctx.options.longChars || ownTool(ctx, tool) === undefined) return undefined
    const { data: _whole, ...rest } = observation
    return { ...rest, content: await shorten(ctx, observation) }
  },
})

/** A task that asks for JSON has its answer in that form, and no other reply is one. */
function isMarked({ task }: ActionCtx): boolean {
  return task.output === undefined
}

/** The tool of the environment of that name; none of what modules bring. */
function ownTool({ catalog }: ActionCtx, name: string): Tool | undefined {
  return catalog.tools.find((tool) => tool.name === name)
}

/** The first call of a reply, or all where several are allowed; the answer, where the first call gives it. */
function callOrAnswer(ctx: ActionCtx, chosen: CallAction): Action {
  ctx.state.isAsked = false
  const answer = answerIn(chosen)
  if (answer !== undefined)
    return { kind: 'answer', answer, ...(chosen.reply && { reply: replyWith(chosen.reply, []) }) }
  if (ctx.options.parallel) return withoutAnswer(chosen)
  return chosen.calls.length > 1 ? withCalls(chosen, chosen.calls.slice(0, 1)) : chosen
}

type Answered = Extract<Action, { readonly kind: 'answer' }>

/** Words without a mark, the first time. After several replies that could not be read the model was made to answer. */
function isUnmarked(ctx: ActionCtx, { reply }: Answered): boolean {
  return isMarked(ctx) && reply?.answer === undefined && !ctx.state.isAsked && ctx.state.malformed < MADE_TO_ANSWER
}

/** Replies in a row that could not be read, after which ReAct makes the model answer. */
const MADE_TO_ANSWER = 3

function askForAnswer(ctx: ActionCtx, { reply }: Answered): Action {
  ctx.state.isAsked = true
  return { kind: 'think', feedback: ctx.prompt('unmarked'), ...(reply && { reply }) }
}

/** A summary of a result; where none can be made, its beginning. */
async function shorten(ctx: ActionCtx, observation: Observation): Promise<string> {
  const { content } = observation
  const { readChars, faithful } = ctx.options
  const pieces = piecesOf(content, { chars: readChars, most: faithful ? 1 : MOST_PIECES })
  const summaries = await Promise.all(pieces.map((piece) => summarise(ctx, observation, piece)))
  if (summaries.includes('')) return beginning(ctx, content)
  const read = pieces.join('').length
  return ctx.prompt('summarised', { summary: summaries.join('\n'), read, chars: content.length })
}

/** Most pieces of one result that are read: together what would be shown of it if it were not summarised. */
const MOST_PIECES = 4

function beginning(ctx: ActionCtx, content: string): string {
  const head = headOf(content, ctx.options.keptChars)
  return head === content ? content : ctx.prompt('cut', { head, left: content.length - head.length })
}

/** Empty where none can be made. */
async function summarise(ctx: ActionCtx, { callId }: Observation, piece: string): Promise<string> {
  const call = ctx.state.calls.find(({ id }) => id === callId)
  if (call === undefined) return ''
  const messages: readonly Message[] = [
    ...ctx.head,
    { role: 'assistant', content: '', toolCalls: [call] },
    { role: 'tool', callId, content: piece },
    { role: 'user', content: ctx.prompt('summarise') },
  ]
  try {
    return (await ctx.model({ purpose: 'summarise', messages })).content.trim()
  } catch (error) {
    if (ctx.signal.aborted || !isHarnessError(error)) throw error
    ctx.log(`a long result was cut, as no summary could be made of it: ${error.message}`)
    return ''
  }
}
