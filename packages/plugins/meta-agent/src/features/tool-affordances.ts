import type { Tool } from '@harnesswright/core'

/** What the tools on offer can do, told from their names and parameters. */
export interface Affordances {
  readonly hasReadTool: boolean
  readonly hasWriteTool: boolean
  readonly hasSearchTool: boolean
}

const PLACE = /path|file|url|uri|page|address|href|link|document/
const CONTENT = /content|text|data|body/
const QUERY = /query|pattern|question|keyword|term|phrase|^q$|^text$/

/** A tool that reads takes a place, one that writes a place and content, one that searches a query. */
export function findAffordances(tools: readonly Tool[]): Affordances {
  const offered = tools.map((tool) => ({ verbs: wordsOf(tool.name), parameters: parametersOf(tool) }))
  const some = (verb: RegExp, ...kinds: readonly RegExp[]): boolean =>
    offered.some(({ verbs, parameters }) => {
      return verbs.some((word) => verb.test(word)) && kinds.every((kind) => parameters.some((name) => kind.test(name)))
    })
  return {
    hasReadTool: some(/^(?:read|open|get|fetch|load|view|cat|download|browse)$/, PLACE),
    hasWriteTool: some(/^(?:write|save|store|create|append|put|edit)$/, PLACE, CONTENT),
    hasSearchTool: some(/^(?:search|find|query|grep|lookup|retrieve)$/, QUERY),
  }
}

/** `readFile`, `read_file` and `fs.read-file` have the same words. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
}

function parametersOf({ parameters }: Tool): readonly string[] {
  const properties = parameters['properties']
  return typeof properties === 'object' && properties !== null
    ? Object.keys(properties).map((name) => name.toLowerCase())
    : []
}
