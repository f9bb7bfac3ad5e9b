import { fieldsOf } from '../json-fields.js'
import { readUsage } from '../wire/usage.js'
import { allTold, choiceOf, notTold, type ScoringForm, tokensIn } from './scoring-form.js'

const FIELD = 'prompt_logprobs'

/**
 * vLLM: `/tokenize` writes the chat template, and a completion of the tokens tells `prompt_logprobs`: for each place the tokens
 * it knows of by their ids, null for the first. With 0 it is the token itself alone.
 *
 * Sources: vllm/entrypoints/serve/tokenize/protocol.py and vllm/entrypoints/openai/completion/protocol.py of vLLM.
 */
export const vllmScoring: ScoringForm = {
  async promptTokens(chat, { model, root, post }) {
    const { tokens } = await post(`${root}/tokenize`, { model, ...chat, add_generation_prompt: true })
    return { value: tokensIn(tokens, 'tokens'), usage: undefined }
  },
  async logprobs({ prompt, text }, { model, api, post }) {
    const body = { model, prompt: [...prompt, ...text], max_tokens: 1, temperature: 0, [FIELD]: 0 }
    const reply = await post(`${api}/completions`, body)
    const places = choiceOf(reply)[FIELD]
    if (!Array.isArray(places) || places.length !== prompt.length + text.length) throw notTold(FIELD)
    const found = text.map((id, at) => fieldsOf(fieldsOf(places[prompt.length + at])?.[String(id)])?.['logprob'])
    return { value: allTold(found, FIELD), usage: readUsage(fieldsOf(reply['usage'])) }
  },
}
