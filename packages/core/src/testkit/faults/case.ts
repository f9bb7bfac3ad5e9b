import type { Clock, Json, JsonSchema } from '@harnesswright/protocol'
import type { FaultScript } from './answer.js'
import type { ManualClock } from './clocks.js'
import type { FaultRequest } from './server.js'
import type { FaultTrace } from './trace.js'

/** Whether replies come in one piece or as a stream. */
export type FaultMode = 'plain' | 'stream'

/**
 * What a subject takes and tells beyond the least. What it does not have is not asserted, and said to be unchecked.
 *
 * - `clock`: it waits on the clock that it is given, so that its waits take little time.
 * - `reason`: it says in `reason` why a run ended.
 * - `usage`: it says in `usage` what a run used.
 * - `warnings`: it calls `onWarning`.
 */
export type FaultTrait = 'clock' | 'reason' | 'usage' | 'warnings'

/** Limits that a row sets. Everything else is to be the harness's own default. */
export interface FaultLimits {
  /** Longest silence of the endpoint in ms, the first byte included. */
  readonly idleMs?: number
}

/** What a tool gets beside its arguments. */
export interface FaultToolOptions {
  /** Aborted when nobody waits for the call any more. */
  readonly signal?: AbortSignal
}

/** A tool that the harness is to offer. It is also a `Tool` of core. */
export interface FaultTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  readonly readOnly: true
  /** Does the work of the tool. */
  execute(args: { readonly [name: string]: Json }, options?: FaultToolOptions): Promise<string>
}

/** Of what the harness under test is to be made, and what it is to do. */
export interface FaultSetup {
  /** Address of the endpoint, up to and without `/chat/completions`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly model: string
  /** Whether it is to ask for streams. */
  readonly stream: boolean
  /** The task. */
  readonly instruction: string
  readonly tools: readonly FaultTool[]
  readonly limits: FaultLimits
  /** Time of all waits. Given to subjects with the trait `clock` alone. */
  readonly clock?: Clock
  /** Aborts the run. */
  readonly signal: AbortSignal
  /** To be called with every warning of the run, after its end too. */
  readonly onWarning: (message: string) => void
}

/** How a run ended. A run may also throw. */
export interface FaultOutcome {
  /** The answer. Null where there is none. */
  readonly text: string | null
  /** How it ended, in the harness's own word; `aborted` after an abort. */
  readonly status?: string
  /** Why it ended, where it was not answered: `loop`, `empty_reply`, `context_overflow`, … */
  readonly reason?: string
  /** Tokens; null where they are not known. */
  readonly usage?: { readonly inputTokens: number | null; readonly outputTokens: number | null }
}

/** A harness, as the kit meets it: makes it over an endpoint, and runs one task with it. */
export type FaultSubject = (setup: FaultSetup) => Promise<FaultOutcome>

/** What the tool `add` does in a scene. Default: it adds. */
export type ToolBehaviour = (
  args: { readonly [name: string]: Json },
  options: { readonly signal: AbortSignal | undefined; readonly released: Promise<void> },
) => string | Promise<string>

/** What a scene can do while the run goes on. */
export interface FaultStage {
  /** Moves the time of a scene on the manual clock. */
  readonly clock: ManualClock
  /** Resolves with a request of the row, counted from 0, once it is there. */
  request(index: number): Promise<FaultRequest>
  /** Resolves when the tool was called first. */
  readonly toolStarted: Promise<void>
  /** Resolves when the run has ended. */
  readonly ended: Promise<void>
  /** Whether the run has ended. */
  readonly isOver: boolean
  /** Aborts the run of the subject. */
  abort(): void
  /** Lets tools go on that wait for it. */
  release(): void
  /** Keeps what was seen for the check. */
  note(name: string, value: unknown): void
}

/** One run of a row. */
export interface FaultScene {
  /** Absent: the row has one scene. */
  readonly name?: string
  readonly limits?: FaultLimits
  /** Traits without which the scene cannot be played. */
  readonly needs?: readonly FaultTrait[]
  /** `quick`: time passes ten times as fast; `real`; `manual`: it stands until the scene moves it. Default `quick`. */
  readonly clock?: 'quick' | 'real' | 'manual'
  /** Parameters of the tool `add`. Default: the numbers `a` and `b`, both required. */
  readonly parameters?: JsonSchema
  readonly tool?: ToolBehaviour
  /** Real time in ms after which the run counts as one that does not end. Default 30,000. */
  readonly patienceMs?: number
  /** What the endpoint does. */
  readonly script: FaultScript
  /** What happens beside the run. */
  readonly drive?: (stage: FaultStage) => Promise<void>
  /** Throws `FaultMismatch` where the row is not met. */
  readonly check: (trace: FaultTrace) => void
}

/** A row of the table of faults: something that endpoints, models and tools do, and what a harness must make of it. */
export interface FaultCase {
  readonly id: string
  /** What goes wrong. */
  readonly sentence: string
  /** What must come of it. */
  readonly expects: string
  readonly modes: readonly FaultMode[]
  /** Every one must be met. */
  readonly scenes: readonly FaultScene[]
}
