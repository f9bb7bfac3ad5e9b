import { type Capabilities, type Ctx, defineModule, type Module, type Tool } from '@harnesswright/core'
import * as z from 'zod'
import { checkNames } from '../check-names.js'
import { createFindTools, type Shelf } from '../search/find-tools.js'
import { leftOutBefore, toolsWithout } from '../search/left-out.js'
import { queryOf, rankTools } from '../search/rank-tools.js'
import { toolNames } from '../tool-names.js'
import { queryTexts } from './query-texts.js'

const options = z.strictObject({
  top: z
    .int()
    .min(1)
    .max(100)
    .default(8)
    .describe('Tools that are put on offer for what is to be done, the best fits.')
    .meta({ buckets: [4, 8, 16] }),
  always: toolNames.default([]).describe('Names of tools that are on offer whatever the task is.'),
  hits: z
    .int()
    .min(1)
    .max(50)
    .default(5)
    .describe('Most tools that one search of the model puts on offer.')
    .meta({ buckets: [3, 5, 10] }),
  messages: z
    .int()
    .min(0)
    .max(20)
    .default(4)
    .describe('Last messages that are looked at for what is needed next; 0: only the task and the goal.')
    .meta({ buckets: [0, 4] }),
  most: z
    .int()
    .min(1)
    .max(500)
    .default(24)
    .describe('Most tools that come on offer in one run without being searched for or named in "always".')
    .meta({ buckets: [8, 24, 64] }),
})

const prompts = {
  system:
    'There are {{count}} tools, of which those that seem to fit are on offer. When you need another, look for it with find_tools by what it is to do.',
} as const

interface State {
  /** Names of the tools that fitted once, in the order in which they came on offer. They stay. */
  fitted: string[]
  /** Names of those that the model searched for. */
  searched: string[]
  /** Names of those that the modules before this one left out at this step. */
  leftOut: string[]
}

type RetrievalCtx = Ctx<z.output<typeof options>, State, typeof prompts>

/**
 * Capability by retrieval: of many tools those that fit the task, the goal of now and the last messages, by BM25 over their
 * names, descriptions and parameters. What came on offer stays, so that the list only grows; the model can search for more.
 *
 * @see docs: plugins/capabilities
 */
export const retrieval: Module = defineModule({
  slot: 'capability',
  summary:
    'Offers the few tools that fit the task and the current goal, and a search for more; for environments with many tools.',
  options,
  prompts,
  state: (): State => ({ fitted: [], searched: [], leftOut: [] }),
  start(ctx) {
    if (ctx.depth > 0) return // a child run may have been given fewer tools
    checkNames({ of: 'tool', option: 'always', names: ctx.options.always, there: ctx.catalog.tools })
  },
  system: (ctx) => (isNarrow(ctx) ? ctx.prompt('system', { count: ctx.catalog.tools.length }) : ''),
  tools: (ctx) => (isNarrow(ctx) ? [createFindTools(shelfOf(ctx))] : []),
  select(ctx): Capabilities {
    if (!isNarrow(ctx)) return ctx.capabilities
    const { tools } = ctx.capabilities
    ctx.state.leftOut = leftOutBefore(ctx)
    addFitting(ctx, tools)
    const byName = new Map(tools.map((tool) => [tool.name, tool]))
    return { ...ctx.capabilities, tools: offeredNames(ctx).flatMap((name) => byName.get(name) ?? []) }
  },
})

/** There is something to choose from. */
function isNarrow({ catalog, options: { top, always } }: RetrievalCtx): boolean {
  return catalog.tools.length > top + always.length
}

function addFitting(ctx: RetrievalCtx, tools: readonly Tool[]): void {
  const { top, messages, most } = ctx.options
  const fitting = namesOf(rankTools(tools, queryOf(queryTexts(ctx, messages)), top))
  const offered = new Set(offeredNames(ctx))
  const fresh = fitting.filter((name) => !offered.has(name))
  ctx.state.fitted = [...ctx.state.fitted, ...fresh].slice(0, Math.max(most, ctx.state.fitted.length))
}

function offeredNames({ options: { always }, state: { fitted, searched } }: RetrievalCtx): readonly string[] {
  return [...new Set([...always, ...fitted, ...searched])]
}

function shelfOf(ctx: RetrievalCtx): Shelf {
  return {
    name: 'find_tools',
    description:
      'Finds tools that are not on offer yet, by words for what they are to do. What it finds can be called from the next step on.',
    search: (query) => rankTools(toolsWithout(ctx, ctx.state.leftOut), queryOf([[query, 1]]), ctx.options.hits),
    isOffered: ({ name }) => offeredNames(ctx).includes(name),
    offer(tools) {
      ctx.state.searched = [...new Set([...ctx.state.searched, ...namesOf(tools)])]
    },
  }
}

function namesOf(tools: readonly Tool[]): string[] {
  return tools.map(({ name }) => name)
}
