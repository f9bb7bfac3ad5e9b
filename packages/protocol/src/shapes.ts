import type { Message } from './types/index.js'

/** Fields of a value that may be anything. */
export type Fields = Readonly<Record<string, unknown>>

/** The fields of a value; none where it is no object. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

/** Whether it is the reply of a model. */
export function isReply({ content, toolCalls }: Fields): boolean {
  return typeof content === 'string' && Array.isArray(toolCalls)
}

/** What is not clearly one of these must not pass for a permission. */
export function isDecision({ allow, deny, reason, answer, ask }: Fields): boolean {
  if (deny !== undefined) return deny === true && typeof reason === 'string'
  return allow === true || answer !== undefined || typeof ask === 'string'
}

/** Whether it is a message. */
export function isMessage(value: unknown): value is Message {
  const { role, content } = fieldsOf(value)
  return typeof role === 'string' && (typeof content === 'string' || Array.isArray(content))
}
