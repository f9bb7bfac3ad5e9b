/** A call as it stands on the wire. Everything may be missing: it is what some endpoint or harness sent. */
export interface WireCall {
  readonly id?: string
  readonly type?: string
  readonly index?: number
  readonly function?: { readonly name?: string; readonly arguments?: string }
}

/** A message as it stands on the wire. */
export interface WireMessage {
  readonly role?: string
  readonly content?: unknown
  readonly tool_calls?: readonly WireCall[]
  readonly tool_call_id?: string
  readonly [field: string]: unknown
}

/** Body of a chat request. A body that is none has no messages. */
export interface ChatBody {
  readonly model?: string
  readonly stream?: boolean
  readonly messages: readonly WireMessage[]
  readonly [field: string]: unknown
}

/** The body of a request, or undefined where the text is none: no JSON object, or one without a list of messages. */
export function readChatBody(text: string): ChatBody | undefined {
  const value = parseJson(text)
  if (!isRecord(value) || !Array.isArray(value['messages'])) return undefined
  return value['messages'].every(isRecord) ? (value as unknown as ChatBody) : undefined
}

/** What a text is as JSON, or undefined where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** True for an object that is no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text of a message, whichever form its content has. */
export function textOf({ content }: Pick<WireMessage, 'content'>): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: unknown) => (isRecord(part) ? String(part['text'] ?? '') : '')).join('')
}

/** One call. Without an id where the first parameter is undefined. */
export function wireCall(id: string | undefined, name: string, args: string): WireCall {
  return { ...(id === undefined ? {} : { id }), type: 'function', function: { name, arguments: args } }
}
