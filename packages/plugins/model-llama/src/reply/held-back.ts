/** How many of the last characters of a text may be the beginning of a mark that is not yet whole. */
export function heldBack(text: string, marks: readonly string[]): number {
  return Math.max(0, ...marks.map((mark) => beginningAt(text, mark)))
}

function beginningAt(text: string, mark: string): number {
  for (let length = Math.min(mark.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) return length
  }
  return 0
}
