import type { Manifest, ModelRequest, ModelResponse } from '@harnesswright/core'
import type { Dialect } from '@harnesswright/plugin-manifest'
import type { Explanation, Likelihood, Proposal } from '../proposers/proposer.js'
import { shorten } from './prompt/catalog-text.js'
import { readReply } from './reply/read-reply.js'

/** A reply and what was made of it. */
export interface Candidate {
  readonly content: string
  readonly manifest?: Manifest
  /** Why there is no manifest. */
  readonly fault?: string
}

/** What became of a request for a candidate. */
export type Asked = { readonly request: ModelRequest; readonly response: ModelResponse } | { readonly failure: string }

/** What an endpoint that gives them says of the log-probabilities of a reply: their sum, and of how many tokens. */
function likelihoodOf({ metadata }: ModelResponse): Likelihood | undefined {
  const { logprobs } = (metadata ?? {}) as { readonly logprobs?: unknown }
  const { sum, tokens } = (logprobs ?? {}) as { readonly sum?: unknown; readonly tokens?: unknown }
  const isKnown = typeof sum === 'number' && Number.isFinite(sum) && typeof tokens === 'number' && tokens > 0
  return isKnown ? { sum, tokens } : undefined
}

/** Reads replies in turn. What was read already is not tried again. */
export class CandidateReader {
  readonly candidates: Candidate[] = []
  readonly #dialect: Pick<Dialect, 'read'>
  readonly #by: string
  readonly #seen = new Map<string, string>()

  constructor(dialect: Pick<Dialect, 'read'>, by: string) {
    this.#dialect = dialect
    this.#by = by
  }

  /** The proposal of a reply; one without a manifest says why there is none. */
  read(asked: Asked, name: string): Proposal {
    if ('failure' in asked) return { explanation: [this.#told(false, `${name}: ${asked.failure}`)] }
    const content = asked.response.content ?? ''
    const read = readReply(content, this.#dialect, this.#by)
    if (read.fault !== undefined) {
      this.candidates.push({ content, fault: read.fault })
      return { explanation: [this.#told(false, `${name}: ${read.fault}`)] }
    }
    const { manifest, analysis } = read
    const { name: _name, description: _description, metadata: _metadata, ...parts } = manifest
    const same = this.#seen.get(JSON.stringify(parts))
    if (same !== undefined) return { explanation: [this.#told(false, `${name}: the same harness as ${same}.`)] }
    this.#seen.set(JSON.stringify(parts), name)
    this.candidates.push({ content, manifest })
    const because = `${name}: ${analysis.text === '' ? 'no analysis was given.' : shorten(analysis.text, 300)}`
    const likelihood = likelihoodOf(asked.response)
    return {
      manifest,
      origin: 'model',
      analysis,
      ...(likelihood === undefined ? {} : { likelihood }),
      written: { request: asked.request, content },
      explanation: [this.#told(true, because)],
    }
  }

  #told(applies: boolean, because: string): Explanation {
    return { rule: `model ${this.#by}`, applies, because }
  }
}
