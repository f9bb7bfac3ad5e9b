import { HarnessError, type Model, type ModelRequest, type Usage } from '@harnesswright/core'
import { messageOf } from '@harnesswright/core/manifest'
import { TOKENS_PER_BYTE } from '../model/affordable.js'
import { askModel } from '../model/ask-model.js'
import { shorten } from '../model/prompt/catalog-text.js'
import type { Likelihood, Written } from '../proposers/proposer.js'
import type { SelectCandidate, SelectInput } from './selector.js'

/** A model that says how likely it finds a text, as models of plugin-model-openai for vLLM and SGLang do. */
interface ScoringModel extends Model {
  scoreText(
    request: ModelRequest,
    text: string,
    options: { readonly signal: AbortSignal },
  ): Promise<Likelihood & { readonly usage?: Usage }>
}

function isScoring(model: Model): model is ScoringModel {
  return typeof (model as Partial<ScoringModel>).scoreText === 'function'
}

/** How likely a model finds each of the candidates as it was written, or why that is not known. */
export type TextScores = { readonly likelihoods: readonly Likelihood[] } | { readonly why: string }

/**
 * Asks how likely the model finds what was written, all of it after one prompt. The first is asked alone: an endpoint that does
 * not tell is asked no more. Each is a call of the composition, of the purpose `score`.
 */
export async function textScores(
  candidates: readonly SelectCandidate[],
  input: SelectInput,
  { model, timeoutMs }: { readonly model: Model; readonly timeoutMs: number },
): Promise<TextScores> {
  const { spending, env, signal } = input
  if (!isScoring(model)) return { why: 'its model is none that can be given a text' }
  const texts = candidates.flatMap(({ written }) => written ?? [])
  const [first, ...others] = texts
  if (first === undefined || texts.length < candidates.length) return { why: 'not all were written by a model' }
  if (others.some(({ request }) => promptOf(request) !== promptOf(first.request)))
    return { why: 'they were not written after one prompt' }
  const most = Math.max(...texts.map(({ content }) => Buffer.byteLength(content)))
  const maxTokens = Math.ceil(most * TOKENS_PER_BYTE) + 1 // nothing is written, but the text is sent too
  const request: ModelRequest = { ...first.request, purpose: 'score', maxTokens }
  if (spending.affords(request, model, env.limits) < texts.length) return { why: 'the limits do not pay for it' }
  const scoreOf = ({ content }: Written): Promise<Likelihood> =>
    scoreText(request, content, { model, input, timeoutMs })
  try {
    const known = await scoreOf(first)
    return { likelihoods: [known, ...(await Promise.all(others.map(scoreOf)))] }
  } catch (error) {
    signal?.throwIfAborted()
    return { why: shorten(messageOf(error), 300).replace(/\.+$/, '') }
  }
}

const promptOf = ({ messages }: ModelRequest): string => JSON.stringify(messages)

async function scoreText(
  request: ModelRequest,
  text: string,
  {
    model,
    input: { env, spending, signal },
    timeoutMs,
  }: { readonly model: ScoringModel; readonly input: SelectInput; readonly timeoutMs: number },
): Promise<Likelihood> {
  let score: Likelihood | undefined
  const scorer: Model = {
    ...model,
    generate: async (asked, options) => {
      const { sum, tokens, usage } = await model.scoreText(asked, text, options)
      score = { sum, tokens }
      return { content: '', finish: 'stop', ...(usage === undefined ? {} : { usage }) }
    },
  }
  await askModel(request, { model: scorer, clock: env.clock, spending, timeoutMs, signal })
  if (score !== undefined && Number.isFinite(score.sum) && score.tokens > 0) return score
  throw new HarnessError('E_MODEL_BAD_REQUEST', { message: `The model "${model.id}" scored a text with no number.` })
}
