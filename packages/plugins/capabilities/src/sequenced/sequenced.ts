import { type Capabilities, type Ctx, defineModule, type Module, type ToolDecision } from '@harnesswright/core'
import * as z from 'zod'
import { checkNames } from '../check-names.js'
import { toolNames } from '../tool-names.js'

const options = z.strictObject({
  order: toolNames
    .default([])
    .describe('Names of tools in the order in which they are to be called; one may come twice.'),
  between: z
    .boolean()
    .default(false)
    .describe(
      'Other tools may be called in between, and earlier ones again: a call is required, but not which, and only tools that come later are refused.',
    ),
  tries: z
    .int()
    .min(1)
    .max(20)
    .default(3)
    .describe('Calls of one tool that fail in a row before the order goes on without it.')
    .meta({ buckets: [1, 3, 5] }),
})

const prompts = {
  system: 'Tools are called in this order: {{order}}.',
  early: '{{next}} comes next: the order is {{order}}, and {{done}} of {{count}} are done',
  skipped: '{{tool}} failed {{tries}} times, and the order goes on without it.',
} as const

interface State {
  /** Tools of the order that are behind. */
  done: number
  /** Calls of the next one that failed in a row. */
  failed: number
}

type SequencedCtx = Ctx<z.output<typeof options>, State, typeof prompts>

/**
 * Capability in an order: the next tool of the order is required of the model, and others are refused until it has been
 * called. A tool that keeps failing is given up. After the last one the model is free.
 *
 * @see docs: plugins/capabilities
 */
export const sequenced: Module = defineModule({
  slot: 'capability',
  summary: 'Requires tools in a fixed order, each until it has been called; for procedures whose steps are known.',
  options,
  prompts,
  state: (): State => ({ done: 0, failed: 0 }),
  start(ctx) {
    if (ctx.depth > 0) return // a child run may have been given fewer tools
    checkNames({ of: 'tool', option: 'order', names: ctx.options.order, there: ctx.catalog.tools })
  },
  system(ctx) {
    const order = orderOf(ctx)
    return order.length === 0 ? '' : ctx.prompt('system', { order: order.join(', ') })
  },
  select(ctx): Capabilities {
    const { tools } = ctx.capabilities
    const order = orderOf(ctx)
    const next = order[ctx.state.done]
    const left = ctx.catalog.tools.filter((tool) => order.includes(tool.name) && !tools.includes(tool))
    const all = left.length === 0 ? tools : [...tools, ...left]
    if (next === undefined) return { ...ctx.capabilities, tools: all }
    return { ...ctx.capabilities, tools: all, choice: ctx.options.between ? 'required' : { tool: next } }
  },
  toolCall(call, ctx): ToolDecision | undefined {
    const order = orderOf(ctx)
    const next = order[ctx.state.done]
    if (next === undefined || call.name === next || !isRefused(call.name, ctx)) return undefined
    const reason = ctx.prompt('early', { next, order: order.join(', '), done: ctx.state.done, count: order.length })
    return { deny: true, reason }
  },
  record(step, ctx) {
    for (const { tool, ok } of step.observations) if (tool === orderOf(ctx)[ctx.state.done]) absorb(tool, ok, ctx)
  },
})

/** The order, without tools that a child run was not given. */
function orderOf({ options: { order }, catalog: { tools } }: SequencedCtx): readonly string[] {
  return order.filter((name) => tools.some((tool) => tool.name === name))
}

/** Tools that modules bring serve the harness and are free at all times. */
function isRefused(name: string, ctx: SequencedCtx): boolean {
  if (!ctx.catalog.tools.some((tool) => tool.name === name)) return false
  const order = orderOf(ctx)
  return !ctx.options.between || (order.includes(name) && order.indexOf(name) > ctx.state.done)
}

function absorb(tool: string | undefined, ok: boolean, ctx: SequencedCtx): void {
  if (tool === undefined) return // the order is over
  const failed = ok ? 0 : ctx.state.failed + 1
  const isGivenUp = failed >= ctx.options.tries
  ctx.state = ok || isGivenUp ? { done: ctx.state.done + 1, failed: 0 } : { ...ctx.state, failed }
  if (isGivenUp) ctx.note('sequence', ctx.prompt('skipped', { tool, tries: failed }))
}
