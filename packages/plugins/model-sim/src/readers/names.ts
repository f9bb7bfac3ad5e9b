/** Names in a sentence: `Halden and Borm`. */
export function readNames(words: string): readonly string[] {
  return words.split(/, | and /)
}

/** Names as a sentence has them: `Cersk, Halden and Borm`. */
export function wordNames(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}
