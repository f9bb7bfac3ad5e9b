import type { Json } from './json.js'
import type { JournalEntry } from './snapshot.js'

/** Time. A virtual clock (testkit) makes simulated time exact. */
export interface Clock {
  /** Milliseconds since the clock's origin. */
  now(): number
  /** Lets time pass; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `over` when so many ms have passed; what it gives stops it. Default: a sleep, which costs more to stop. */
  timer?(ms: number, over: () => void): () => void
  /** Brackets real work that takes no simulated time: a virtual clock stands still until it is done. */
  during<T>(work: Promise<T>): Promise<T>
  /** Time passes only by sleeping. */
  readonly isVirtual?: boolean
}

/** A stream of numbers, uniform in [0, 1). */
export interface Random {
  /** The next number of the stream. */
  next(): number
}

/** A conflict that a merge of workspaces found. */
export interface MergeConflict {
  readonly path: string
  readonly reason: string
}

/** Workspaces by id, so that child runs can have their own. */
export interface Workspaces {
  /** Copies workspace `id` under the new id `as`. */
  fork(id: string, as: string): Promise<void>
  /** Brings what `id` changed since its fork into `into`. A path that both changed is a conflict, and stays as `into` has it. */
  merge(id: string, into: string): Promise<readonly MergeConflict[]>
  /** Makes `into` equal to `id`. */
  commit(id: string, into: string): Promise<void>
  /** Deletes workspace `id`. */
  discard(id: string): Promise<void>
}

/** Values kept for a whole tree of runs. */
export interface ArtifactStore {
  /** Keeps a value under an id. */
  put(id: string, value: Json): void
  /** The value of an id, if there is one. */
  get(id: string): Json | undefined
}

/** Where what is durable is written, so that a run can go on after a crash. `@harnesswright/core/node` has one in a file. */
export interface Journal {
  /** Keeps an entry; it is durable when the promise resolves. Entries are kept in the order of the calls. */
  append(entry: JournalEntry): Promise<void> | void
}
