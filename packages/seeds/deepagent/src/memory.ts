import {
  type Ctx,
  defineModule,
  type Json,
  type Message,
  type Module,
  renderHeading,
  type Tool,
} from '@harnesswright/core'
import { replaceSteps, standingNotes } from '@harnesswright/seed-react/view'
import * as z from 'zod'
import { withShortResults } from './short-results.js'
import { mergeThoughts, PARTS, readPart, THOUGHT_SCHEMAS, type Thoughts, writeThoughts } from './thoughts.js'

const options = z.strictObject({
  folds: z
    .int()
    .min(0)
    .max(50)
    .default(3)
    .describe('Most folds in one run; 0: the model cannot fold.')
    .meta({ buckets: [3, 8, 20] }),
  observationChars: z
    .int()
    .min(200)
    .max(1_000_000)
    .default(2_000)
    .describe('Characters of each result that are read when it is written down what happened and what comes next.')
    .meta({ buckets: [2_000, 12_000] }),
  responseChars: z
    .int()
    .min(200)
    .max(1_000_000)
    .default(1_000)
    .describe('Characters of each result that are read when it is written down what was learned of tools.'),
  faithful: z
    .boolean()
    .default(false)
    .describe(
      'As the published scaffold: the parts of a fold are written one after another, and plan and review go with the steps.',
    ),
})

const prompts = {
  system:
    'When a stretch of work is over, or has led nowhere, or your view grows long, call fold_thought: what you did so far is then written down in short and leaves your view, and you go on from what was written. You can do so {{folds}} times.',
  episodic:
    'Your steps so far will leave your view; what you write now stays. Write down what happened: the task as you understand it, every finding and event with its names, identifiers and numbers as they stand, and how far the work is. What an earlier fold says that still holds belongs to it. Invent nothing.',
  working:
    'Your steps so far will leave your view; what you write now stays. Write down what you are doing: the goal at hand, what stands in its way, and what you will do next, one thing an entry.',
  tool: 'Your steps so far will leave your view; what you write now stays. Write down what you learned of the tools: for each one that you called what it is good for and how it wants to be called, and rules that follow from what failed.',
} as const

interface State {
  /** Folds that were made. */
  folds: number
  /** The last step that is folded; 0: none is. */
  through: number
  thoughts: Thoughts | null
}

type MemoryCtx = Ctx<z.output<typeof options>, State, typeof prompts>

/**
 * Memory of DeepAgent: with a tool the model folds all its steps so far into what happened, what it is doing and what it
 * learned of tools. The memories of several folds are merged; a fold of which a part comes to nothing changes nothing.
 *
 * @see arXiv 2510.21618; docs: seeds/deepagent
 */
export const memory: Module = defineModule({
  slot: 'memory',
  summary:
    'Lets the model fold all its steps so far, a few times, into events, goals and what it learned of tools; for long tasks and models that fold.',
  options,
  prompts,
  provides: ['folds'],
  state: (): State => ({ folds: 0, through: 0, thoughts: null }),
  system: (ctx) => (ctx.options.folds === 0 ? '' : ctx.prompt('system', { folds: ctx.options.folds })),
  tools: (ctx) => (ctx.options.folds === 0 ? [] : [createFoldThought(ctx)]),
  view: (ctx) => ({ messages: folded(ctx, ctx.view.messages) }),
})

/** The messages with what was folded in place of its steps. Plan and review stay, though they were made in such steps. */
function folded(
  { state: { through, thoughts }, options: { faithful } }: MemoryCtx,
  messages: readonly Message[],
): readonly Message[] {
  if (thoughts === null) return messages
  const content = `${renderHeading('Compressed Step', 1, through)}\n${writeThoughts(thoughts)}`
  const message: Message = { role: 'user', content, note: 'fold', covers: [1, through] }
  const standing = faithful ? [] : standingNotes(messages)
  return replaceSteps(messages, [{ first: 1, last: through, message }], (one) => standing.includes(one))
}

/** Share of the context window that a request for a part of a fold may fill, and the fewest characters to which results are cut for it. */
const MOST_FILL = 0.8
const FEWEST_CHARS = 100

/** Time in ms for the model calls of a fold. */
const FOLD_MS = 600_000

function createFoldThought(ctx: MemoryCtx): Tool {
  return {
    name: 'fold_thought',
    description: 'Writes down in short what was done so far, and takes the steps out of view.',
    parameters: { type: 'object', properties: {}, additionalProperties: false },
    timeoutMs: FOLD_MS,
    execute: () => foldThought(ctx),
  }
}

async function foldThought(ctx: MemoryCtx): Promise<Json> {
  const {
    state,
    history,
    options: { folds },
  } = ctx
  if (state.folds >= folds) throw new Error(`all ${folds} folds are made`)
  const through = history.length
  if (through <= state.through) throw new Error('nothing was done since the last fold')
  const thoughts = mergeThoughts(state.thoughts, await think(ctx))
  Object.assign(state, { folds: state.folds + 1, through, thoughts })
  return `steps 1 to ${through} are folded; ${folds - state.folds} more folds can be made`
}

/**
 * The three parts, at once.
 *
 * @throws Error where one of them comes to nothing.
 */
async function think(ctx: MemoryCtx): Promise<Thoughts> {
  // Not of the view: a run that goes on in the middle of a fold has none.
  const messages = folded(ctx, [...ctx.head, ...ctx.history.flatMap((step) => step.messages)])
  const asked: Promise<string>[] = []
  for (const part of PARTS) {
    const text = ask(ctx, part, messages)
    if (ctx.options.faithful) await text
    asked.push(text)
  }
  const texts = (await Promise.allSettled(asked)).map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
  const parts = PARTS.map((part, index) => [part, readPart(part, texts[index] ?? '')] as const)
  const missing = parts.filter(([, said]) => said === undefined).map(([part]) => part)
  if (missing.length > 0) throw new Error(`nothing was said for ${missing.join(', ')}: your steps stay`)
  return Object.fromEntries(parts) as unknown as Thoughts // every part is there
}

async function ask(ctx: MemoryCtx, part: keyof Thoughts, messages: readonly Message[]): Promise<string> {
  const { observationChars, responseChars } = ctx.options
  const shown = fitting(ctx, messages, part === 'tool' ? responseChars : observationChars)
  const { content } = await ctx.model({
    purpose: 'fold',
    messages: [...shown, { role: 'user', content: ctx.prompt(part) }],
    schema: THOUGHT_SCHEMAS[part],
  })
  return content
}

/** The messages with results of at most so many characters, and of fewer where they do not fit the window otherwise. */
function fitting(ctx: MemoryCtx, messages: readonly Message[], chars: number): readonly Message[] {
  const { contextWindow = Number.POSITIVE_INFINITY } = ctx.modelInfo
  const shown = withShortResults(messages, chars)
  if (chars < FEWEST_CHARS || ctx.estimate(shown) <= MOST_FILL * contextWindow) return shown
  return fitting(ctx, messages, Math.floor(chars / 2))
}
