import {
  type Action,
  type Ctx,
  defineModule,
  type Json,
  type Message,
  type Module,
  type Reply,
} from '@harnesswright/core'
import * as z from 'zod'

/** Replies in a row that could not be read, before the model is made to answer. */
const MAX_MALFORMED = 3

const options = z.strictObject({
  parallel: z
    .boolean()
    .default(true)
    .describe('Let the model make several calls in one reply; calls of read-only tools then run at once.'),
  faithful: z
    .boolean()
    .default(false)
    .describe('Make the calls of one reply one after another, as the published baseline does.'),
})

const prompts = {
  system:
    'You solve the task by reasoning and acting in turns. Before each call say in a sentence or two what you learned and what you need next. Call tools with exact arguments; do not repeat a call whose result you have. When everything the task asks for is done and written where it must be, answer in plain words without calling a tool. Use only what the task and the tools told you.',
  unreadable: 'Your last reply could not be used: {{fault}} Reply again, with a tool call or with the answer.',
  final:
    'No further tool can be called. Give the best answer to the task that what is above supports, in the form the task asks for.',
} as const

type ActionCtx = Ctx<z.output<typeof options>, { malformed: number }, typeof prompts>

/**
 * Action of ReAct: one model call a step, which becomes calls or the answer. Replies that cannot be read are answered with
 * what is wrong; after three in a row the model must answer.
 *
 * @see arXiv 2210.03629; docs: seeds/react
 */
export const action: Module = defineModule({
  slot: 'action',
  summary: 'Reasons and acts: one model call a step, which calls tools or answers.',
  options,
  prompts,
  state: () => ({ malformed: 0 }),
  system: (ctx) => ctx.prompt('system'),
  async act(ctx): Promise<Action> {
    const { tools, choice } = ctx.capabilities
    const { output } = ctx.task
    const reply = await ctx.model({
      purpose: 'act',
      messages: withDirective(ctx.view.messages, ctx.directive.text),
      tools,
      parallelToolCalls: ctx.options.parallel,
      ...(choice === undefined ? {} : { choice }),
      ...(output === undefined ? {} : { schema: output }),
    })
    if (reply.toolCalls.length > 0 && reply.malformed === undefined) {
      ctx.state.malformed = 0
      return {
        kind: 'call',
        reply,
        calls: reply.toolCalls,
        ...(ctx.options.faithful ? { mode: 'serial' as const } : {}),
      }
    }
    return await answerOf(ctx, reply)
  },
})

/** What is to be done now stands last, where it is seen best and costs no cached prefix. */
function withDirective(messages: readonly Message[], directive: string): readonly Message[] {
  return directive === '' ? messages : [...messages, { role: 'user', content: directive }]
}

async function answerOf(ctx: ActionCtx, reply: Reply): Promise<Action> {
  const read = readAnswer(reply, ctx.task.output !== undefined)
  if (read.fault === undefined) return { kind: 'answer', reply, answer: read.answer }
  ctx.state.malformed += 1
  if (ctx.state.malformed < MAX_MALFORMED) {
    return { kind: 'think', reply, feedback: ctx.prompt('unreadable', { fault: read.fault }) }
  }
  const last = await ctx.model({
    purpose: 'finish',
    messages: [...ctx.view.messages, { role: 'user', content: ctx.prompt('final') }],
  })
  return { kind: 'answer', reply: last, answer: last.answer ?? last.content }
}

type ReadAnswer = { readonly answer: Json; readonly fault?: undefined } | { readonly fault: string }

function readAnswer(reply: Reply, isJson: boolean): ReadAnswer {
  if (reply.malformed !== undefined) return { fault: reply.malformed }
  if (reply.answer !== undefined) return { answer: reply.answer }
  if (!isJson) return { answer: reply.content }
  try {
    return { answer: JSON.parse(reply.content) as Json }
  } catch {
    return { fault: 'the answer must be JSON of the form that the task asks for, and nothing else.' }
  }
}
