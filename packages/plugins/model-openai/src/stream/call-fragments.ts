import type { ToolCall } from '@harnesswright/core'
import { fieldsOf, textOf } from '../json-fields.js'
import { JsonProgress } from './json-progress.js'

/** A piece of a call as it stands in a delta. */
interface Fragment {
  readonly index: number | undefined
  readonly id: string | undefined
  readonly name: string | undefined
  readonly text: string
}

interface OpenCall {
  readonly place: number
  readonly index: number | undefined
  id: string | undefined
  name: string | undefined
  text: string
  readonly progress: JsonProgress
}

/** What one piece added to which call. */
export interface CallDelta {
  readonly index: number
  readonly name?: string
  readonly arguments?: string
}

/**
 * Puts calls together from their pieces, also those of servers that leave out, repeat or mix up indices and ids.
 *
 * An id and an index are hints. What decides in doubt is whether the call they point at is whole: to a whole JSON object
 * nothing can be added, so what comes then begins another call, and what cannot begin a call goes on with the last one.
 */
export class CallFragments {
  readonly #calls: OpenCall[] = []
  /** A name that came after a whole call of that name: perhaps it repeats it, perhaps it begins the next. */
  #announced: string | undefined
  #isMended = false

  /** True when indices or ids contradicted what the pieces were. */
  get isMended(): boolean {
    return this.#isMended
  }

  /** Takes one entry of `tool_calls`. */
  push(entry: unknown): CallDelta | undefined {
    const fragment = readFragment(entry)
    if (fragment === undefined) return undefined
    const known = this.#target(fragment)
    if (known !== undefined && isRepetition(known, fragment)) return undefined
    if (known?.progress.isWhole === true && known.name !== undefined) this.#announced = fragment.name ?? this.#announced
    const call = known ?? this.#open(fragment)
    const name = call.name === undefined ? (fragment.name ?? this.#takeAnnounced(known)) : undefined
    call.id ??= fragment.id
    call.name ??= name
    call.text += fragment.text
    call.progress.push(fragment.text)
    return {
      index: call.place,
      ...(name === undefined ? {} : { name }),
      ...(fragment.text === '' ? {} : { arguments: fragment.text }),
    }
  }

  /** The calls, in the order in which they began. */
  calls(): readonly ToolCall[] {
    return this.#calls.map(({ id = '', name = '', text }) => ({ id, name, arguments: text }))
  }

  #open({ index, id }: Fragment): OpenCall {
    const call = { place: this.#calls.length, index, id, name: undefined, text: '', progress: new JsonProgress() }
    this.#calls.push(call)
    return call
  }

  #takeAnnounced(known: OpenCall | undefined): string | undefined {
    const name = known === undefined ? this.#announced : undefined
    if (known === undefined) this.#announced = undefined
    return name
  }

  /** The call that the fragment goes on with, or undefined when it begins one. */
  #target(fragment: Fragment): OpenCall | undefined {
    const hinted = this.#hinted(fragment)
    if (hinted !== undefined) {
      if (canGoOn(hinted, fragment)) return hinted
      this.#isMended = true
      return undefined
    }
    const last = this.#calls.at(-1)
    // The tail of a call may come under another index than its head, or under none.
    const isTail = fragment.name === undefined && fragment.id === undefined
    const isNameOfLast = fragment.index === undefined && last?.name === undefined
    if (last === undefined || !(isTail || isNameOfLast) || !canGoOn(last, fragment)) return undefined
    this.#isMended ||= fragment.index !== undefined
    return last
  }

  #hinted({ index, id, name }: Fragment): OpenCall | undefined {
    const isAt = (call: OpenCall): boolean => index === undefined || call.index === undefined || call.index === index
    const byId = id === undefined ? undefined : this.#calls.findLast((call) => call.id === id && isAt(call))
    if (byId !== undefined) return byId
    if (index !== undefined) return this.#calls.findLast((call) => call.index === index)
    const last = this.#calls.at(-1)
    return id === undefined && name !== undefined && last?.name === name ? last : undefined
  }
}

function canGoOn(call: OpenCall, fragment: Fragment): boolean {
  const { id, name, text } = fragment
  const isOtherId = id !== undefined && call.id !== undefined && id !== call.id
  const isOtherName = name !== undefined && call.name !== undefined && name !== call.name
  if (isOtherName) return false
  if (!call.progress.isWhole) return !isOtherId || name === undefined
  if (isOtherId) return false
  // A whole object takes names and blanks; more text begins another call, unless no call can begin so.
  const isTail = id === undefined && name === undefined
  return text.trim() === '' || isRepetition(call, fragment) || (isTail && !/^\s*[{["]/.test(text))
}

/** The whole call once more, by the same id: some servers repeat it at the end. */
function isRepetition(call: OpenCall, { id, text }: Fragment): boolean {
  return call.progress.isWhole && text.trim() !== '' && call.text === text && id !== undefined && id === call.id
}

function readFragment(entry: unknown): Fragment | undefined {
  const fields = fieldsOf(entry)
  if (fields === undefined) return undefined
  const made = fieldsOf(fields['function']) ?? fields
  const { index } = fields
  return {
    index: typeof index === 'number' ? index : undefined,
    id: textOf(fields['id']),
    name: textOf(made['name']),
    text: argumentText(made['arguments']),
  }
}

/** The text of arguments; some servers send the object itself. */
export function argumentText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}
