import { type Ctx, type Directive, defineModule, type Module } from '@harnesswright/core'
import * as z from 'zod'
import { type Entry, entriesOf, type Fold, nameEntries, type Range } from './entries.js'
import { createFoldTools } from './fold-tools.js'
import { coveredBy, foldView } from './folded-view.js'

/** Share of the context window above which no budget may go, whatever the option says. */
const MOST_FILL = 0.6

const options = z.strictObject({
  budgetTokens: z
    .int()
    .min(1_000)
    .max(10_000_000)
    .default(31_768)
    .describe('Tokens of a view that count as full; never more than 0.6 of the context window.')
    .meta({ buckets: [8_000, 16_000, 31_768] }),
  pressure: z
    .number()
    .min(0.1)
    .max(1)
    .default(0.5)
    .describe('Share of the budget from which on the model is told how full its view is.')
    .meta({ buckets: [0.3, 0.5, 0.8] }),
  faithful: z
    .boolean()
    .default(false)
    .describe(
      'As the published scaffold: steps are shown as text, the newest under a heading of its own, and nothing is said of how full the view is.',
    ),
})

const prompts = {
  system:
    'Your history is yours to keep short. Each step stands under a heading such as [Step 12], which is written for you. When a stretch of steps is finished, or has led nowhere, call compress beside your next calls: your text then takes the place of these steps under [Compressed Step 3 to 12]. Write into it every finding with its names, identifiers and numbers, what was done and what failed; leave out how you got there. Fold a fold again when a larger stretch is finished. unfold brings the steps back.',
  pressure: 'Your view is {{percent}} % full. Not folded yet: {{steps}}. Fold what is finished with compress.',
} as const

interface State {
  folds: Fold[]
  /** Steps that another memory stood for in the last view. */
  covered: Range[]
}

type MemoryCtx = Ctx<z.output<typeof options>, State, typeof prompts>

/**
 * Memory of AgentFold: the acting model folds finished stretches of its own history with a tool, at any scale. Folded steps
 * are kept outside the view and can be taken back.
 *
 * @see arXiv 2510.24699; docs: seeds/agentfold
 */
export const memory: Module = defineModule({
  slot: 'memory',
  summary:
    'Lets the acting model fold stretches of its own history with a tool, and tells it when the view fills; for long tasks and models that fold.',
  options,
  prompts,
  provides: ['folds'],
  state: (): State => ({ folds: [], covered: [] }),
  system: (ctx) => ctx.prompt('system'),
  tools: (ctx: MemoryCtx) =>
    createFoldTools({
      entries: () => entries(ctx),
      folds: () => ctx.state.folds,
      setFolds: (folds) => {
        ctx.state.folds = folds
      },
    }),
  view(ctx) {
    const { messages } = ctx.view
    ctx.state.covered = coveredBy(messages).map(([first, last]) => [first, last])
    return {
      messages: foldView(messages, { folds: ctx.state.folds, history: ctx.history, faithful: ctx.options.faithful }),
    }
  },
  apply(hooks, ctxOf) {
    // Late, so that it is said beside whatever the planning says.
    hooks.planning.tap({ name: 'pressure', stage: 'late' }, (directive, turn) => addPressure(directive, ctxOf(turn)))
  },
})

function entries({ history, state }: MemoryCtx): readonly Entry[] {
  return entriesOf({ steps: history.length, folds: state.folds, covered: state.covered })
}

/** The directive with how full the view is, from a share on and while there is something to fold. */
function addPressure(directive: Directive, ctx: MemoryCtx): Directive {
  const { budgetTokens, pressure, faithful } = ctx.options
  const full = Math.min(budgetTokens, MOST_FILL * (ctx.modelInfo.contextWindow ?? Number.POSITIVE_INFINITY))
  const share = ctx.estimate(ctx.view.messages) / full
  const open = entries(ctx).filter(({ isFold }) => !isFold)
  if (faithful || share < pressure || open.length === 0) return directive
  const said = ctx.prompt('pressure', { percent: Math.round(100 * share), steps: nameEntries(open) })
  return { ...directive, text: directive.text === '' ? said : `${directive.text}\n\n${said}` }
}
