import {
  type Ctx,
  defineModule,
  isHarnessError,
  type JsonSchema,
  type Message,
  type Module,
  type Purpose,
} from '@harnesswright/core'
import { stepsOf } from '@harnesswright/seed-react/view'
import * as z from 'zod'
import { isSettled, listNodes, viewOf, writeSteps } from './brain-view.js'
import { CLEARING_SCHEMA, clear, readClearing } from './clearing.js'
import { emptyGraph, type Graph } from './graph.js'
import { applyPatch, PATCH_SCHEMA, readPatch } from './patch.js'

/** Share of the context window above which no budget may go, whatever the option says. */
const MOST_FILL = 0.6

/** Characters that stay of a thought that was flushed. */
const FLUSH_CHARS = 200

const options = z.strictObject({
  budgetTokens: z
    .int()
    .min(1_000)
    .max(10_000_000)
    .default(32_000)
    .describe(
      'Tokens of the view from which on thoughts are flushed and folded; never more than 0.6 of the context window.',
    )
    .meta({ buckets: [8_000, 16_000, 32_000] }),
  memoriseEvery: z
    .int()
    .min(1)
    .max(100)
    .default(5)
    .describe('Steps whose thoughts are memorised with one model call.')
    .meta({ buckets: [1, 3, 5] }),
  memoriseTokens: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(6_000)
    .describe('Tokens of steps from which on their thoughts are memorised, however few the steps.')
    .meta({ buckets: [3_000, 6_000] }),
  keepSteps: z.int().min(1).max(20).default(2).describe('Newest steps that stay as they are.'),
  tries: z
    .int()
    .min(1)
    .max(10)
    .default(3)
    .describe('How often one memory call is made, at most, until its reply can be used.'),
  faithful: z
    .boolean()
    .default(false)
    .describe(
      'As the published scaffold: thoughts are memorised after every step, and of those that are flushed the whole stays.',
    ),
})

const prompts = {
  memorise:
    'You keep the memory of this task as a graph of thoughts. Take down what the steps above add to it: for each of them a node on what was to be done (subtask) or on what was found (evidence), with every name, identifier and number as it stands, and on what failed. Say with edges what a new node follows from. Take down nothing that is there already, and nothing that was not seen.',
  recall:
    'The context is nearly full. Say which thoughts above need not stand in it any more, but for the newest {{kept}} steps, which stay. Flush what is of no more use: what led nowhere, or is outdated. Fold thoughts that belong together and are finished into notes, which then take the place of their steps: keep in them every finding with its names, identifiers and numbers as they stand.',
  nodes: 'Thoughts so far:\n{{nodes}}',
  again: 'Your last reply could not be used: {{fault}}. {{prompt}}',
} as const

interface State {
  graph: Graph
  /** The last step that was memorised. */
  through: number
  /** Memory calls in a row that came to nothing, and the step of the last. */
  failures: number
  failedAt: number
}

type MemoryCtx = Ctx<z.output<typeof options>, State, typeof prompts>

/**
 * Memory of MemoBrain: thoughts of the steps are kept as a graph beside the context. When the view nears its budget, thoughts of
 * no more use are flushed, and those that belong together are folded into notes, which take the place of their steps.
 *
 * @see arXiv 2601.08079; docs: seeds/memobrain
 */
export const memory: Module = defineModule({
  slot: 'memory',
  summary:
    'Keeps a graph of thoughts beside the context and, near a token budget, flushes or folds them in place of their steps; for long tasks of many findings.',
  options,
  prompts,
  provides: ['thoughts'],
  state: (): State => ({ graph: emptyGraph(), through: 0, failures: 0, failedAt: 0 }),
  async view(ctx) {
    if (isPaused(ctx)) return { messages: shown(ctx) }
    const isOver = isFull(ctx)
    if (isMemorisingDue(ctx, isOver)) await memorise(ctx)
    if (isOver && !isPaused(ctx)) await recall(ctx)
    return { messages: shown(ctx) }
  },
})

function shown({ view, state, options: { faithful } }: MemoryCtx): readonly Message[] {
  return viewOf(view.messages, state.graph, faithful ? Number.POSITIVE_INFINITY : FLUSH_CHARS)
}

/** After failures a memory call is made ever more seldom. */
function isPaused({ state, step, overflowed }: MemoryCtx): boolean {
  return state.failures > 0 && step - state.failedAt < state.failures && !overflowed
}

function isFull(ctx: MemoryCtx): boolean {
  const { contextWindow = Number.POSITIVE_INFINITY } = ctx.modelInfo
  const budget = Math.min(ctx.options.budgetTokens, MOST_FILL * contextWindow)
  return ctx.overflowed || ctx.estimate(shown(ctx)) > budget
}

/** The steps in view that are not memorised. */
function pendingSteps({ view, state }: MemoryCtx): readonly number[] {
  return stepsOf(view.messages).filter((step) => step > state.through)
}

function isMemorisingDue(ctx: MemoryCtx, isOver: boolean): boolean {
  const pending = pendingSteps(ctx)
  const { memoriseEvery, memoriseTokens, faithful } = ctx.options
  if (pending.length === 0 || isOver || faithful) return pending.length > 0
  const messages = ctx.view.messages.filter(({ step }) => step !== undefined && step > ctx.state.through)
  return pending.length >= memoriseEvery || ctx.estimate(messages) >= memoriseTokens
}

/** Takes down the thoughts of the steps since the last time. */
async function memorise(ctx: MemoryCtx): Promise<void> {
  const { state } = ctx
  const steps = pendingSteps(ctx)
  const range = [state.through + 1, steps.at(-1) ?? state.through] as const
  const patch = await ask(ctx, {
    purpose: 'memorise',
    schema: PATCH_SCHEMA,
    about: [...nodesMessage(ctx), { role: 'user', content: writeSteps(ctx.view.messages, steps) }],
    prompt: ctx.prompt('memorise'),
    read: readPatch,
  })
  if (patch !== undefined) Object.assign(state, { graph: applyPatch(state.graph, patch, range), through: range[1] })
}

/** Flushes and folds what can go, if anything may. */
async function recall(ctx: MemoryCtx): Promise<void> {
  const { state, options } = ctx
  const firstKept = stepsOf(ctx.view.messages).at(-options.keepSteps) ?? 0
  const mayGo = state.graph.nodes.filter(
    ({ ranges, isFlushed }) => !isFlushed && ranges.every(([, last]) => last < firstKept),
  )
  if (mayGo.every(isSettled)) return
  const ids = new Set(mayGo.map(({ id }) => id))
  const clearing = await ask(ctx, {
    purpose: 'recall',
    schema: CLEARING_SCHEMA,
    about: nodesMessage(ctx),
    prompt: ctx.prompt('recall', { kept: options.keepSteps }),
    read: (content) => readClearing(content, ids),
  })
  if (clearing !== undefined) state.graph = clear(state.graph, clearing)
}

function nodesMessage(ctx: MemoryCtx): readonly Message[] {
  const nodes = listNodes(ctx.state.graph)
  return nodes === '' ? [] : [{ role: 'user', content: ctx.prompt('nodes', { nodes }) }]
}

/** A memory call. */
interface Asking<Value> {
  readonly purpose: Purpose
  readonly schema: JsonSchema
  /** What it is about, behind the task. */
  readonly about: readonly Message[]
  readonly prompt: string
  /** What the reply says, or what is wrong with it. */
  readonly read: (content: string) => Value | string
}

/** Asks until the reply can be used, a few times; undefined, with a line in the log, where it cannot be had. */
async function ask<Value extends object>(ctx: MemoryCtx, asking: Asking<Value>): Promise<Value | undefined> {
  const { purpose, schema, about, prompt, read } = asking
  let fault = ''
  for (let left = ctx.options.tries; left > 0; left--) {
    const said = fault === '' ? prompt : ctx.prompt('again', { fault, prompt })
    const content = await reply(ctx, {
      purpose,
      schema,
      messages: [...ctx.head, ...about, { role: 'user', content: said }],
    })
    if (content === undefined) break
    const value = read(content)
    if (typeof value !== 'string') {
      ctx.state.failures = 0
      return value
    }
    fault = value
  }
  ctx.log(`nothing came of the memory call ${purpose}; the view stays as it was${fault === '' ? '' : `: ${fault}`}`)
  Object.assign(ctx.state, { failures: ctx.state.failures + 1, failedAt: ctx.step })
  return undefined
}

async function reply(ctx: MemoryCtx, request: Parameters<MemoryCtx['model']>[0]): Promise<string | undefined> {
  try {
    return (await ctx.model(request)).content
  } catch (error) {
    if (ctx.signal.aborted || !isHarnessError(error)) throw error
    ctx.log(`a memory call failed: ${error.message}`)
    return undefined
  }
}
