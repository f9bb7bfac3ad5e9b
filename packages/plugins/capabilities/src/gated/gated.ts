import { type Capabilities, type Ctx, defineModule, type Goal, type Module, type Tool } from '@harnesswright/core'
import * as z from 'zod'
import { currentGoals, goalsAhead } from '../goals.js'
import { checkToolNames } from '../known-tools.js'
import { queryOf, rankTools } from '../search/rank-tools.js'
import { wordsOf } from '../search/words.js'
import { toolNames } from '../tool-names.js'

/** Most gates of one module. */
const MOST_GATES = 32

const options = z.strictObject({
  gates: z
    .array(
      z.strictObject({
        goal: z
          .string()
          .min(1)
          .max(200)
          .describe('Words that all stand in the text of a goal to which the gate belongs.'),
        tools: toolNames.describe('Names of the tools that are on offer for such a goal.'),
      }),
    )
    .max(MOST_GATES)
    .default([])
    .describe('Which tools belong to which goals. A goal that fits no gate gets the tools that fit its text.'),
  top: z
    .int()
    .min(1)
    .max(100)
    .default(8)
    .describe('Tools of a goal that fits no gate: the best fits of its text.')
    .meta({ buckets: [4, 8, 16] }),
  ahead: z
    .int()
    .min(0)
    .max(20)
    .default(0)
    .describe('Goals after the current ones whose tools are on offer too, for plans that are seldom reviewed.')
    .meta({ buckets: [0, 1, 2] }),
  always: toolNames.default([]).describe('Names of tools that are on offer for every goal.'),
})

interface State {
  /** Names of the tools of the last goal that there was; null before the first. */
  open: string[] | null
}

type GatedCtx = Ctx<z.output<typeof options>, State>

/**
 * Capability by goal: only the tools of the plan's current goal are on offer. Without a plan every tool is; when all goals are
 * settled, those of the last one stay. The list changes with the goal, which costs the prompt cache.
 *
 * @see docs: plugins/capabilities
 */
export const gated: Module = defineModule({
  slot: 'capability',
  summary: 'Offers only the tools of the current goal of the plan; for plans whose goals need different tools.',
  options,
  breaksPrefix: true,
  state: (): State => ({ open: null }),
  start(ctx) {
    if (ctx.depth > 0) return // a child run may have been given fewer tools
    const { tools } = ctx.catalog
    checkToolNames({ option: 'always', names: ctx.options.always, tools })
    for (const [index, gate] of ctx.options.gates.entries())
      checkToolNames({ option: `gates/${index}/tools`, names: gate.tools, tools })
  },
  select(ctx): Capabilities {
    const { tools } = ctx.capabilities
    const goals = goalsOf(ctx)
    if (goals.length > 0) ctx.state.open = goals.flatMap((goal) => toolsFor(goal, tools, ctx))
    if (ctx.state.open === null) return ctx.capabilities
    const open = new Set([...ctx.state.open, ...ctx.options.always])
    return { ...ctx.capabilities, tools: tools.filter(({ name }) => open.has(name)) }
  },
})

function goalsOf({ directive, options: { ahead } }: GatedCtx): readonly Goal[] {
  const current = currentGoals(directive)
  return current.length === 0 ? [] : [...current, ...goalsAhead(directive, current, ahead)]
}

/** Names of the tools of a goal: those of its gates, else those that fit its text. */
function toolsFor({ text }: Goal, tools: readonly Tool[], { options: { gates, top } }: GatedCtx): readonly string[] {
  const words = new Set(wordsOf(text))
  const fitting = gates.filter(({ goal }) => wordsOf(goal).every((word) => words.has(word)))
  if (fitting.length > 0) return fitting.flatMap((gate) => gate.tools)
  return rankTools(tools, queryOf([[text, 1]]), top).map(({ name }) => name)
}
