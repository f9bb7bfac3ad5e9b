import { HarnessError, isHarnessError, messageOf } from '../errors/error.js'
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

/**
 * Guards one hook, before any tap: names are unique, a frozen harness takes no tap, `null` is refused, and whatever a tap
 * throws is given the name of its module.
 */
export function installGuard(hooks: Hooks, name: HookName, isFrozen: () => boolean): void {
  const hook = hooks[name] as unknown as {
    taps: readonly FullTap[]
    intercept(interceptor: { register(tap: FullTap): FullTap }): void
  }
  hook.intercept({
    register(tap) {
      if (isFrozen()) throw refusal(name, tap, 'the harness is frozen')
      if (hook.taps.some((other) => other.name === tap.name)) throw refusal(name, tap, 'the name is taken')
      return { ...tap, type: 'promise', fn: guarded(hooks, name, tap) }
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

function guarded(hooks: Hooks, name: HookName, tap: FullTap): FullTap['fn'] {
  const { fn } = tap
  return async (...args) => {
    const turn = args.at(-1) as Turn
    try {
      const value = await fn(...args)
      if (value === null) {
        throw new HarnessError('E_PROTOCOL_VALUE', {
          message: `A tap of "${name}" returned null.`,
          ...place(tap, turn),
        })
      }
      return value
    } catch (thrown) {
      const error = attribute(thrown, name, tap, turn)
      if (name === 'error' || !isRecoverable(error)) throw error
      const recovered = await recover(hooks, error, turn)
      if (recovered === undefined) throw error
      return recovered.value
    }
  }
}

function place(tap: FullTap, turn: Turn): { slot: string; module: string; step: number } {
  return { slot: tap.slot, module: tap.module, step: turn.step }
}

/** A coded error keeps its code; anything else is the failure of the module. */
function attribute(thrown: unknown, name: HookName, tap: FullTap, turn: Turn): HarnessError {
  if (isHarnessError(thrown)) return thrown
  return new HarnessError('E_RUN_MODULE', {
    message: `${tap.module} threw in "${name}": ${messageOf(thrown)}`,
    ...place(tap, turn),
    cause: thrown,
  })
}

/** Limits, aborts and denials are not faults. */
function isRecoverable(error: HarnessError): boolean {
  return !['E_RUN_LIMIT', 'E_RUN_ABORTED', 'E_TOOL_DENIED'].includes(error.code)
}

const asked = new WeakSet<Error>()

/** Asks the `error` taps once per error. */
async function recover(
  hooks: Hooks,
  error: HarnessError,
  turn: Turn,
): Promise<{ readonly value: unknown } | undefined> {
  if (asked.has(error)) return undefined
  asked.add(error)
  return await hooks.error.promise(error, turn)
}
