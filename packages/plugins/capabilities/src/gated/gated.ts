import { type Capabilities, type Ctx, defineModule, type Goal, type Module } from '@harnesswright/core'
import * as z from 'zod'
import { checkNames } from '../check-names.js'
import { currentGoals, goalsAhead } from '../goals.js'
import { createFindTools, type Shelf } from '../search/find-tools.js'
import { leftOutBefore, toolsWithout } from '../search/left-out.js'
import { queryOf, rankTools } from '../search/rank-tools.js'
import { wordsOf } from '../search/words.js'
import { toolNames } from '../tool-names.js'

/** Most gates of one module. */
const MOST_GATES = 32

/** Most tools that one search of the model puts on offer. */
const MOST_HITS = 5

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
  /** Ids of the goals whose tools are on offer. */
  goals: string[]
  /** Names of their tools; null before there is a goal. */
  open: string[] | null
  /** Names of tools that the model found for them. */
  searched: string[]
  /** Names of those that the modules before this one left out at this step. */
  leftOut: string[]
  /** A gate says which tools they have, for each of them. */
  areGiven: boolean
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
  state: (): State => ({ goals: [], open: null, searched: [], leftOut: [], areGiven: false }),
  start(ctx) {
    if (ctx.depth > 0) return // a child run may have been given fewer tools
    const { tools } = ctx.catalog
    checkNames({ of: 'tool', option: 'always', names: ctx.options.always, there: tools })
    for (const [index, gate] of ctx.options.gates.entries())
      checkNames({ of: 'tool', option: `gates/${index}/tools`, names: gate.tools, there: tools })
  },
  tools: (ctx) =>
    ctx.catalog.tools.length > ctx.options.top + ctx.options.always.length ? [createFindTools(shelfOf(ctx))] : [],
  select(ctx): Capabilities {
    const { tools } = ctx.capabilities
    openGates(ctx, goalsOf(ctx))
    if (ctx.state.open === null) return ctx.capabilities
    const open = new Set([...ctx.state.open, ...ctx.state.searched, ...ctx.options.always])
    return { ...ctx.capabilities, tools: tools.filter(({ name }) => open.has(name)) }
  },
})

/** The current goals, and those ahead of them that are let in. */
function goalsOf({ directive, options: { ahead } }: GatedCtx): readonly Goal[] {
  const current = currentGoals(directive)
  return current.length === 0 ? [] : [...current, ...goalsAhead(directive, current, ahead)]
}

/** Other goals have other tools; what the model found for the ones before goes with them. */
function openGates(ctx: GatedCtx, goals: readonly Goal[]): void {
  const ids = goals.map(({ id }) => id)
  if (ids.length === 0) return
  const isSame = ids.length === ctx.state.goals.length && ids.every((id, index) => id === ctx.state.goals[index])
  ctx.state = {
    goals: ids,
    open: goals.flatMap((goal) => toolsFor(goal, ctx)),
    searched: isSame ? ctx.state.searched : [],
    leftOut: leftOutBefore(ctx),
    areGiven: goals.every((goal) => gatesOf(goal, ctx).length > 0),
  }
}

/** Names of the tools of a goal: those of its gates, else those that fit its text and the task. */
function toolsFor(goal: Goal, ctx: GatedCtx): readonly string[] {
  const gates = gatesOf(goal, ctx)
  if (gates.length > 0) return gates.flatMap((gate) => gate.tools)
  const { capabilities, task, options } = ctx
  const query = queryOf([
    [task.instruction, 1],
    [goal.text, 1],
  ])
  return rankTools(capabilities.tools, query, options.top).map(({ name }) => name)
}

function gatesOf({ text }: Goal, { options: { gates } }: GatedCtx): z.output<typeof options>['gates'] {
  const words = new Set(wordsOf(text))
  return gates.filter(({ goal }) => isIn(words, wordsOf(goal)))
}

/** Gates of no word, which is of "the" and the like, belong to no goal. */
function isIn(words: ReadonlySet<string>, wanted: readonly string[]): boolean {
  return wanted.length > 0 && wanted.every((word) => words.has(word))
}

function shelfOf(ctx: GatedCtx): Shelf {
  return {
    name: 'find_goal_tools',
    description:
      'Finds further tools for the current goal, by words for what they are to do. What it finds can be called from the next step on.',
    search(query) {
      if (ctx.state.areGiven) throw new Error(`the current goal has its tools: ${ctx.state.open?.join(', ')}`)
      return rankTools(toolsWithout(ctx, ctx.state.leftOut), queryOf([[query, 1]]), MOST_HITS)
    },
    isOffered: ({ name }) => ctx.capabilities.tools.some((tool) => tool.name === name),
    offer(tools) {
      ctx.state.searched = [...new Set([...ctx.state.searched, ...tools.map(({ name }) => name)])]
    },
  }
}
