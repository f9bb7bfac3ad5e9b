import type { Step, ToolCall } from '@harnesswright/core'

type Asked = Pick<ToolCall, 'name' | 'arguments'>

/** True for calls of one tool with the same arguments, in whatever order and spacing these are written. */
export function isSameCall(one: Asked, other: Asked): boolean {
  return (
    one.name === other.name &&
    (one.arguments === other.arguments || inOneForm(one.arguments) === inOneForm(other.arguments))
  )
}

/**
 * The step in which the same call was made before; undefined where there is none.
 *
 * @param counted - Whether a call that failed counts too.
 */
export function madeBefore(
  history: readonly Step[],
  call: Asked,
  counted: { readonly failed: boolean },
): number | undefined {
  return history.find(({ action, observations }) => {
    if (action.kind !== 'call') return false
    const same = action.calls.filter((made) => isSameCall(made, call)).map(({ id }) => id)
    return observations.some(({ callId, ok }) => same.includes(callId) && (ok || counted.failed))
  })?.index
}

function inOneForm(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (_name, value: unknown) => (isObject(value) ? inOrder(value) : value))
  } catch {
    return text // of a call that was broken
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function inOrder(value: object): object {
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
}
