import { type CatalogModule, type Message, type Model, type ModelRequest, mixSeed } from '@harnesswright/core'
import { messageOf } from '@harnesswright/core/manifest'
import { createDialect, type Dialect, type ModelDialect, OPENAI_LIMITS } from '@harnesswright/plugin-manifest'
import type { Attempt, AttemptProblem } from '../compose/attempt.js'
import type { Proposal, ProposalInput, Proposer } from '../proposers/proposer.js'
import { affordable } from './affordable.js'
import { askModel } from './ask-model.js'
import type { Asking } from './asking-options.js'
import { type Asked, type Candidate, CandidateReader } from './candidates.js'
import { shorten } from './prompt/catalog-text.js'
import { retryText } from './prompt/retry-text.js'
import { systemText } from './prompt/system-text.js'
import { taskText } from './prompt/task-text.js'
import { relevanceTo } from './relevance.js'
import { REPLY_LEVELS, replySchema } from './reply/reply-schema.js'

/** Most modules that a model is shown: of more those that speak of what the task speaks of. */
const MAX_MODULES = 60
/** The schema goes with every request: it may hold so much. */
const SCHEMA_LIMITS = { ...OPENAI_LIMITS, properties: 600, nameChars: 30_000 }
/** Longest part of a reply that goes back with what is wrong with it, in characters. */
const MAX_QUOTED_CHARS = 6_000

/**
 * Proposes what a model writes: several manifests asked for at once, and, if none of them can be assembled, one more of it
 * with the problems told. What the model says is data: it names modules of the catalog, of the authorities that manifests of
 * origin `model` have, and everything it sets is checked.
 */
export function createModelProposer(model: Model, asking: Asking): Proposer {
  return { route: 'model', propose: (input) => propose(input, model, asking) }
}

async function* propose(input: ProposalInput, model: Model, asking: Asking): AsyncIterable<Proposal> {
  const { env, attempts, spending, signal } = input
  const bound = asking.dialect ?? (model.supports.jsonSchema === true ? 'openai' : 'none')
  const dialect = dialectOf(input, bound === 'gbnf' ? 'gbnf' : 'openai')
  const request = requestOf(input, dialect, { model, asking, bound })
  const paid = affordable(request, model, env.limits)
  const count = Math.min(asking.candidates, paid)
  const rule = `model ${model.id}`
  if (count < asking.candidates) {
    const because = `The limits pay for ${Math.max(0, paid)} of ${asking.candidates} candidates: composing may take a fifth of them.`
    yield { explanation: [{ rule, applies: count > 0, because }] }
  }
  if (count < 1) return
  const ask = async (asked: ModelRequest): Promise<Asked> => {
    try {
      const { timeoutMs } = asking
      return { response: await askModel(asked, { model, clock: env.clock, spending, timeoutMs, signal }) }
    } catch (error) {
      signal?.throwIfAborted()
      return { failure: shorten(messageOf(error), 500) }
    }
  }
  const reader = new CandidateReader(dialect, model.id)
  const asked = await Promise.all(
    Array.from({ length: count }, (_, index) => ask({ ...request, seed: asking.seed + index })),
  )
  for (const [index, one] of asked.entries()) yield reader.read(one, `Candidate ${index + 1} of ${count}`)
  const best = bestOf(reader.candidates, attempts)
  if (best === undefined || affordable(request, model, env.limits) < count + 1) return
  yield reader.read(await ask(again(request, best, asking.seed + count)), 'The second try')
}

/** The schema of what may be named: the same for every task, unless there are more modules than a model is shown. */
function dialectOf({ catalog, task }: ProposalInput, dialect: 'openai' | 'gbnf'): Dialect {
  const common = { dialect, inside: REPLY_LEVELS, limits: SCHEMA_LIMITS }
  const all = createDialect(catalog, common)
  if (all.modules.length <= MAX_MODULES) return all
  const rank = relevanceTo(task.instruction)
  const kept = new Set(
    all.modules
      .map(({ use }) => catalog.find(use) as CatalogModule) // the dialect is made of it
      .map((module, index) => ({ module, index, score: rank(module) }))
      .sort((a, b) => b.score - a.score || a.index - b.index)
      .slice(0, MAX_MODULES)
      .map(({ module }) => module.use),
  )
  return createDialect(catalog, { ...common, rank, only: ({ use }) => kept.has(use) })
}

interface RequestOptions {
  readonly model: Model
  readonly asking: Asking
  /** The dialect that the reply is bound by. */
  readonly bound: ModelDialect | 'none'
}

function requestOf(
  { task, env, features }: ProposalInput,
  dialect: Dialect,
  { model, asking, bound }: RequestOptions,
): ModelRequest {
  const { contextWindow = Number.POSITIVE_INFINITY, maxOutputTokens = Number.POSITIVE_INFINITY } = model
  const system = systemText(dialect.modules, contextWindow)
  return {
    purpose: 'compose',
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: taskText(task, { env, features }) },
    ],
    temperature: asking.temperature,
    maxTokens: Math.min(asking.maxTokens, maxOutputTokens),
    // One cache key for all requests with this prefix.
    session: `compose-${mixSeed(system).toString(36)}`,
    ...(bound === 'none' ? {} : { schema: { title: 'composition', ...replySchema(dialect, bound) } }),
  }
}

/** A reply that can be mended, with what is wrong with it: that with the fewest problems. */
interface Mendable {
  readonly content: string
  readonly problems: readonly AttemptProblem[]
}

function bestOf(candidates: readonly Candidate[], attempts: readonly Attempt[]): Mendable | undefined {
  const mendable = candidates.map(({ content, manifest, fault }): Mendable => {
    const problems = attempts.find((attempt) => attempt.manifest === manifest)?.problems ?? []
    const unread = {
      code: 'E_COMPOSE_REPLY',
      pointer: '',
      message: fault ?? '',
      fix: 'Reply with the JSON object alone.',
    }
    return { content, problems: fault === undefined ? problems : [unread] }
  })
  return mendable.toSorted((a, b) => a.problems.length - b.problems.length)[0]
}

function again(request: ModelRequest, { content, problems }: Mendable, seed: number): ModelRequest {
  const messages: readonly Message[] = [
    ...request.messages,
    { role: 'assistant', content: shorten(content, MAX_QUOTED_CHARS) },
    { role: 'user', content: retryText(problems) },
  ]
  return { ...request, messages, seed }
}
