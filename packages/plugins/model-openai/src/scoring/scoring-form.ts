import type { Usage } from '@harnesswright/core'
import { Failure } from '../failure/failure.js'
import { type Fields, fieldsOf } from '../json-fields.js'

/** Asks the endpoint something at an address, and gives the object that it answers with. */
export type Post = (address: string, body: object) => Promise<Fields>

/** Where an endpoint is, and which model is meant. */
export interface ScoringPlace {
  readonly model: string
  /** Address up to and without `/chat/completions`. */
  readonly api: string
  /** Address of the server: `api` without its version. */
  readonly root: string
  readonly post: Post
}

/** What was had from an endpoint, and what it counted for it. */
interface Had<Value> {
  readonly value: Value
  readonly usage: Usage | undefined
}

/** The tokens of a prompt, and of a text that comes after it. */
interface ScoredTokens {
  readonly prompt: readonly number[]
  readonly text: readonly number[]
}

/** How a server tells the log-probabilities of a given text. */
export interface ScoringForm {
  /** The tokens of a prompt as the chat template writes it, up to where the reply begins. */
  promptTokens(chat: Fields, place: ScoringPlace): Promise<Had<readonly number[]>>
  /** The log-probability of each token of the text. */
  logprobs(tokens: ScoredTokens, place: ScoringPlace): Promise<Had<readonly number[]>>
}

/** @throws Failure when the value is no list of tokens. */
export function tokensIn(value: unknown, name: string): readonly number[] {
  if (Array.isArray(value) && value.length > 0 && value.every((one) => Number.isSafeInteger(one))) return value
  throw notTold(name)
}

/** The first of the choices. */
export function choiceOf({ choices }: Fields): Fields {
  return (Array.isArray(choices) ? fieldsOf(choices[0]) : undefined) ?? {}
}

/** @throws Failure when a log-probability is missing. */
export function allTold(found: readonly unknown[], name: string): readonly number[] {
  if (found.every((one): one is number => typeof one === 'number' && Number.isFinite(one))) return found
  throw notTold(name)
}

/** The endpoint knows the request, and does not tell what was asked for. */
export function notTold(name: string): Failure {
  return new Failure('E_MODEL_BAD_REQUEST', { message: `The endpoint answered without "${name}"` })
}
