/** The JSON object that a text is, or has in it; undefined where there is none. */
export function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const start = text.indexOf('{')
  const end = text.lastIndexOf('}')
  if (start < 0 || end < start) return undefined
  try {
    return fieldsOf(JSON.parse(text.slice(start, end + 1)))
  } catch {
    return undefined
  }
}

/** The fields of a value that may be no object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
