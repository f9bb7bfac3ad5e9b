import type { Json, Manifest, ModelInfo, Question, RunResult } from '@harnesswright/core'
import type { ComposeSpent } from '@harnesswright/plugin-meta-agent'
import { type Total, totalOf } from './total.js'

const ROUTES = ['rules', 'model', 'policy', 'nearest', 'fixed', 'mutate', 'crossover', 'fallback'] as const

/** How a harness was come by. */
export type Route = (typeof ROUTES)[number]

/** Whether a value is a route. */
export function isRoute(value: unknown): value is Route {
  return (ROUTES as readonly unknown[]).includes(value)
}

/** What the checker of a task said. */
export interface CheckReport {
  readonly passed: boolean
  /** From 0 to 1. */
  readonly reward: number
  readonly detail: string
}

/** What composing by a model cost. */
export interface Composing extends ComposeSpent {
  /** Id of the model that composed. */
  readonly model: string
  readonly simulated: boolean
}

/** A run of the same task before a run, which ended by an exception of its harness. */
export interface EarlierRun {
  /** The harness that failed. */
  readonly harnessId: string
  readonly error: { readonly code: string; readonly message: string; readonly module?: string; readonly step?: number }
  /** What was changed of it then, in lines. */
  readonly changed: readonly string[]
  readonly steps: number
  readonly total: Total
}

/** A finished run with what it was made of. */
export interface Outcome {
  readonly result: RunResult
  /** Present when the task has a checker. */
  readonly check?: CheckReport
  readonly model: ModelInfo
  readonly manifest: Manifest
  readonly route: Route
  /** Counts with the run. */
  readonly composing?: Composing
  /** They count with the run. Present when the harness was mended while it ran the task. */
  readonly earlier?: readonly EarlierRun[]
  /** Path of the trace. */
  readonly trace: string
  readonly warnings: readonly string[]
  /** What is to be done about a run that could not begin. */
  readonly advice?: string
  /** How to mend what made the run fail, where more is known than its code says. */
  readonly fix?: string
  /** Path of the snapshot, of a run that may go on. */
  readonly snapshot?: string
  /** What a person must answer before it does. */
  readonly questions: readonly Question[]
}

/** The one object of `--json`. Unknown counts and an unknown cost are null. */
export function toJsonObject(outcome: Outcome): { readonly [key: string]: unknown } {
  const { result, check, model, manifest, route, composing, earlier, trace, warnings, advice, fix } = outcome
  const { snapshot = null, questions } = outcome
  const { modelCalls, usage, partial, usd, ms } = totalOf(outcome)
  return {
    status: result.status,
    reason: result.reason ?? null,
    answer: result.answer,
    ...(check === undefined ? {} : { check: { passed: check.passed, detail: check.detail } }),
    model: model.id,
    simulated: model.simulated === true,
    manifestId: result.manifestId,
    harnessId: result.harnessId,
    manifest,
    route,
    steps: stepsOf(outcome),
    modelCalls,
    usage: { ...usage, partial },
    usd,
    ms,
    queuedMs: queuedMsOf(result),
    ...(composing === undefined ? {} : { composing }),
    ...(earlier === undefined ? {} : { repaired: earlier }),
    trace,
    snapshot,
    questions,
    warnings: [...warnings, ...result.warnings, ...(advice === undefined ? [] : [advice])],
    ...(result.error === undefined ? {} : { error: { ...result.error, ...(fix === undefined ? {} : { fix }) } }),
  }
}

/** Steps of a run and of those before it. */
export function stepsOf({ result, earlier = [] }: Pick<Outcome, 'result' | 'earlier'>): number {
  return earlier.reduce((sum, { steps }) => sum + steps, result.spent.steps)
}

/** Time in ms that the requests of a tree of runs waited for their turn on this side, as the steps record it. */
function queuedMsOf({ steps, children }: RunResult): number {
  const own = steps.flatMap(({ modelCalls }) => modelCalls).reduce((sum, { queuedMs = 0 }) => sum + queuedMs, 0)
  return Object.values(children).reduce((sum, child) => sum + queuedMsOf(child), own)
}

/** The answer as text. */
export function answerText(answer: Json): string {
  return typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2)
}
