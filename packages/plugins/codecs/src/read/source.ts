import { type JsonFault, type ScannedJson, scanJson } from './json-scan.js'
import { type Mended, mendObject } from './mend.js'

/** Objects out of form that are mended in one reply. */
const MAX_MENDED = 8
/** A reply is looked at so many times over, before its brackets are only words. */
const MAX_PASSES = 8

/** The text of a reply with all that looks ahead in it: the work is bounded, whatever stands there. */
export class Source {
  readonly text: string
  readonly #closings = new Map<string, number>()
  #left: number
  #mended = 0

  constructor(text: string) {
    this.text = text
    this.#left = MAX_PASSES * text.length + 10_000
  }

  /** The JSON value that begins at a place, or where it breaks. */
  scan(at: number): ScannedJson | JsonFault {
    if (this.#left <= 0) return { at, expected: 'less to read' }
    const scanned = scanJson(this.text, at)
    this.#left -= ('end' in scanned ? scanned.end : scanned.at) - at + 32
    return scanned
  }

  /** The object that begins at a place and is out of form. */
  mend(at: number): Mended | undefined {
    return this.#mended++ < MAX_MENDED ? mendObject(this.text, at) : undefined
  }

  /** Where a tag is closed; -1 where it is not. */
  closing(tag: string, from: number): number {
    const last = this.#closings.get(tag) ?? this.text.lastIndexOf(tag)
    this.#closings.set(tag, last)
    return from > last ? -1 : this.text.indexOf(tag, from)
  }
}
