import { fieldsOf } from '../json-fields.js'
import { readUsage } from '../wire/usage.js'
import { allTold, choiceOf, notTold, type ScoringForm, tokensIn } from './scoring-form.js'

const FIELD = 'input_token_logprobs'

/**
 * SGLang from 0.5.13 on: a chat completion of one token tells the tokens of its prompt, and `/generate` of all tokens tells
 * `input_token_logprobs`, from a place on: `[log-probability, token, text]` each, the first of them null.
 *
 * Sources: python/sglang/srt/entrypoints/openai/protocol.py and the page on sampling parameters of SGLang.
 */
export const sglangScoring: ScoringForm = {
  async promptTokens(chat, { model, api, post }) {
    const body = { model, ...chat, max_tokens: 1, temperature: 0, return_prompt_token_ids: true }
    const reply = await post(`${api}/chat/completions`, body)
    const value = tokensIn(choiceOf(reply)['prompt_token_ids'], 'prompt_token_ids')
    return { value, usage: readUsage(fieldsOf(reply['usage'])) }
  },
  async logprobs({ prompt, text }, { root, post }) {
    const reply = await post(`${root}/generate`, {
      input_ids: [...prompt, ...text],
      sampling_params: { max_new_tokens: 1, temperature: 0 },
      return_logprob: true,
      logprob_start_len: prompt.length - 1, // the place before the text, which has none of its own
    })
    const told = fieldsOf(reply['meta_info'])
    const places = told?.[FIELD]
    if (!Array.isArray(places) || places.length < text.length) throw notTold(FIELD)
    const last: readonly unknown[] = places.slice(-text.length)
    const found = text.map((id, at) => {
      const place = last[at]
      return Array.isArray(place) && place[1] === id ? place[0] : undefined
    })
    return { value: allTold(found, FIELD), usage: readUsage(told) }
  },
}
