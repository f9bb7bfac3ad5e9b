import type { Json } from '@harnesswright/core'

/** The JSON object in an answer that is one, is its text, or is a text with one in it; undefined where there is none. */
export function readAnswerObject(answer: Json): Readonly<Record<string, unknown>> | undefined {
  const value = typeof answer === 'string' ? parseObject(answer) : answer
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}

function parseObject(text: string): unknown {
  const start = text.indexOf('{')
  const end = text.lastIndexOf('}')
  if (start < 0 || end < start) return undefined
  try {
    return JSON.parse(text.slice(start, end + 1))
  } catch {
    return undefined
  }
}
