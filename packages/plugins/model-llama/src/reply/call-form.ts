/** How a call stands in the text of a reply. Many small models were taught these markers. */
export const CALL_OPEN = '<tool_call>'
export const CALL_CLOSE = '</tool_call>'

/** Most calls in one reply. */
export const MAX_CALLS = 8

/** A call as the text of a reply, with its arguments as they are. */
export function callText(name: string, args: string): string {
  return `${CALL_OPEN}\n{"name": ${JSON.stringify(name)}, "arguments": ${args}}\n${CALL_CLOSE}`
}
