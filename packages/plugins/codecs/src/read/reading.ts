import type { Json, JsonSchema, Tool } from '@harnesswright/core'

/** A call as it stands in a text. Ids are given by the kernel. */
export interface ReadCall {
  readonly name: string
  /** The arguments as they are written: what is wrong with them is told by the kernel, to the call. */
  readonly arguments: string
}

/** What a reply holds. */
export interface Reading {
  readonly calls: readonly ReadCall[]
  readonly answer?: Json
  /** What is said beside calls. */
  readonly words: string
  readonly reasoning?: string
  /** What is wrong with the whole of it, in a sentence for the model. */
  readonly fault?: string
  /** The text was cut, and only the calls before that are here. */
  readonly isPartial?: boolean
}

/** What decides how a reply is read. */
export interface ReadContext {
  /** Tools that may be called now. */
  readonly tools: ReadonlyMap<string, Tool>
  /** The reply ended because it was as long as it may be. */
  readonly isCut: boolean
  /** The shape of the answer. */
  readonly schema?: JsonSchema
  /** True for a text that stands in an observation: the reply quotes it. */
  isQuoted(text: string): boolean
}

/** The name under which a model gives its answer, unless a tool has it. */
export const FINAL_ANSWER = 'final_answer'

/** Another name of the answer, which stands where a tool is named `final_answer`. */
export const ANSWER = 'answer'

/** The name under which the answer is asked for; undefined where tools have both. */
export function answerName({ tools }: Pick<ReadContext, 'tools'>): string {
  return tools.has(FINAL_ANSWER) ? ANSWER : FINAL_ANSWER
}

/** The value that a text stands for, or undefined. */
export function parseOrUndefined(text: string): Json | undefined {
  if (text === '') return undefined // to throw takes its time
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
