import {
  type Ctx,
  defineModule,
  isHarnessError,
  type JsonSchema,
  type Message,
  type Module,
  renderHeading,
} from '@harnesswright/core'
import { replaceSteps, standingNotes, stepsOf, transcriptOf } from '@harnesswright/seed-react/view'
import * as z from 'zod'
import { abstractsOf, type Page, research } from './research.js'

/** Share of the context window above which no budget may go, whatever the option says. */
const MOST_FILL = 0.6

/** Share of the budget that steps may take which stay as they are beside the newest one. */
const KEPT_SHARE = 0.5

/** Characters of a page that stand for its abstract where none could be had, and most of an abstract. */
const ABSTRACT_CHARS = { instead: 200, most: 1_000 } as const

const options = z.strictObject({
  budgetTokens: z
    .int()
    .min(1_000)
    .max(10_000_000)
    .default(32_000)
    .describe('Tokens of the view above which old steps become pages; never more than 0.6 of the context window.')
    .meta({ buckets: [8_000, 16_000, 32_000] }),
  researchEvery: z
    .int()
    .min(1)
    .max(100)
    .default(4)
    .describe('New pages from which on the pages are researched again; of the faithful memory steps.')
    .meta({ buckets: [2, 4, 8] }),
  rounds: z
    .int()
    .min(1)
    .max(10)
    .default(3)
    .describe('Most rounds of one research, four model calls each.')
    .meta({ buckets: [1, 3] }),
  topPages: z.int().min(1).max(50).default(5).describe('Most pages that one round retrieves.'),
  snippetChars: z.int().min(50).max(20_000).default(500).describe('Characters of a page that is retrieved.'),
  keepSteps: z
    .int()
    .min(1)
    .max(20)
    .default(3)
    .describe(
      'Newest steps that stay as they are, the newest always, the others while they take half of the budget at most.',
    )
    .meta({ buckets: [1, 3] }),
  faithful: z
    .boolean()
    .default(false)
    .describe(
      'As the published scaffold: every step is a page at once, pages are researched every few steps however small the view is, and the plan goes with its step.',
    ),
})

const prompts = {
  abstract:
    'Say in one or two lines what this page holds for the task: findings with their names, identifiers and numbers as they stand, or what was done or failed. Invent nothing.',
  plan: 'You look in the notes of your own work, which stand above as one line a page, for what is needed to go on with the task. Say what has to be known, and how to look for it: words, sentences, or numbers of pages to open.{{requests}}',
  requests: ' Asked for were: {{requests}}.',
  integrate:
    'Write down all that is known and of use for the task, from the memory and the pages above: every finding with its names, identifiers and numbers as they stand, what was done, what failed and need not be tried again, and which questions are open. Invent nothing. In particular: {{needs}}.',
  check: 'Is this enough to go on with the task, as far as the pages can tell?',
  followUp: 'What else is to be looked for in the pages? Ask for nothing that only further work on the task can show.',
  memory: 'Memory of the steps up to {{last}}:\n{{memory}}',
  anything: 'whatever the task needs',
} as const

/** A page in the store: its text is an artifact. */
interface StoredPage {
  readonly id: number
  readonly step: number
  readonly artifact: string
  readonly abstract: string
}

interface State {
  pages: StoredPage[]
  /** The last step that memory and abstracts stand for in view. */
  through: number
  /** What was integrated; empty before the first research. */
  memory: string
  /** The last page that it holds, and the step of the last research. */
  integrated: number
  researchedAt: number
}

type MemoryCtx = Ctx<z.output<typeof options>, State, typeof prompts>

/**
 * Memory of GAM: steps become pages of a store, each with an abstract. What the pages hold for the task is researched, and the
 * view is what came of it, with the newest steps.
 *
 * @see arXiv 2511.18423; docs: seeds/gam
 */
export const memory: Module = defineModule({
  slot: 'memory',
  summary:
    'Keeps old steps as pages with abstracts and researches them for what the task needs; for long tasks whose details are needed late.',
  options,
  prompts,
  provides: ['pages'],
  state: (): State => ({ pages: [], through: 0, memory: '', integrated: 0, researchedAt: 0 }),
  async view(ctx) {
    if (ctx.options.faithful) await recordAll(ctx)
    else if (isFull(ctx)) await makeRoom(ctx)
    return { messages: shown(ctx) }
  },
})

function budgetOf({ options: { budgetTokens }, modelInfo: { contextWindow } }: MemoryCtx): number {
  return Math.min(budgetTokens, MOST_FILL * (contextWindow ?? Number.POSITIVE_INFINITY))
}

function isFull(ctx: MemoryCtx): boolean {
  return ctx.overflowed || ctx.estimate(shown(ctx)) > budgetOf(ctx)
}

/** As published: every step is a page, the newest few are in view too, and research comes every few steps. */
async function recordAll(ctx: MemoryCtx): Promise<void> {
  const {
    state,
    view,
    options: { keepSteps, researchEvery },
  } = ctx
  const steps = stepsOf(view.messages)
  await storePages(ctx, steps)
  state.through = Math.max(state.through, steps.at(-1 - keepSteps) ?? 0)
  if (ctx.history.length - state.researchedAt >= researchEvery) await researchPages(ctx)
}

/** Old steps become pages, and once there are enough new ones these are researched. */
async function makeRoom(ctx: MemoryCtx): Promise<void> {
  const { state, view } = ctx
  const steps = stepsOf(view.messages).filter((step) => step > state.through)
  const old = steps.slice(0, steps.length - keptOf(ctx, steps))
  const last = old.at(-1)
  if (last === undefined) return
  await storePages(ctx, old)
  state.through = last
  if (state.memory === '' || freshPages(state).length >= ctx.options.researchEvery) await researchPages(ctx)
}

/** How many of the newest steps stay as they are. */
function keptOf(ctx: MemoryCtx, steps: readonly number[]): number {
  const roomTokens = KEPT_SHARE * budgetOf(ctx)
  let tokens = 0
  let kept = 0
  for (const step of steps.toReversed().slice(0, ctx.options.keepSteps)) {
    tokens += ctx.estimate(ctx.view.messages.filter((message) => message.step === step))
    if (kept > 0 && tokens > roomTokens) break
    kept++
  }
  return kept
}

/** Makes pages of those steps that are none yet. */
async function storePages(ctx: MemoryCtx, steps: readonly number[]): Promise<void> {
  const { state, view } = ctx
  const stored = new Set(state.pages.map(({ step }) => step))
  const texts = steps
    .filter((step) => !stored.has(step))
    .map((step) => ({ step, text: transcriptOf(view.messages.filter((message) => message.step === step)) }))
  const first = (state.pages.at(-1)?.id ?? 0) + 1
  const pages = texts.map(({ step, text }, at) => ({ id: first + at, step, text, artifact: ctx.put(text) }))
  const abstracts = await Promise.all(pages.map(({ id, text }) => abstractOf(ctx, id, text)))
  for (const [at, { id, step, artifact }] of pages.entries())
    state.pages.push({ id, step, artifact, abstract: abstracts[at] ?? '' })
}

async function abstractOf(ctx: MemoryCtx, id: number, text: string): Promise<string> {
  const page: Message = { role: 'user', content: `${renderHeading('Page', id)}\n${text}` }
  const said = await ask(ctx, 'abstract', [page], { prompt: ctx.prompt('abstract') })
  const line = oneLine(said ?? '', ABSTRACT_CHARS.most)
  return line === '' ? oneLine(text, ABSTRACT_CHARS.instead) : line
}

function oneLine(text: string, mostChars: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.slice(0, mostChars).replace(/[\ud800-\udbff]$/, '')
}

function freshPages({ pages, integrated }: State): readonly StoredPage[] {
  return pages.filter(({ id }) => id > integrated)
}

async function researchPages(ctx: MemoryCtx): Promise<void> {
  const {
    state,
    options: { rounds, topPages, snippetChars, faithful },
  } = ctx
  const pages = state.pages.map((page): Page => ({ ...page, text: String(ctx.get(page.artifact) ?? '') }))
  const memory = await research({
    pages,
    memory: state.memory,
    fresh: faithful ? [] : pages.filter(({ id }) => id > state.integrated),
    limits: { rounds, topPages, snippetChars },
    prompts: {
      plan: (requests) => ctx.prompt('plan', { requests: requestsIn(ctx, requests) }),
      integrate: (needs) => ctx.prompt('integrate', { needs: needs.join('; ') || ctx.prompt('anything') }),
      check: () => ctx.prompt('check'),
      followUp: () => ctx.prompt('followUp'),
    },
    ask: (schema, about, prompt) => ask(ctx, 'research', about, { prompt, schema }),
  })
  state.researchedAt = ctx.history.length
  if (memory === undefined) ctx.log('the research came to nothing; the memory stays as it was')
  else Object.assign(state, { memory, integrated: state.pages.at(-1)?.id ?? 0 })
}

function requestsIn(ctx: MemoryCtx, requests: readonly string[]): string {
  return requests.length === 0 ? '' : ctx.prompt('requests', { requests: requests.join('; ') })
}

/** What the model says; undefined, with a line in the log, when it cannot be asked. */
async function ask(
  ctx: MemoryCtx,
  purpose: 'abstract' | 'research',
  about: readonly Message[],
  { prompt, ...form }: { readonly prompt: string; readonly schema?: JsonSchema },
): Promise<string | undefined> {
  try {
    const messages: readonly Message[] = [...ctx.head, ...about, { role: 'user', content: prompt }]
    return (await ctx.model({ purpose, messages, ...form })).content
  } catch (error) {
    if (ctx.signal.aborted || !isHarnessError(error)) throw error
    ctx.log(`a memory call for ${purpose} failed: ${error.message}`)
    return undefined
  }
}

/** The incoming view, with the memory in place of the steps that are pages. */
function shown(ctx: MemoryCtx): readonly Message[] {
  const {
    view,
    state,
    options: { faithful },
  } = ctx
  if (state.through === 0) return view.messages
  const standing = new Set(faithful ? [] : standingNotes(view.messages))
  const content = ctx.prompt('memory', { last: state.through, memory: memoryText(state, faithful) })
  const message: Message = { role: 'user', content, note: 'memory', covers: [1, state.through] }
  return replaceSteps(view.messages, [{ first: 1, last: state.through, message }], (one) => standing.has(one))
}

/** What was integrated, and the abstracts of pages that it does not hold. As published it is the one or the other. */
function memoryText(state: State, faithful: boolean): string {
  const isWhole = faithful && state.memory !== ''
  const fresh = isWhole ? [] : freshPages(state).filter(({ step }) => step <= state.through)
  const lines = abstractsOf(fresh.map((page) => ({ ...page, text: '' })))
  return [state.memory, ...lines].filter((line) => line !== '').join('\n')
}
