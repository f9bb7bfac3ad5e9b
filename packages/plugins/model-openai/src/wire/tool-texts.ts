import type { Tool } from '@harnesswright/core'
import { fitsWire, SAME_NAMES, type ToolNames } from './tool-names.js'

interface Kept {
  readonly name: string
  readonly description: string
  readonly parameters: object
  readonly text: string
  readonly isPlain: boolean
}

/** Writes the tools of requests, which are the same in every one: the text of a tool is kept as long as the tool is. */
export class ToolTexts {
  readonly #kept = new WeakMap<Tool, Kept>()

  /** The tools as one JSON list without its brackets, or undefined when one has a name that does not fit the wire. */
  plain(tools: readonly Tool[]): string | undefined {
    let list = ''
    for (const tool of tools) {
      const known = this.#kept.get(tool)
      const kept = known !== undefined && isSame(known, tool) ? known : this.#write(tool)
      if (!kept.isPlain) return undefined
      list += list === '' ? kept.text : `,${kept.text}`
    }
    return list
  }

  /** The same with names that are mapped. */
  mapped(tools: readonly Tool[], names: ToolNames): string {
    return tools.map((tool) => toolText(tool, names)).join(',')
  }

  #write(tool: Tool): Kept {
    const { name, description, parameters } = tool
    const kept = { name, description, parameters, text: toolText(tool, SAME_NAMES), isPlain: fitsWire(name) }
    this.#kept.set(tool, kept)
    return kept
  }
}

function isSame(was: Kept, { name, description, parameters }: Tool): boolean {
  return was.name === name && was.description === description && was.parameters === parameters
}

function toolText({ name, description, parameters }: Tool, names: ToolNames): string {
  return JSON.stringify({ type: 'function', function: { name: names.toWire(name), description, parameters } })
}
