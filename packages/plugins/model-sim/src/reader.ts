/** Something a reader knows how to do, named by an imperative: `read log part 7 (log/part-07.txt)`. */
export interface Goal {
  /** Unique in a family of tasks, and the same wherever it is named. */
  readonly id: string
  /** The file it is about, where the text names one. */
  readonly path?: string
  /** It delivers the result: done when nothing else is left to do. */
  readonly isFinal?: boolean
}

/** Goals that a text names together, and where. */
export interface Mention {
  readonly goals: readonly Goal[]
  readonly start: number
}

/** What is known under a key: `price:Halden:copper tee` is `340`. */
export interface Claim {
  readonly key: string
  readonly value: string
  /** It tells how far the work has come: remembered better, and always written down. */
  readonly isProgress?: boolean
}

/** A claim where it stands in a text. */
export interface Fact extends Claim {
  /** Where it ends, in characters from the start of the text. */
  readonly end: number
}

/** What is known, value by key. */
export type Known = ReadonlyMap<string, string>

/** What a goal wants done, for the tools on offer to be matched with. */
export type Intent =
  | { readonly verb: 'read'; readonly path: string }
  | { readonly verb: 'write'; readonly path: string; readonly content: string }
  | { readonly verb: 'search'; readonly query: string }
  | { readonly verb: 'list'; readonly path: string }

/** How far a goal is: done, ready to be worked on, or waiting for what others find. A final goal need not wait. */
export type GoalState = 'done' | 'ready' | 'waiting'

/** True when the arithmetic of that line goes wrong in this run. */
export type Slips = (line: string) => boolean

/** What a task asks for. It holds what the task's text says, and nothing of what its files say. */
export interface Problem {
  readonly goals: readonly Goal[]
  /** One goal follows from the last by counting, so that there is no horizon. */
  readonly isCounted: boolean
  /** The goals are a row of numbers: nobody who writes it down leaves out one in the middle, but a stretch of it. */
  readonly isRow: boolean
  stateOf(goal: Goal, known: Known): GoalState
  /** Goals that come before this one. */
  needs(goal: Goal): readonly Goal[]
  /** What to do for a goal that is ready. */
  intent(goal: Goal, known: Known, slips: Slips): Intent
  /** What follows from a call that was made and did not fail. */
  outcome(intent: Intent): Claim | undefined
  /** True when the claim is of use for the task, as far as it is known. */
  matters(claim: Claim, known: Known): boolean
  /**
   * New keys of claims that mean something for this task in the light of others: that after Ada comes Jonas is who visit 2
   * is, where visit 1 is Ada.
   *
   * @param claims - All that are in view, the nearest first.
   */
  meanings(claims: readonly Claim[]): ReadonlyMap<string, string>
  /** Keys of the known claims that whoever takes over these goals must be told. */
  needed(goals: readonly Goal[], known: Known): readonly string[]
  /** What to look for where much is stored: names in these goals, and of what is known of them. */
  keywords(goals: readonly Goal[], known: Known): readonly string[]
  /** The answer from what is known; undefined for a subtask that is answered by saying what was found. */
  answer(known: Known, slips: Slips): string | undefined
  /** The claims that an answer makes one by one; undefined where it is right or wrong as a whole. */
  claimsOf(answer: string): readonly Claim[] | undefined
}

/** No claim means anything else than it says. */
export const NO_MEANINGS: ReadonlyMap<string, string> = new Map()

/**
 * Reads one family of tasks: text in, goals and facts out. It never sees an instance of a task.
 *
 * What a reader writes it can read: for every group of goals `mentions(word(goals))` gives them back, and for every claim
 * `facts(say(claims))`, whatever stands around the sentence.
 */
export interface Reader {
  /** The world whose tasks it reads. */
  readonly name: string
  /** What working on a goal is expected to bring into view, in tokens. */
  readonly goalTokens: number
  /** The problem that a task states, if it is one of this family. */
  task(text: string): Problem | undefined
  /** The problem of a subtask: the goals that its imperatives name. */
  subtask(goals: readonly Goal[]): Problem
  /** Imperatives. */
  mentions(text: string): readonly Mention[]
  /** Fact sentences, and the facts of raw files, in the order in which they end. */
  facts(text: string): readonly Fact[]
  /** Goals as imperatives. */
  word(goals: readonly Goal[]): string
  /** Claims as fact sentences. */
  say(claims: readonly Claim[]): string
  /** A plausible wrong value, `share` (0 to 1) telling which; undefined where none is plausible. */
  distort(claim: Claim, share: number): string | undefined
}
