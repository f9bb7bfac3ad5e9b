/** A call of a tool as the model made it. */
export interface ToolCall {
  /** Given by the kernel: the model's own if it is safe and new in the run, else `c<step>_<n>`. */
  readonly id: string
  readonly name: string
  /** The text of a JSON object: the model's own text, so that the prefix of the next request does not change. */
  readonly arguments: string
}

/** A part of a message with more than text in it. */
export type Part = { readonly type: 'text'; readonly text: string } | { readonly type: 'image'; readonly url: string }

/** Who speaks, in the words of the Chat Completions interface. */
export type Role = 'system' | 'user' | 'assistant' | 'tool'

/**
 * One message, in the roles and shapes of the Chat Completions interface.
 *
 * `id`, `step`, `covers` and `note` belong to the kernel and to memory modules and are never sent.
 */
export interface Message {
  readonly role: Role
  readonly content: string | readonly Part[]
  /** On an assistant message: the calls it makes. */
  readonly toolCalls?: readonly ToolCall[]
  /** On a tool message: the call it answers. */
  readonly callId?: string
  /** What a reasoning model thought before it spoke. */
  readonly reasoning?: string
  /** Stable for the run and unique in it; given by the kernel. */
  readonly id?: string
  /** The step that appended the message, from 1; absent on the head and on what a memory module wrote. */
  readonly step?: number
  /** On a message that a memory module wrote: the first and the last step it stands for. */
  readonly covers?: readonly [first: number, last: number]
  /** Why a user message is here: `plan`, `review`, `summary`, `feedback`, `result`, … */
  readonly note?: string
  /** The reply as the endpoint sent it, for the codec that decoded it: sent back byte for byte. */
  readonly wire?: { readonly codec: string; readonly content: string }
}
