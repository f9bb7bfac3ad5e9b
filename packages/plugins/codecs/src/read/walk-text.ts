/** What a text is beside what a form took out of it. */
export interface WalkedText {
  /** The pieces between what was taken, as they are written, without thinking and observations. */
  readonly pieces: readonly string[]
  /** What stands between the tags of thinking. */
  readonly reasoning?: string
}

/** Something that a form found in a text. */
export interface Taken {
  readonly end: number
  /** It is looked at no further, and stays a part of the words. */
  readonly stays?: boolean
}

/** A form's own syntax. */
export interface Taker {
  /** Called at every place where something may begin; gives undefined when there are only words. */
  takeAt(at: number): Taken | undefined
  /** All that was taken stood in thinking of which the template of the model wrote the opening tag. */
  forget(): void
}

const THINKING = /<(think|thinking|reasoning)>/iy
const THINKING_END = /<\/(?:think|thinking|reasoning)>/iy
const OBSERVATION = /<((?:observation|result)-[a-z0-9]+)\b[^>]*>/y

/**
 * Walks through a reply. Thinking is set aside and an observation that the model quotes or makes up is passed over: nothing
 * in them is a call. After an observation that is not closed nothing more is read.
 */
export function walkText(text: string, taker: Taker): WalkedText {
  const places = /[<{[]/g // where a value, a tag, thinking or an observation may begin
  const pieces: string[] = []
  const thoughts: string[] = []
  let from = 0
  const passTo = (at: number, end: number): void => {
    pieces.push(text.slice(from, at))
    from = end
    places.lastIndex = end
  }
  for (let found = places.exec(text); found !== null; found = places.exec(text)) {
    const at = found.index
    const taken = taker.takeAt(at)
    if (taken?.stays === true) places.lastIndex = taken.end
    else if (taken !== undefined) passTo(at, taken.end)
    if (taken !== undefined || text[at] !== '<') continue
    const thought = thoughtAt(text, at)
    if (thought !== undefined) {
      thoughts.push(thought.text)
      passTo(at, thought.end)
    } else if (thoughts.length === 0 && matchAt(THINKING_END, text, at) !== null) {
      thoughts.push(text.slice(0, at))
      taker.forget()
      passTo(at, THINKING_END.lastIndex)
      pieces.length = 0
    } else {
      const end = observationEnd(text, at)
      if (end !== undefined) passTo(at, end)
    }
  }
  pieces.push(text.slice(from))
  const reasoning = thoughts.map((thought) => thought.trim()).filter((thought) => thought !== '')
  return { pieces, ...(reasoning.length === 0 ? {} : { reasoning: reasoning.join('\n\n') }) }
}

/** Thinking that begins here. Where it is not closed, it is all that follows. */
function thoughtAt(text: string, at: number): { readonly text: string; readonly end: number } | undefined {
  const open = matchAt(THINKING, text, at)
  if (open === null) return undefined
  const from = at + open[0].length
  const close = new RegExp(`</${open[1]}>`, 'gi')
  close.lastIndex = from
  const found = close.exec(text)
  return found === null
    ? { text: text.slice(from), end: text.length }
    : { text: text.slice(from, found.index), end: close.lastIndex }
}

function observationEnd(text: string, at: number): number | undefined {
  const open = matchAt(OBSERVATION, text, at)
  if (open === null) return undefined
  const close = text.indexOf(`</${open[1]}>`, at)
  return close < 0 ? text.length : close + `</${open[1]}>`.length
}

/** The match of a sticky pattern at a place. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Pieces as words, without lines that only open or close a fence of code. */
export function wordsOf(pieces: readonly string[]): string {
  return pieces
    .map((piece) => piece.replace(/^[ \t]*```\w*[ \t]*$/gm, '').trim())
    .filter((piece) => piece !== '')
    .join('\n')
}
