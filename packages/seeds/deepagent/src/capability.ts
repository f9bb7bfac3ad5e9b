import { type Capabilities, type Ctx, defineModule, type Module } from '@harnesswright/core'
import {
  createFindTools,
  leftOutBefore,
  queryOf,
  rankTools,
  type Shelf,
  toolsWithout,
} from '@harnesswright/plugin-capabilities/search'
import * as z from 'zod'
import { toolsWithAnyWord } from './any-word.js'

/** Characters up to which a query says nothing. */
const SHORT_QUERY = 3

const options = z.strictObject({
  openUpTo: z
    .int()
    .min(0)
    .max(500)
    .default(16)
    .describe(
      'Tools of the environment up to which all are on offer from the beginning, and none need be searched for.',
    )
    .meta({ buckets: [0, 16, 40] }),
  hits: z
    .int()
    .min(1)
    .max(50)
    .default(5)
    .describe('Most tools that one search puts on offer.')
    .meta({ buckets: [3, 5, 10] }),
  faithful: z
    .boolean()
    .default(false)
    .describe(
      'As the published scaffold: a search finds every tool with one of its words, and all tools where there is none.',
    ),
})

const prompts = {
  system:
    'There are {{count}} tools, and none of them is on offer until you look for it with tool_search, by what it is to do.',
} as const

interface State {
  /** Names of the tools that were found, in the order in which they came on offer. They stay. */
  found: string[]
  /** Names of those that the modules before this one left out at this step. */
  leftOut: string[]
}

type SearchCtx = Ctx<z.output<typeof options>, State, typeof prompts>

/**
 * Capability of DeepAgent: of many tools none is on offer but those that the model searched for. The list only grows.
 *
 * @see arXiv 2510.21618; docs: seeds/deepagent
 */
export const capability: Module = defineModule({
  slot: 'capability',
  summary:
    'Offers of many tools those that the model has searched for, and of few all; for environments with many tools.',
  options,
  prompts,
  state: (): State => ({ found: [], leftOut: [] }),
  system: (ctx) => (isLarge(ctx) ? ctx.prompt('system', { count: ctx.catalog.tools.length }) : ''),
  tools: (ctx) => (isLarge(ctx) ? [createFindTools(shelfOf(ctx))] : []),
  select(ctx): Capabilities {
    if (!isLarge(ctx)) return ctx.capabilities
    ctx.state.leftOut = leftOutBefore(ctx)
    const { tools } = ctx.capabilities
    return { ...ctx.capabilities, tools: ctx.state.found.flatMap((name) => tools.filter((one) => one.name === name)) }
  },
})

function isLarge({ catalog, options: { openUpTo } }: SearchCtx): boolean {
  return catalog.tools.length > openUpTo
}

function shelfOf(ctx: SearchCtx): Shelf {
  return {
    name: 'tool_search',
    description: 'Finds tools by words for what they are to do. What it finds can be called from the next turn on.',
    search(query) {
      const tools = toolsWithout(ctx, ctx.state.leftOut)
      const { hits, faithful } = ctx.options
      if (query.trim().length <= SHORT_QUERY) throw new Error(`the query has only ${query.trim().length} characters`)
      return faithful ? toolsWithAnyWord(tools, query) : rankTools(tools, queryOf([[query, 1]]), hits)
    },
    isOffered: ({ name }) => ctx.state.found.includes(name),
    offer(tools) {
      ctx.state.found = [...new Set([...ctx.state.found, ...tools.map(({ name }) => name)])]
    },
  }
}
