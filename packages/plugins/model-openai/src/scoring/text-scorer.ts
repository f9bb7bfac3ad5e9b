import { type HarnessError, isHarnessError, type Model, type ModelRequest, type Usage } from '@harnesswright/core'
import { type Fields, fieldsOf, parseJson } from '../json-fields.js'
import type { Preset } from '../preset.js'
import { createThrottle } from '../rate-limiter.js'
import { messageDialect, type ResponderOptions, retryRules } from '../respond.js'
import { MOST_ATTEMPTS, MOST_WAITING_MS, tryAgain } from '../retry.js'
import { postJson } from '../transport/post-json.js'
import { RequestWriter } from '../wire/request-writer.js'
import { type Post, type ScoringForm, type ScoringPlace, tokensIn } from './scoring-form.js'
import { sglangScoring } from './sglang.js'
import { vllmScoring } from './vllm.js'

/** How likely a model finds a text after a prompt. */
export interface TextScore {
  /** Sum of the log-probabilities of its tokens. */
  readonly sum: number
  readonly tokens: number
  /** What the endpoint counted for saying so; absent where it did not. */
  readonly usage?: Usage
}

/** A model that tells how likely it finds a text that is given to it. */
export interface TextScoring {
  /**
   * Scores a text as the whole reply to a request, without thoughts before it. Nothing of the request counts but its messages and
   * tools. An endpoint that cannot is asked once: then every call rejects with what it said.
   *
   * @throws HarnessError `E_MODEL_*` as `generate` does; `E_MODEL_BAD_REQUEST` where it does not tell log-probabilities.
   */
  scoreText(request: ModelRequest, text: string, options: { readonly signal: AbortSignal }): Promise<TextScore>
}

/** A model of {@link createOpenAiModel}. It scores texts where its preset says how the endpoint is asked. */
export type OpenAiModel = Model & Partial<TextScoring>

const FORMS: Readonly<Record<NonNullable<Preset['scoring']>, ScoringForm>> = {
  vllm: vllmScoring,
  sglang: sglangScoring,
}

/** What scores texts, for a preset that can. */
export function createTextScorer(made: ResponderOptions): TextScoring | undefined {
  const { scoring } = made.preset
  return scoring === undefined ? undefined : new TextScorer(made, FORMS[scoring])
}

class TextScorer implements TextScoring {
  readonly #made: ResponderOptions
  readonly #form: ScoringForm
  readonly #writer: RequestWriter
  /** Tokens of prompts: several texts are scored after one. Only those that are there, as who asks for them may be aborted. */
  readonly #prompts = new WeakMap<ModelRequest, readonly number[]>()
  /** Why it cannot, once that is known. */
  #refusal: HarnessError | undefined

  constructor(made: ResponderOptions, form: ScoringForm) {
    const { options, preset } = made
    this.#made = made
    this.#form = form
    const messages = messageDialect(options, preset)
    this.#writer = new RequestWriter({ model: options.model, preset, messages, extra: options.body ?? {} })
  }

  readonly scoreText: TextScoring['scoreText'] = async (request, text, { signal }) => {
    signal.throwIfAborted()
    if (this.#refusal !== undefined) throw this.#refusal
    const place = this.#placeOf(signal)
    const once = { signal, budget: { attemptsLeft: 1, waitingLeftMs: 0 } } // what was answered wrongly is so again
    try {
      return await tryAgain(() => this.#score(request, text, place), retryRules(this.#made), once)
    } catch (error) {
      if (isHarnessError(error) && error.code === 'E_MODEL_BAD_REQUEST') this.#refusal = error
      throw error
    }
  }

  async #score(request: ModelRequest, text: string, place: ScoringPlace): Promise<TextScore> {
    const usages: (Usage | undefined)[] = []
    const prompt = await this.#promptTokens(request, place, usages)
    const body = { model: place.model, prompt: text, add_special_tokens: false }
    const tokens = tokensIn((await place.post(`${place.root}/tokenize`, body))['tokens'], 'tokens')
    const { value, usage } = await this.#form.logprobs({ prompt, text: tokens }, place)
    const counted = sumOf([...usages, usage])
    const sum = value.reduce((total, one) => total + one, 0)
    return { sum, tokens: value.length, ...(counted === undefined ? {} : { usage: counted }) }
  }

  async #promptTokens(
    request: ModelRequest,
    place: ScoringPlace,
    usages: (Usage | undefined)[],
  ): Promise<readonly number[]> {
    const known = this.#prompts.get(request)
    if (known !== undefined) return known
    const { value, usage } = await this.#form.promptTokens(this.#chatOf(request), place)
    usages.push(usage)
    this.#prompts.set(request, value)
    return value
  }

  /** What of a request the chat template is given. */
  #chatOf(request: ModelRequest): Fields {
    const { messages, tools, chat_template_kwargs } = fieldsOf(parseJson(this.#writer.write(request, false).body)) ?? {}
    return {
      messages,
      ...(tools === undefined ? {} : { tools }),
      ...(chat_template_kwargs === undefined ? {} : { chat_template_kwargs }),
    }
  }

  #placeOf(signal: AbortSignal): ScoringPlace {
    const { options, preset } = this.#made
    const api = preset.baseUrl.replace(/\/+$/, '')
    return { model: options.model, api, root: api.replace(/\/v\d+$/, ''), post: this.#post(signal) }
  }

  /** Asks as models are asked: in turn where there are limits, and again by the class of what failed. */
  #post(signal: AbortSignal): Post {
    const { options, preset, client, line } = this.#made
    const throttle = createThrottle(options, preset.baseUrl, line.clock)
    const rules = retryRules(this.#made)
    return async (address, fields) => {
      const body = JSON.stringify(fields)
      const attempt = async (): Promise<Fields> => {
        await throttle?.enter(body, signal)
        return await postJson(line, { client, address, body, signal })
      }
      return await tryAgain(attempt, rules, {
        signal,
        budget: { attemptsLeft: MOST_ATTEMPTS, waitingLeftMs: MOST_WAITING_MS },
      })
    }
  }
}

/** The counts of several requests together; unknown where the last one, which is the dear one, has none. */
function sumOf(usages: readonly (Usage | undefined)[]): Usage | undefined {
  if (usages.at(-1) === undefined) return undefined
  const known = usages.filter((one) => one !== undefined)
  const add = (name: Exclude<keyof Usage, 'source'>): number | null =>
    known.reduce<number | null>((sum, one) => (one[name] === null ? sum : (sum ?? 0) + one[name]), null)
  return {
    inputTokens: add('inputTokens'),
    cachedTokens: add('cachedTokens'),
    outputTokens: add('outputTokens'),
    reasoningTokens: add('reasoningTokens'),
    source: known.every(({ source }) => source === 'known') ? 'known' : 'unknown',
  }
}
