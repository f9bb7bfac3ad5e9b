import { type Model, type ModelInfo, systemClock } from '@harnesswright/core'
import { registerBudgeted } from './budgeted.js'
import { checkOptions } from './check-options.js'
import { redactor } from './failure/redact.js'
import type { OpenAiModelOptions } from './options.js'
import type { Preset } from './preset.js'
import { createResponder, type ResponderOptions } from './respond.js'
import { MOST_ATTEMPTS, MOST_WAITING_MS } from './retry.js'
import { createTextScorer, type OpenAiModel } from './scoring/text-scorer.js'
import { createClient } from './transport/client.js'
import { waitsOf } from './transport/waits.js'

/**
 * A model behind an endpoint that speaks the Chat Completions interface. It streams when the caller wants pieces, ends
 * every wait, tries again by the class of what failed, and never invents usage or a price.
 *
 * The package `openai` is loaded at the first request. `generate` throws HarnessError `E_MODEL_*` by class,
 * `E_PROTOCOL_LOAD` when `openai` is not installed, and the reason of the signal when that is aborted.
 *
 * @throws HarnessError `E_OPENAI_OPTIONS` when an option has a value that means nothing.
 */
export function createOpenAiModel(options: OpenAiModelOptions): OpenAiModel {
  const preset = checkOptions(options)
  const info = infoOf(options, preset)
  const { apiKey, headers = {}, fetch, clock = systemClock } = options
  const address = new URL(preset.baseUrl)
  const redact = redactor([...(apiKey === undefined ? [] : [apiKey]), ...secretHeaders(headers), address.password])
  const made: ResponderOptions = {
    id: info.id,
    options,
    preset,
    redact,
    client: createClient({ baseUrl: preset.baseUrl, apiKey, headers, fetch }),
    line: {
      clock,
      waits: waitsOf(options, preset.local === true || preset.thinks === true),
      where: `${address.origin}${address.pathname}`,
    },
  }
  const respond = createResponder(made)
  const scorer = createTextScorer(made)
  const model: OpenAiModel = Object.freeze({
    ...info,
    ...(scorer === undefined ? {} : { scoreText: scorer.scoreText }),
    generate: (...[request, called]: Parameters<Model['generate']>) =>
      respond(request, called, { attemptsLeft: MOST_ATTEMPTS, waitingLeftMs: MOST_WAITING_MS }),
  })
  registerBudgeted(model, respond)
  return model
}

/** Values of headers that may be keys: all but short ones, which would be found in any text. */
function secretHeaders(headers: Readonly<Record<string, string>>): readonly string[] {
  const values = Object.values(headers).filter((value) => value.length >= 8)
  return [...values, ...values.map((value) => value.replace(/^\S+\s+/, '')).filter((value) => value.length >= 8)]
}

function infoOf(options: OpenAiModelOptions, preset: Preset): ModelInfo {
  const { id = options.model, contextWindow, maxOutputTokens, price } = options
  const { form = 'json_schema' } = preset.structured ?? {}
  return {
    id,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    supports: {
      tools: preset.tools !== false,
      jsonSchema: form === 'json_schema',
      stream: true,
      ...(options.body?.['logprobs'] === true ? { logprobs: true } : {}),
      parallelToolCalls: preset.tools !== false && preset.parallelToolCalls === true,
    },
    ...(price === undefined ? {} : { price }),
    ...(preset.simulated === true ? { simulated: true } : {}),
  }
}
