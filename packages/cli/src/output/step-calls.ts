import type { HarnessEvent } from '@harnesswright/core'
import { cleanLine } from '../text/clean.js'

/** The calls of the step under way, of each run of a tree: what a finished step is told by. */
export class StepCalls {
  readonly #byPath: Map<string, Map<string, string>> = new Map()

  /** Takes in one event. */
  take(event: HarnessEvent): void {
    if (event.type === 'step-start') this.#byPath.set(event.path, new Map())
    if (event.type === 'tool-start') this.#of(event).set(event.callId, callText(event))
    if (event.type === 'tool-end' && !event.observation.ok) {
      const calls = this.#of(event)
      calls.set(event.callId, `${calls.get(event.callId) ?? event.tool} failed`)
    }
    if (event.type === 'run-end') this.#byPath.delete(event.path)
  }

  /** The calls of a finished step, else its action. */
  textOf(event: HarnessEvent & { readonly type: 'step-end' }): string {
    const calls = [...this.#of(event).values()]
    return calls.length > 0 ? calls.join(', ') : event.action
  }

  #of({ path }: HarnessEvent): Map<string, string> {
    const calls = this.#byPath.get(path) ?? new Map<string, string>()
    this.#byPath.set(path, calls)
    return calls
  }
}

/** A call with its arguments in a few characters. */
export function callText({ tool, arguments: text }: HarnessEvent & { readonly type: 'tool-start' }): string {
  try {
    const values = Object.values(JSON.parse(text) as object).map((value) => JSON.stringify(value))
    return `${tool}(${cleanLine(values.join(', '), 48)})`
  } catch {
    return `${tool}(…)`
  }
}
