import { objectText } from '../json/object-text.js'
import { wellFormed } from '../json/text.js'
import type { ToolCall } from '../types/index.js'

/** Where a run notes that texts of broken arguments came. */
export interface BrokenMark {
  /** Notes it. */
  add(name: 'broken'): unknown
}

/** What canonical calls need of a run. */
export interface CallBook {
  readonly callIds: Set<string>
  readonly brokenArguments: Map<string, string>
  /** Told that the texts are to be made durable. */
  readonly changed: BrokenMark
  readonly turn: {
    readonly step: number
    /** Arguments of the calls of this step's replies that no action has made yet, by id. */
    readonly openCalls: Map<string, string>
  }
}

const SAFE_ID = /^[a-zA-Z0-9_-]{1,64}$/

/** Calls with ids that are safe and new in the run, and arguments that are the text of a JSON object. `isCut`: the reply was. */
export function canonicalCalls(book: CallBook, calls: readonly ToolCall[], isCut = false): readonly ToolCall[] {
  const canonical = calls.map((call, index) => canonicalCall(book, call, index, isCut))
  for (const { id, arguments: text } of canonical) book.turn.openCalls.set(id, text)
  return canonical
}

/** The calls of an action: those of this step's replies as they are, others made canonical. */
export function actionCalls(book: CallBook, calls: readonly ToolCall[]): readonly ToolCall[] {
  return calls.map((call, index) => {
    const said = book.turn.openCalls.get(call.id)
    const isOwn = said !== undefined && (said === call.arguments || objectText(call.arguments) === call.arguments)
    book.turn.openCalls.delete(call.id)
    if (!isOwn) return canonicalCall(book, call, index)
    return Object.isFrozen(call) ? call : { id: call.id, name: call.name, arguments: call.arguments }
  })
}

function canonicalCall(book: CallBook, call: ToolCall, index: number, isCut = false): ToolCall {
  const id = takeId(book, call.id, index)
  // A model plugin may hand over a value where the type says text.
  const given: unknown = call.arguments ?? ''
  const said = typeof given === 'string' ? given : JSON.stringify(given)
  const text = isCut && said.trim() === '' ? undefined : objectText(wellFormed(said)) // nothing yet is not an empty object
  if (text === undefined) {
    book.brokenArguments.set(id, said)
    book.changed.add('broken')
  }
  return { id, name: wellFormed(call.name ?? ''), arguments: text ?? '{}' }
}

function takeId(book: CallBook, asked: string | undefined, index: number): string {
  let id =
    asked !== undefined && SAFE_ID.test(asked) && !book.callIds.has(asked) ? asked : `c${book.turn.step}_${index + 1}`
  for (let extra = 2; book.callIds.has(id); extra++) id = `c${book.turn.step}_${index + 1}_${extra}`
  book.callIds.add(id)
  return id
}
