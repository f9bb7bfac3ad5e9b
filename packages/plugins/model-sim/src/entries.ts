import type { Message } from '@harnesswright/core'
import { textOf, tokensOf } from './measure.js'

/** A stretch of the view that can be folded, flushed or cited: what stands under a heading such as `[Step 12]`. */
export interface Entry {
  /** `Step`, `Compressed Step`, `Node`, `Page`. */
  readonly kind: string
  readonly first: number
  /** The same as `first` unless the heading names a range. */
  readonly last: number
  readonly text: string
  readonly tokens: number
}

const HEADING = /^[ \t>*-]*\[((?:[A-Z][a-z]+ )?[A-Z][a-z]+) (\d+)(?: to (\d+))?\]/gm

/**
 * The entries in view, in order, each heading once. An entry goes on to the next heading, over calls and results, and ends
 * with the next user message: what a harness says there is none of it.
 */
export function readEntries(messages: readonly Message[]): readonly Entry[] {
  const entries = new Map<string, Entry>()
  let current: string | undefined
  const add = (text: string): void => {
    const entry = current === undefined ? undefined : entries.get(current)
    if (current === undefined || entry === undefined || text === '') return
    const joined = entry.text === '' ? text : `${entry.text}\n${text}`
    entries.set(current, { ...entry, text: joined, tokens: tokensOf(joined.length) })
  }
  for (const message of messages) {
    if (message.role === 'system') continue
    if (message.role === 'user') current = undefined
    const text = textOf(message)
    let at = 0
    for (const match of text.matchAll(HEADING)) {
      add(text.slice(at, match.index))
      const [heading = '', kind = '', first = '', last = first] = match
      current = `${kind} ${first} ${last}`
      if (!entries.has(current)) {
        entries.set(current, { kind, first: Number(first), last: Number(last), text: '', tokens: 0 })
      }
      at = match.index + heading.length
    }
    add(text.slice(at))
    for (const call of message.toolCalls ?? []) add(`${call.name} ${call.arguments}`)
  }
  return [...entries.values()]
}

/** The steps behind whatever was folded last: each is one entry still. */
export function rawSteps(entries: readonly Entry[]): readonly Entry[] {
  const steps = entries.filter(({ kind }) => kind.endsWith('Step'))
  return steps.slice(steps.findLastIndex(({ first, last }) => first !== last) + 1)
}
