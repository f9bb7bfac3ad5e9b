/** Steps that the model has folded, and the text that stands for them. */
export interface Fold {
  readonly first: number
  readonly last: number
  readonly text: string
}

/** Steps, first and last. */
export type Range = readonly [first: number, last: number]

/** What the model sees as one: a step, or a fold of several. */
export interface Entry {
  readonly first: number
  readonly last: number
  readonly isFold: boolean
}

/** What the entries of a view follow from. */
export interface EntrySource {
  /** Finished steps; the one under way is none of them. */
  readonly steps: number
  readonly folds: readonly Fold[]
  /** Steps that another memory has put a message in place of. */
  readonly covered: readonly Range[]
}

/** True when one of these ranges has a step of that one. */
export function touches(ranges: readonly Range[], { first, last }: Pick<Entry, 'first' | 'last'>): boolean {
  return ranges.some(([from, to]) => from <= last && first <= to)
}

/** The entries in view, in order. */
export function entriesOf({ steps, folds, covered }: EntrySource): readonly Entry[] {
  const whole = folds.filter((fold) => !touches(covered, fold))
  const entries: Entry[] = []
  for (let step = 1; step <= steps; step++) {
    const fold = whole.find(({ first, last }) => first <= step && step <= last)
    const entry = { first: fold?.first ?? step, last: fold?.last ?? step, isFold: fold !== undefined }
    if (!touches(covered, entry)) entries.push(entry)
    step = entry.last
  }
  return entries
}

/** What is wrong with a range that is to be folded, in words for the model; undefined when it begins and ends with entries. */
export function faultOfRange([first, last]: Range, entries: readonly Entry[]): string | undefined {
  if (first > last) return `the first step, ${first}, comes after the last one, ${last}`
  if (entries.length === 0) return 'there is no step to fold yet'
  const inside = entries.filter((entry) => entry.first >= first && entry.last <= last)
  const steps = inside.reduce((sum, entry) => sum + entry.last - entry.first + 1, 0)
  if (steps === last - first + 1) return undefined
  const cut = entries.find(
    (entry) => entry.first < first !== entry.last < first || entry.first <= last !== entry.last <= last,
  )
  const what =
    cut === undefined ? `steps ${first} to ${last} are not all there` : `the range cuts through ${nameEntry(cut)}`
  return `${what}; what can be folded, from the first step of an entry to the last of one: ${nameEntries(entries)}`
}

/** `1, 2 to 4, 5`; of many only the first and the last. */
export function nameEntries(entries: readonly Entry[]): string {
  const names = entries.map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`))
  return names.length <= MOST_NAMES
    ? names.join(', ')
    : `${names.slice(0, MOST_NAMES / 2).join(', ')}, … ${names.slice(-MOST_NAMES / 2).join(', ')}`
}

/** Entries that are named before the list is cut in the middle. */
const MOST_NAMES = 40

function nameEntry({ first, last, isFold }: Entry): string {
  return isFold ? `the fold of steps ${first} to ${last}` : `step ${first}`
}

/** The folds with a further one, which takes the place of those inside it. */
export function addFold(folds: readonly Fold[], fold: Fold): Fold[] {
  return [...folds.filter(({ first, last }) => last < fold.first || first > fold.last), fold].sort(
    (a, b) => a.first - b.first,
  )
}
