import { HarnessError, isHarnessError, messageOf } from '@harnesswright/protocol'
import type { StageName } from '../module/module.js'
import type { HookName, Hooks, Turn } from './hooks.js'

/** Whose tap it is and where it stands. */
export interface TapInfo {
  readonly name: string
  readonly stage?: StageName
  readonly slot: string
  /** The module, as the manifest names it. */
  readonly module: string
}

interface FullTap extends Omit<TapInfo, 'stage'> {
  type: string
  fn: (...args: unknown[]) => unknown
}

/** Looks at what a tap gave before it is passed on; it may put another value in its place, or refuse it. */
export type TapCheck = (hook: HookName, value: unknown, tap: Pick<TapInfo, 'slot' | 'module'>, turn: Turn) => unknown

/** How a hook is guarded. */
export interface GuardOptions {
  readonly isFrozen: () => boolean
  readonly check: TapCheck
  /** Whether a tap may fail without harm: it is then as if it had given nothing. Default: never. */
  readonly pardon?: (error: HarnessError, tap: Pick<TapInfo, 'name' | 'module'>, turn: Turn) => boolean
}

/**
 * Guards one hook, before any tap: names are unique, a frozen harness takes no tap, `null` is refused, every value is
 * checked, and whatever a tap throws is given the name of its module.
 */
export function installGuard(hooks: Hooks, name: HookName, options: GuardOptions): void {
  const hook = hooks[name] as unknown as {
    taps: readonly FullTap[]
    intercept(interceptor: { register(tap: FullTap): FullTap }): void
  }
  hook.intercept({
    register(tap) {
      if (options.isFrozen()) throw refusal(name, tap, 'the harness is frozen')
      if (hook.taps.some((other) => other.name === tap.name)) throw refusal(name, tap, 'the name is taken')
      return { ...tap, type: 'async', fn: guarded(hooks, name, tap, options) }
    },
  })
}

function refusal(name: HookName, tap: FullTap, why: string): HarnessError {
  return new HarnessError('E_PROTOCOL_TAP', {
    message: `"${tap.name}" cannot tap "${name}": ${why}.`,
    slot: tap.slot,
    module: tap.module,
  })
}

/**
 * The tap as tapable calls it: with a callback, so that a tap that gives its value at once costs no promise. Without one
 * its value is given back.
 */
function guarded(hooks: Hooks, name: HookName, tap: FullTap, { check, pardon }: GuardOptions): FullTap['fn'] {
  const { fn } = tap
  const checked = (value: unknown, turn: Turn): unknown => {
    if (value !== null) return check(name, value, tap, turn)
    throw new HarnessError('E_PROTOCOL_VALUE', {
      message: `${tap.module} returned null in "${name}".`,
      ...place(tap, turn),
    })
  }
  const recovered = async (thrown: unknown, turn: Turn): Promise<unknown> => {
    const error = attribute(thrown, `"${name}"`, place(tap, turn))
    if (name === 'error' || !isRecoverable(error)) throw error
    const recovery = await recover(hooks, error, turn)
    if (recovery !== undefined) return checked(recovery.value, turn)
    if (pardon?.(error, tap, turn) !== true) throw error
  }
  const awaited = async (given: PromiseLike<unknown>, turn: Turn): Promise<unknown> => {
    turn.underWay?.add(tap)
    try {
      return checked(await given, turn)
    } catch (thrown) {
      return await recovered(thrown, turn)
    } finally {
      turn.underWay?.delete(tap)
    }
  }
  const kept = (turn: Turn, first?: unknown): unknown => {
    try {
      const given = isOfTurn ? fn(turn) : fn(first, turn)
      return isPromise(given) ? awaited(given, turn) : checked(given, turn)
    } catch (thrown) {
      return recovered(thrown, turn)
    }
  }
  const isOfTurn = OF_TURN.includes(name)
  if (isOfTurn) return (turn, done) => give(kept(turn as Turn), done as Done | undefined)
  return (first, turn, done) => give(kept(turn as Turn, first), done as Done | undefined)
}

/** Hooks that pass nothing but the turn. */
const OF_TURN: readonly HookName[] = ['action', 'runStart']

type Done = (error: unknown, value?: unknown) => void

function give(kept: unknown, done: Done | undefined): unknown {
  if (done === undefined) return kept
  if (kept instanceof Promise) kept.then((value) => done(undefined, value), done)
  else done(undefined, kept)
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}

interface Place {
  readonly slot: string
  readonly module: string
  readonly step?: number
}

function place(tap: FullTap, turn: Turn): Place {
  return { slot: tap.slot, module: tap.module, step: turn.step }
}

/** Limits, aborts and what a model does are no fault of the module through which they pass. */
const NOBODYS = /^E_(MODEL_|RUN_(LIMIT|ABORTED|EMPTY_REPLY)$)/

/** What a module threw, with its name. A coded error keeps its code. */
export function attribute(thrown: unknown, where: string, at: Place): HarnessError {
  if (!isHarnessError(thrown)) {
    const message = `${at.module} threw in ${where}: ${messageOf(thrown)}`
    return new HarnessError('E_RUN_MODULE', { message, ...at, cause: thrown })
  }
  if (thrown.module !== undefined || NOBODYS.test(thrown.code)) return thrown
  const { code, message, hint, details } = thrown
  return new HarnessError(code, { message, hint, details, ...at, cause: thrown })
}

/** Limits, aborts and denials are not faults. */
function isRecoverable(error: HarnessError): boolean {
  return !['E_RUN_LIMIT', 'E_RUN_ABORTED', 'E_TOOL_DENIED'].includes(error.code)
}

const asked = new WeakSet<Error>()

/** Asks the `error` taps once per error. One that fails has not recovered: what it was asked about is what is reported. */
async function recover(
  hooks: Hooks,
  error: HarnessError,
  turn: Turn,
): Promise<{ readonly value: unknown } | undefined> {
  if (asked.has(error)) return undefined
  asked.add(error)
  try {
    return await hooks.error.promise(error, turn)
  } catch (failure) {
    Object.assign(error, { details: { ...error.details, recovery: messageOf(failure) } })
    return undefined
  }
}
