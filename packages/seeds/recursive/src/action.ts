import { type Action, defineModule, type Module } from '@harnesswright/core'
import { actAlone } from './act-alone.js'
import { delegateIn } from './delegate-in.js'
import { readReport } from './delegation.js'
import { headingOf, resultsOf } from './results.js'
import { actsItself, isSubAgent, mayDelegate, options, prompts, type State } from './setup.js'
import { assertStepsLeft } from './steps-in-tree.js'
import { blockedTool, delegateTool } from './tools.js'

/**
 * Action of the recursive scaffold: an orchestrator that decides step by step, with results in hand, what to delegate next.
 * Sub-agents act as ReAct does, and may delegate in turn while depth is left. All take their steps from one limit.
 *
 * @see cf. arXiv 2602.03786; docs: seeds/recursive
 */
export const action: Module = defineModule({
  slot: 'action',
  summary:
    'Delegates the task in pieces to agents made for each of them, with results in hand; for wide tasks of independent parts.',
  options,
  prompts,
  state: (): State => ({ malformed: 0, refused: [], results: {} }),
  system(ctx) {
    if (!actsItself(ctx)) return ctx.prompt('orchestrate')
    return [ctx.prompt('system'), ...(mayDelegate(ctx) ? [ctx.prompt('mayDelegate')] : [])].join(' ')
  },
  tools: (ctx) => [...(mayDelegate(ctx) ? [delegateTool(ctx)] : []), ...(isSubAgent(ctx) ? [blockedTool(ctx)] : [])],
  select: (ctx) => (actsItself(ctx) ? ctx.capabilities : { ...ctx.capabilities, tools: [] }),
  async act(ctx): Promise<Action> {
    assertStepsLeft(ctx)
    const chosen = await actAlone(ctx)
    if (chosen.kind !== 'call') return chosen
    const [blocked] = isSubAgent(ctx) ? chosen.calls.flatMap((call) => readReport(call) ?? []) : []
    if (blocked !== undefined) return { kind: 'fail', reason: blocked, ...(chosen.reply && { reply: chosen.reply }) }
    return mayDelegate(ctx) ? delegateIn(ctx, chosen) : chosen
  },
  record(step, ctx) {
    const results = resultsOf(step)
    if (results.length === 0) return
    const lines = results.map((result) => `${headingOf(result)} ${result.outcome}: ${shorten(result.instruction)}`)
    ctx.note('result', lines.join('\n'))
    for (const { number, instruction, content } of results)
      ctx.state.results[number] = ctx.put(`Result of "${instruction}":\n${content}`)
  },
})

/** Longest instruction in the list of results, in characters. */
const SHOWN_CHARS = 120

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length <= SHOWN_CHARS ? line : `${line.slice(0, SHOWN_CHARS)}…`
}
