import type { Choice, JsonSchema, ModelRequest, Tool } from '@harnesswright/core'
import { partOfArguments, partOfSchema } from '../grammar/from-schema.js'
import {
  charNotOf,
  choice,
  createRuleBook,
  type Grammar,
  type Part,
  type RuleBook,
  repeat,
  row,
  text,
} from '../grammar/grammar.js'
import { CALL_CLOSE, CALL_OPEN, MAX_CALLS } from './call-form.js'

/** What of a request shapes its reply. */
export type Shaping = Pick<ModelRequest, 'tools' | 'choice' | 'schema' | 'parallelToolCalls'> &
  Partial<Pick<ModelRequest, 'messages'>>

/** The tools that a reply may call. */
export function callableTools({ tools = [], choice: asked }: Shaping): readonly Tool[] {
  if (asked === 'none') return []
  return typeof asked === 'object' ? tools.filter((tool) => tool.name === asked.tool) : tools
}

/**
 * What the reply to a request may be; undefined where any text is one.
 *
 * Calls stand at the end of a reply, in markers. Before them may stand prose, or nothing where a call is demanded. A reply
 * with a schema is JSON of it, or calls. Whoever has seen calls and has no tools any more must not write their marker.
 *
 * @throws HarnessError `E_MODEL_BAD_REQUEST` when a schema cannot be a grammar.
 */
export function replyGrammar(shaping: Shaping): Grammar | undefined {
  const { tools = [], choice: asked, schema, messages = [] } = shaping
  const callable = callableTools(shaping)
  const knowsCalls = tools.length > 0 || messages.some(({ toolCalls = [] }) => toolCalls.length > 0)
  if (schema === undefined && !knowsCalls) return undefined
  const book = createRuleBook()
  const calls = callable.length === 0 ? undefined : callsAfterMarker(callable, shaping.parallelToolCalls === true, book)
  return { root: rootPart({ calls, schema, isDemanded: isDemand(asked) }, book), rules: book.rules }
}

function isDemand(asked: Choice | undefined): boolean {
  return asked === 'required' || typeof asked === 'object'
}

interface Root {
  /** What stands after the first marker. */
  readonly calls: Part | undefined
  readonly schema: JsonSchema | undefined
  readonly isDemanded: boolean
}

function rootPart({ calls, schema, isDemanded }: Root, book: RuleBook): Part {
  const marked = calls === undefined ? [] : [row(text(CALL_OPEN), calls)]
  if (isDemanded && marked[0] !== undefined) return marked[0]
  return schema === undefined ? prose(calls, book) : choice(...marked, partOfSchema(schema, book))
}

function callsAfterMarker(tools: readonly Tool[], isParallel: boolean, book: RuleBook): Part {
  const calls = tools.map(({ name, parameters }) =>
    row(text(`{"name": ${JSON.stringify(name)}, "arguments": `), partOfArguments(parameters, book), text('}')),
  )
  const body = row(text('\n'), book.add('call', choice(...calls)), text(`\n${CALL_CLOSE}`))
  return isParallel ? row(body, repeat(row(text(`\n${CALL_OPEN}`), body), 0, MAX_CALLS - 1)) : body
}

/**
 * Text of one character or more in which the marker of a call stands nowhere but before a call, if there may be calls. One
 * rule for each number of characters of the marker that were just read; only its first character can begin it anew.
 */
function prose(calls: Part | undefined, book: RuleBook): Part {
  const marker = Array.from(CALL_OPEN)
  const [open = ''] = marker
  const states = marker.map((_, read) => book.reserve(`prose-${read}`))
  const after = (read: number): Part | undefined => (read === marker.length ? calls : states[read]?.ref)
  const steps = (read: number): readonly Part[] => {
    const wanted = marker[read] as string
    const [begin, next] = [states[0]?.ref as Part, after(read + 1)]
    return [
      row(charNotOf(read === 0 ? open : `${wanted}${open}`), begin),
      ...(next === undefined ? [] : [row(text(wanted), next)]),
      ...(read === 0 ? [] : [row(text(open), states[1]?.ref as Part)]),
    ]
  }
  states.forEach(({ define }, read) => void define(choice(...steps(read), text(''))))
  return choice(...steps(0))
}
