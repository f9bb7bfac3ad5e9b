import { type CatalogModule, type Message, type Model, type ModelRequest, mixSeed } from '@harnesswright/core'
import { messageOf } from '@harnesswright/core/manifest'
import { createDialect, type Dialect, type ModelDialect, OPENAI_LIMITS } from '@harnesswright/plugin-manifest'
import type { Proposal, ProposalInput, Proposer } from '../proposers/proposer.js'
import { type Aliases, aliasesOf } from './aliases.js'
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
 * Proposes what a model writes: several manifests asked for at once, and, if nothing of it can be read as one, one more with
 * the fault told. What the model says is data: it names modules of the catalog, of the authorities that manifests of
 * origin `model` have, and everything it sets is checked.
 */
export function createModelProposer(model: Model, asking: Asking): Proposer {
  return { route: 'model', propose: (input) => propose(input, model, asking) }
}

async function* propose(input: ProposalInput, model: Model, asking: Asking): AsyncIterable<Proposal> {
  const { env, spending, signal } = input
  const bound = asking.dialect ?? (model.supports.jsonSchema === true ? 'openai' : 'none')
  const dialect = dialectOf(input, bound === 'gbnf' ? 'gbnf' : 'openai')
  const aliases = aliasesOf(dialect.modules)
  const request = requestOf(input, dialect, { model, asking, bound, aliases })
  const paid = spending.affords(request, model, env.limits)
  const wanted = input.count
  const count = Math.min(wanted, paid)
  const rule = `model ${model.id}`
  if (count < wanted) {
    const because = `The limits pay for ${paid} of ${wanted} candidates: composing may take a fifth of them.`
    yield { explanation: [{ rule, applies: count > 0, because }] }
  }
  if (count < 1) return
  const ask = async (asked: ModelRequest): Promise<Asked> => {
    try {
      const { timeoutMs } = asking
      return {
        request: asked,
        response: await askModel(asked, { model, clock: env.clock, spending, timeoutMs, signal }),
      }
    } catch (error) {
      signal?.throwIfAborted()
      return { failure: shorten(messageOf(error), 500) }
    }
  }
  const reader = new CandidateReader({ read: (value) => dialect.read(aliases.lengthen(value)) }, model.id)
  const asked = await Promise.all(
    Array.from({ length: count }, (_, index) => ask({ ...request, seed: asking.seed + index })),
  )
  for (const [index, one] of asked.entries()) yield reader.read(one, `Candidate ${index + 1} of ${count}`)
  const unread = reader.candidates[0]
  const isRead = reader.candidates.some(({ manifest }) => manifest !== undefined)
  if (unread === undefined || isRead || spending.affords(request, model, env.limits) < 1) return
  yield reader.read(await ask(again(request, unread, asking.seed + count)), 'The second try')
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
  readonly aliases: Aliases
}

function requestOf(
  { task, env, features, references }: ProposalInput,
  dialect: Dialect,
  { model, asking, bound, aliases }: RequestOptions,
): ModelRequest {
  const { contextWindow = Number.POSITIVE_INFINITY, maxOutputTokens = Number.POSITIVE_INFINITY } = model
  const named = dialect.modules.map((module) => ({ ...module, use: aliases.short(module.use) }))
  const system = systemText(named, contextWindow)
  return {
    purpose: 'compose',
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: taskText(task, { env, features, references, short: aliases.short }) },
    ],
    temperature: asking.temperature,
    maxTokens: Math.min(asking.maxTokens, maxOutputTokens),
    // One cache key for all requests with this prefix.
    session: `compose-${mixSeed(system).toString(36)}`,
    ...(bound === 'none' ? {} : { schema: { title: 'composition', ...aliases.shorten(replySchema(dialect, bound)) } }),
  }
}

function again(request: ModelRequest, { content, fault = '' }: Candidate, seed: number): ModelRequest {
  const fix = 'Reply with the JSON object alone.'
  const messages: readonly Message[] = [
    ...request.messages,
    { role: 'assistant', content: shorten(content, MAX_QUOTED_CHARS) },
    { role: 'user', content: retryText([{ code: 'E_COMPOSE_REPLY', pointer: '', message: fault, fix }]) },
  ]
  return { ...request, messages, seed }
}
