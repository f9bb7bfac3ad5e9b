import type { Json, Tool } from '@harnesswright/core'

/** Characters of a description that a search shows. */
const SHOWN_CHARS = 240

/** What the search works on. */
export interface Shelf {
  readonly name: string
  readonly description: string
  /** The tools that fit, the best first. What it throws is told to the model. */
  search(query: string): readonly Tool[]
  /** Whether the model has the tool already. */
  isOffered(tool: Tool): boolean
  /** Puts tools on offer from the next step on. */
  offer(tools: readonly Tool[]): void
}

/** The tool with which the model looks for tools that are not on offer. What it finds is on offer from the next step on. */
export function createFindTools(shelf: Shelf): Tool {
  return {
    name: shelf.name,
    description: shelf.description,
    parameters: {
      type: 'object',
      properties: {
        query: {
          type: 'string',
          minLength: 1,
          maxLength: 500,
          description: 'What the tool is to do, in a few words, such as: convert a currency.',
        },
      },
      required: ['query'],
      additionalProperties: false,
    },
    execute({ query }: { readonly query: string }): Json {
      const found = shelf.search(query)
      if (found.length === 0) return `No tool fits ${JSON.stringify(query)}. Say in other words what it is to do.`
      const lines = found.map((tool) => `- ${tool.name}: ${shorten(tool.description)}${mark(shelf, tool)}`)
      shelf.offer(found)
      return `These can be called from the next step on:\n${lines.join('\n')}`
    },
  }
}

function mark(shelf: Shelf, tool: Tool): string {
  return shelf.isOffered(tool) ? ' (on offer already)' : ''
}

function shorten(text: string): string {
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS).replace(/[\ud800-\udbff]$/, '')}…` : text
}
