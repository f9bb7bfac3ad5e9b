import type { JsonSchema, Message } from '@harnesswright/core'
import type { ReadContext, Reading } from './read/reading.js'

/** What a model is told of how it calls tools and answers. */
export interface FormText {
  /** Name of the answer: `final_answer`, or another where a tool is named so. */
  readonly answer: string
  /** Several calls in one reply. */
  readonly isParallel: boolean
  /** The shape of the answer. */
  readonly schema?: JsonSchema
}

/** How calls and answers are written as text. */
export interface TextForm {
  readonly name: string
  /** How to reply, for the system message. */
  explain(text: FormText): string
  /** An assistant message that makes calls, as the model would have written it. */
  render(message: Message): string
  /** A reply to a request that offers tools. */
  read(text: string, context: ReadContext): Reading
  /** A reply to one that offers none. */
  readPlain(text: string, context: ReadContext): Reading
}
