import { headOf } from './short-results.js'

/**
 * A text in pieces of at most so many characters, and at most so many pieces: a text that is longer is not read to its end. A
 * piece ends with a line, where that is not much shorter than it may be, and never within a character.
 */
export function piecesOf(
  text: string,
  { chars, most }: { readonly chars: number; readonly most: number },
): readonly string[] {
  const pieces: string[] = []
  let rest = text
  while (rest !== '' && pieces.length < most) {
    const piece = rest.length <= chars ? rest : wholeLines(headOf(rest, chars))
    pieces.push(piece)
    rest = rest.slice(piece.length)
  }
  return pieces
}

/** Share of a piece that may be left to the next one, so that a line stays whole. */
const MOST_LEFT = 0.5

function wholeLines(piece: string): string {
  const end = piece.lastIndexOf('\n') + 1
  return end >= (1 - MOST_LEFT) * piece.length ? piece.slice(0, end) : piece
}
