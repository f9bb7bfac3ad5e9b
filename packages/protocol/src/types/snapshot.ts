import type { Action } from './action.js'
import type { Json, JsonObject, JsonSchema } from './json.js'
import type { Limits } from './limits.js'
import type { Manifest } from './manifest.js'
import type { Message } from './message.js'
import type { Usage } from './model.js'
import type { Directive } from './planning.js'
import type { ErrorInfo, ModelCall, Observation, Status, Step } from './step.js'
import type { Task } from './task.js'

/** What a person must answer before a run can go on. */
export interface Question {
  /** Path and step: `<path>#<step>`; where a call needs leave, `.` and the place of the call follow. */
  readonly id: string
  readonly question: string
  /** The shape the answer must have. Default: any. */
  readonly schema?: JsonSchema
}

/** How a run ended, before it is made into a result. */
export interface RunEnd {
  readonly status: Status
  readonly reason?: string
  readonly answer?: Json
  readonly partial?: boolean
  readonly artifacts?: readonly string[]
  readonly error?: ErrorInfo & { readonly slot?: string; readonly module?: string; readonly step?: number }
}

/** What a run is started with. */
export interface RunOpening {
  readonly task: Task
  /** Effective limits. One that is left out is none. */
  readonly limits: Partial<Limits>
  readonly seed: number
  readonly session: string
  readonly workspace?: string
  readonly manifestId: string
  readonly harnessId: string
  /** Of the root alone: a child's is named by the action that spawned it. */
  readonly manifest?: Manifest
}

/** What a step is made of: its messages follow from it. */
export interface StepRecord extends Omit<Step, 'index' | 'messages'> {
  /** Notes made before the effect, during it, and while modules recorded the step. */
  readonly notes: { readonly before: readonly Message[]; during: readonly Message[]; after: readonly Message[] }
  /** Told to the model as a user message. */
  readonly feedback?: string
  /** The limit that the step ran into: the run ends after it. */
  readonly limit?: string
}

/** What a run keeps beside its steps and the states of its modules. */
export interface RunFacts {
  /** Numbers taken, by random stream. */
  readonly random?: Readonly<Record<string, number>>
  /** Calls made, by tool. */
  readonly toolCounts?: Readonly<Record<string, number>>
  /** Texts of calls whose arguments could not be read, by call id. */
  readonly broken?: Readonly<Record<string, string>>
  /** Names of tools in the order in which requests have offered them. */
  readonly wireTools?: readonly string[]
  /** Highest tokens per byte that each model has reported. */
  readonly tokensPerByte?: Readonly<Record<string, number>>
  readonly warnings?: readonly string[]
  /** Ids of the artifacts of this run, in order. */
  readonly artifacts?: readonly string[]
}

/** An effect that is under way. */
export interface PendingEffect {
  readonly action: Action
  readonly directive: Directive
  readonly capabilities: readonly string[]
  /** Notes made before the effect. */
  readonly before: readonly Message[]
  /** Notes made by guards and by tools of modules. */
  readonly during?: readonly Message[]
  /** Model calls of the step that were made before the effect was durable. */
  readonly modelCalls: number
  readonly at: number
  /** Guards have decided, and the tools of modules have run. */
  readonly isGuarded?: boolean
  /** Calls that a person allowed. */
  readonly approved?: readonly string[]
  /** A limit that the effect ran into. */
  readonly limit?: string
  /** What each child run may use at most, by its id. */
  readonly leases?: Readonly<Record<string, Partial<Limits>>>
  /** Calls and child runs that were started, by id. */
  readonly started: readonly string[]
  /** Outcomes by id of call or run. */
  readonly outcomes: Readonly<Record<string, Observation>>
  /** What the effect waits for. */
  readonly questions?: readonly Question[]
  /** Answers that were given while others were still waited for, by the id of the question. */
  readonly answers?: Readonly<Record<string, Json>>
}

/** What was charged to a run: for its own calls, not for those of its children. */
export interface Charged {
  /** Charged against the limit: what is unknown counts as it was reserved. */
  readonly tokens: number
  readonly usd: number
  readonly modelCalls: number
  readonly usage?: Usage
  /** Sum of what was reported; null where a price or a count is unknown. */
  readonly knownUsd: number | null
  readonly partial: boolean
}

/** One run at its last durable point. */
export interface RunRecord {
  readonly opening: RunOpening
  readonly steps: readonly StepRecord[]
  readonly states: JsonObject
  readonly facts: RunFacts
  readonly artifacts: Readonly<Record<string, Json>>
  /** Model calls of the step under way. */
  readonly calls: readonly (ModelCall | null)[]
  readonly charged: Charged
  /** Time used so far in ms. */
  readonly ms: number
  readonly pending?: PendingEffect
  readonly end?: RunEnd
}

/**
 * A tree of runs as JSON, each at its last durable point. A run goes on from it in another process, on another machine:
 * `harness.resume(snapshot)`.
 */
export interface Snapshot {
  readonly version: 1
  /** By path; '' is the root. */
  readonly runs: Readonly<Record<string, RunRecord>>
}

/** What was made durable, of one run: a list of entries folds to a snapshot. Fields that are absent did not change. */
export interface JournalEntry {
  readonly path: string
  /** Time used so far in ms. */
  readonly ms: number
  /** A run begins. */
  readonly opening?: RunOpening
  /** A run goes on: what its unfinished step had done is undone, but not its cost. */
  readonly resumed?: true
  /** Whole values of the states that changed, by module. */
  readonly states?: JsonObject
  readonly facts?: RunFacts
  readonly artifacts?: Readonly<Record<string, Json>>
  /** A model call was paid: its place among those of the step, if it is of one, and what is charged where that is not what was reported. */
  readonly call?: {
    readonly place?: number
    readonly call: ModelCall
    readonly charged?: Pick<Charged, 'tokens' | 'usd'>
  }
  readonly effect?: Partial<PendingEffect>
  readonly started?: string
  readonly outcome?: Observation
  /** A step is finished. What its effect holds is left out; an outcome that stayed as it was is its id. */
  readonly step?: Partial<Omit<StepRecord, 'observations' | 'notes'>> & {
    readonly notes: Partial<StepRecord['notes']>
    readonly observations: readonly (Observation | string)[]
  }
  readonly end?: RunEnd
}
