import type { Json, Tool } from '@harnesswright/core'
import type { ReadCall } from '../read/reading.js'
import type { Source } from '../read/source.js'
import { matchAt } from '../read/walk-text.js'
import { typedValue } from './tag-body.js'

/** Calls that were found at a place. */
export interface FoundCalls {
  readonly calls: readonly ReadCall[]
  readonly end: number
}

type Tools = ReadonlyMap<string, Tool>

const FUNCTION = /<function=([^\s<>]{1,64})>\s*/y
const FUNCTION_END = /<\/function>/y
const PARAMETER = { open: /<parameter=([^\s<>]{1,64})>/y, close: '</parameter>' }
const KEYED = /\s*([^\s<>{}]{1,64})\s*(?=<arg_key>|<\/tool_call>)/y
const PAIR = { open: /<arg_key>\s*([^<>]{1,64}?)\s*<\/arg_key>\s*<arg_value>/y, close: '</arg_value>' }
const SPACE = /\s*/y

/** `<function=name><parameter=key>value</parameter></function>`, as some models were taught to write calls. */
export function functionAt(source: Source, at: number, tools: Tools): FoundCalls | undefined {
  const { text } = source
  const open = matchAt(FUNCTION, text, at)
  if (open === null) return undefined
  const found = readPairs(source, FUNCTION.lastIndex, PARAMETER)
  if (matchAt(FUNCTION_END, text, found.end) === null) return undefined
  return { calls: [callOf(open[1] as string, found.pairs, tools)], end: FUNCTION_END.lastIndex }
}

/** `name<arg_key>key</arg_key><arg_value>value</arg_value>`, as others were. */
export function keyedAt(source: Source, at: number, tools: Tools): FoundCalls | undefined {
  const open = matchAt(KEYED, source.text, at)
  if (open === null) return undefined
  const found = readPairs(source, KEYED.lastIndex, PAIR)
  return { calls: [callOf(open[1] as string, found.pairs, tools)], end: found.end }
}

type Pair = readonly [key: string, value: string]

interface PairTags {
  /** Its group is the key. */
  readonly open: RegExp
  readonly close: string
}

function readPairs(source: Source, start: number, { open, close }: PairTags) {
  const { text } = source
  const pairs: Pair[] = []
  let end = start
  for (let pair = matchAt(open, text, end); pair !== null; pair = matchAt(open, text, end)) {
    const from = open.lastIndex
    const to = source.closing(close, from)
    if (to < 0) break
    pairs.push([pair[1] as string, text.slice(from, to)])
    matchAt(SPACE, text, to + close.length)
    end = SPACE.lastIndex
  }
  return { pairs, end }
}

function callOf(name: string, pairs: readonly Pair[], tools: Tools): ReadCall {
  const parameters = tools.get(name)?.parameters ?? {}
  const values = pairs.map(([key, text]): [string, Json] => [key, typedValue(key, text, parameters)])
  return { name, arguments: JSON.stringify(Object.fromEntries(values)) }
}
