import {
  type Action,
  type Capabilities,
  type Directive,
  HarnessError,
  type Json,
  type ModelRequest,
  type Observation,
  type Reply,
  type RunResult,
  type Step,
  type ToolCall,
  type View,
} from '@harnesswright/protocol'
import { AsyncSeriesBailHook, AsyncSeriesHook, AsyncSeriesWaterfallHook } from 'tapable'
import type { Checkpoint, StageName, ToolDecision } from '../module/module.js'
import { type GuardOptions, installGuard, type TapCheck, type TapInfo } from './guard.js'
import { STAGES } from './stages.js'

/** The turn of a run, as hooks pass it along: the last argument of every hook. `ctxOf` turns it into a module's ctx. */
export interface Turn {
  /** Step under way, from 1; 0 before the first. */
  readonly step: number
  /** Path of the run in its tree. */
  readonly path: string
  /** Taps that have not settled yet, the one begun last at the end. */
  readonly underWay?: Set<{ readonly module: string }>
}

/**
 * The hooks of one harness. Only the kernel calls them; a tap is made through {@link HookPoints}.
 *
 * Common to all: a tap that returns `undefined` leaves the value as it is, `null` is refused; what a tap throws ends the
 * run as failed, with slot, module and step, unless an `error` tap recovers; an abort is seen in `ctx.signal`.
 * Order within a hook: stage, then slots in manifest order, then plugins.
 */
export interface Hooks {
  /** Once a step. Waterfall of v_t; starts as head plus history. */
  readonly memory: AsyncSeriesWaterfallHook<[view: View, turn: Turn]>
  /** Once a step, after memory. Waterfall of d_t; starts empty. */
  readonly planning: AsyncSeriesWaterfallHook<[directive: Directive, turn: Turn]>
  /** Once a step, after planning. Waterfall of C_t; starts as the environment's tools and skills. */
  readonly capability: AsyncSeriesWaterfallHook<[capabilities: Capabilities, turn: Turn]>
  /** Once a step, after capability. The first action returned is e_t; none is `E_PROTOCOL_NO_ACTION`. */
  readonly action: AsyncSeriesBailHook<[turn: Turn], Action | undefined>
  /** Once a step, when its effect is done: planning, capability, action, plugins, memory last. */
  readonly record: AsyncSeriesHook<[step: Step, turn: Turn]>
  /** When a limit is hit. The first answer returned is taken; none means the kernel asks the model once. */
  readonly finish: AsyncSeriesBailHook<[reason: string, turn: Turn], Json | undefined>
  /** Before the first step, also of a resumed run. */
  readonly runStart: AsyncSeriesHook<[turn: Turn]>
  /** After the last step, always, in reverse order; what one tap throws does not stop the others. */
  readonly runEnd: AsyncSeriesHook<[result: RunResult, turn: Turn]>
  /** Before each model call. Waterfall of the canonical request, before encoding. */
  readonly modelRequest: AsyncSeriesWaterfallHook<[request: ModelRequest, turn: Turn]>
  /** After each model call. Waterfall of the canonical reply, after decoding. */
  readonly modelResponse: AsyncSeriesWaterfallHook<[reply: Reply, turn: Turn]>
  /** Before each call, in call order. The first decision returned holds; none allows. */
  readonly toolCall: AsyncSeriesBailHook<[call: ToolCall, turn: Turn], ToolDecision | undefined>
  /** After all calls of a step, in call order. Waterfall of the observation: trim, redact, annotate. */
  readonly toolResult: AsyncSeriesWaterfallHook<[observation: Observation, turn: Turn]>
  /** When a tap has thrown. The first value returned stands in for the tap's, once per error. */
  readonly error: AsyncSeriesBailHook<[error: Error, turn: Turn], { readonly value: unknown } | undefined>
  /** When a step or an outcome has been made durable. */
  readonly checkpoint: AsyncSeriesHook<[checkpoint: Checkpoint, turn: Turn]>
}

/** Name of a hook. */
export type HookName = keyof Hooks

/** Name of a tap, unique in its hook, and its stage (default `normal`). */
export interface TapOptions {
  readonly name: string
  readonly stage?: StageName
}

/** A hook as a plugin sees it: it can be tapped and not called. */
export interface HookPoint<Args extends readonly unknown[], Result> {
  /**
   * Adds a tap.
   *
   * @throws HarnessError `E_PROTOCOL_TAP` when the name is taken or the harness is frozen.
   */
  tap(options: string | TapOptions, fn: (...args: Args) => Result | Promise<Result>): void
}

type PointOf<Hook> =
  Hook extends AsyncSeriesWaterfallHook<infer Args extends unknown[]>
    ? HookPoint<Args, Args[0] | undefined>
    : Hook extends AsyncSeriesBailHook<infer Args extends unknown[], infer Result>
      ? HookPoint<Args, Result>
      : Hook extends AsyncSeriesHook<infer Args extends unknown[]>
        ? HookPoint<Args, void>
        : never

/** Every hook of a harness, to be tapped by a plugin's `apply`. */
export type HookPoints = { readonly [Name in HookName]: PointOf<Hooks[Name]> }

/** The hooks of a new harness, guarded, with no taps. `isFrozen` says whether taps are still taken. */
export function createHooks(
  isFrozen: () => boolean,
  check: TapCheck = (_hook, value) => value,
  pardon?: GuardOptions['pardon'],
): Hooks {
  assertCodeGeneration()
  const hooks: Hooks = {
    memory: new AsyncSeriesWaterfallHook(['view', 'turn'], 'memory'),
    planning: new AsyncSeriesWaterfallHook(['directive', 'turn'], 'planning'),
    capability: new AsyncSeriesWaterfallHook(['capabilities', 'turn'], 'capability'),
    action: new AsyncSeriesBailHook(['turn'], 'action'),
    record: new AsyncSeriesHook(['step', 'turn'], 'record'),
    finish: new AsyncSeriesBailHook(['reason', 'turn'], 'finish'),
    runStart: new AsyncSeriesHook(['turn'], 'runStart'),
    runEnd: new AsyncSeriesHook(['result', 'turn'], 'runEnd'),
    modelRequest: new AsyncSeriesWaterfallHook(['request', 'turn'], 'modelRequest'),
    modelResponse: new AsyncSeriesWaterfallHook(['reply', 'turn'], 'modelResponse'),
    toolCall: new AsyncSeriesBailHook(['call', 'turn'], 'toolCall'),
    toolResult: new AsyncSeriesWaterfallHook(['observation', 'turn'], 'toolResult'),
    error: new AsyncSeriesBailHook(['error', 'turn'], 'error'),
    checkpoint: new AsyncSeriesHook(['checkpoint', 'turn'], 'checkpoint'),
  }
  for (const name of hookNames(hooks)) installGuard(hooks, name, { isFrozen, check, ...(pardon && { pardon }) })
  return Object.freeze(hooks)
}

/** The names of the hooks, in the order of their moments. */
export function hookNames(hooks: Hooks): readonly HookName[] {
  return Object.keys(hooks) as HookName[]
}

/** Adds one tap: the only place where tapable is called to add one. */
export function addTap(hooks: Hooks, name: HookName, info: TapInfo, fn: (...args: never[]) => unknown): void {
  const options = { name: info.name, stage: STAGES[info.stage ?? 'normal'], slot: info.slot, module: info.module }
  // The guard makes every tap a promise tap, whatever fn returns.
  const hook = hooks[name] as unknown as { tapPromise(options: object, fn: (...args: never[]) => unknown): void }
  hook.tapPromise(options, fn)
}

/**
 * The hooks as a plugin may tap them: every tap is attributed to `module`, and named within `key`, so that a plugin may
 * be used twice.
 */
export function hookPoints(
  hooks: Hooks,
  { key, ...owner }: { readonly slot: string; readonly module: string; readonly key: string },
): HookPoints {
  const points: Record<string, HookPoint<never[], unknown>> = {}
  for (const hook of hookNames(hooks)) {
    points[hook] = Object.freeze({
      tap(options: string | TapOptions, fn: (...args: never[]) => unknown): void {
        const { name, stage, ...rest } = typeof options === 'string' ? { name: options, stage: undefined } : options
        if (Object.keys(rest).length > 0 || (stage !== undefined && !Object.hasOwn(STAGES, stage))) {
          throw new HarnessError('E_PROTOCOL_TAP', {
            message: `A tap of "${hook}" takes a name and a stage (${Object.keys(STAGES).join(', ')}), and nothing else.`,
            ...owner,
          })
        }
        addTap(hooks, hook, { ...owner, name: `${key}:${name}`, ...(stage === undefined ? {} : { stage }) }, fn)
      },
    })
  }
  return Object.freeze(points) as unknown as HookPoints
}

function assertCodeGeneration(): void {
  try {
    new Function('')
  } catch (cause) {
    throw new HarnessError('E_RUN_CODEGEN', { cause })
  }
}
