import { HarnessError, messageOf, type Slot, type Step } from '@harnesswright/protocol'
import { isPromise } from '../hooks/guard.js'
import { addTap, type HookName, type Hooks, hookPoints, type Turn } from '../hooks/hooks.js'
import type { Ctx, Module, Verbs } from '../module/module.js'
import type { LiveTurn } from '../run/turn.js'
import { attributed, type Mount } from './mount.js'

type Verb = Exclude<keyof Verbs<unknown, unknown, unknown>, 'system' | 'tools'>
type Call = (...args: unknown[]) => unknown
/** Makes the tap that lets a module's verb take part in its hook. */
type TapMaker = (call: Call, mount: Mount) => (...args: never[]) => unknown

/** The turn behind what hooks pass along: the kernel makes no other. */
const live = (turn: Turn): LiveTurn => turn as LiveTurn
const ctxOf = (mount: Mount, turn: Turn): Ctx => live(turn).run.ctx(mount)

/** A verb that gets the hook's first argument and may replace it, or act on it. */
const passing: TapMaker = (call, mount) => (value: unknown, turn: Turn) => call(value, ctxOf(mount, turn))

/** A verb that gets nothing but ctx. */
const plain: TapMaker = (call, mount) => (turn: Turn) => call(ctxOf(mount, turn))

/** A verb that finds in ctx what the tap before it built. It must give something: nothing is no such value either. */
function building(field: 'view' | 'directive' | 'capabilities'): TapMaker {
  const orNothing = (built: unknown): unknown => (built === undefined ? {} : built)
  return (call, mount) => (before: unknown, turn: Turn) => {
    Object.assign(live(turn), { [field]: before })
    const built = call(ctxOf(mount, turn))
    return isPromise(built) ? built.then(orNothing) : orNothing(built)
  }
}

/** `record` sees the notes that the modules before it made there. */
const recording: TapMaker = (call, mount) => (step: Step, turn: Turn) => {
  live(turn).placeNotes()
  return call(live(turn).run.steps.at(-1) ?? step, ctxOf(mount, turn))
}

/** Which hook each verb taps, and how. `defineModule` compiles to this: there is no second mechanism. */
const VERBS: Readonly<Record<Verb, readonly [hook: HookName, tap: TapMaker]>> = {
  view: ['memory', building('view')],
  direct: ['planning', building('directive')],
  select: ['capability', building('capabilities')],
  act: ['action', plain],
  record: ['record', recording],
  finish: ['finish', passing],
  start: ['runStart', plain],
  end: ['runEnd', passing],
  modelRequest: ['modelRequest', passing],
  modelResponse: ['modelResponse', passing],
  toolCall: ['toolCall', passing],
  toolResult: ['toolResult', passing],
  error: ['error', passing],
  checkpoint: ['checkpoint', passing],
}

const MANIFEST_ORDER: readonly Slot[] = ['memory', 'planning', 'capability', 'action', 'plugin']

/** Hooks in which the slots have another order than in the manifest: memory records last, the action is asked to finish first. */
const SLOT_ORDER: Partial<Record<HookName, readonly Slot[]>> = {
  record: ['planning', 'capability', 'action', 'plugin', 'memory'],
  finish: ['action', 'memory', 'planning', 'capability', 'plugin'],
}

/** Slots whose system sections come first. */
export const SYSTEM_ORDER: readonly Slot[] = ['action', 'planning', 'capability', 'memory', 'plugin']

/** Mounts in an order of slots; those of one slot keep theirs. */
export function inSlotOrder(mounts: readonly Mount[], order: readonly Slot[]): readonly Mount[] {
  return order.flatMap((slot) => mounts.filter((mount) => mount.slot === slot))
}

/** Taps every verb of every module, in order, then lets plugins make their raw taps. Gives what went wrong with observers. */
export function tapModules(hooks: Hooks, mounts: readonly Mount[]): readonly string[] {
  const warnings: string[] = []
  for (const [verb, [hook, tap]] of Object.entries(VERBS) as [Verb, (typeof VERBS)[Verb]][]) {
    for (const mount of inSlotOrder(mounts, SLOT_ORDER[hook] ?? MANIFEST_ORDER)) {
      const { key, slot, use, module } = mount
      const call = module[verb]
      if (typeof call === 'function')
        addTap(hooks, hook, { name: key, slot, module: use, ...stageOf(module) }, tap(call as Call, mount))
    }
  }
  for (const mount of mounts) {
    try {
      applyRaw(hooks, mount)
    } catch (error) {
      if (mount.module.observer !== true || mount.key.startsWith('required.')) throw error
      warnings.push(`${mount.use} is left out: ${messageOf(error)}`)
    }
  }
  return warnings
}

function stageOf(module: Module): { stage?: NonNullable<Module['stage']> } {
  return module.stage === undefined ? {} : { stage: module.stage }
}

function applyRaw(hooks: Hooks, mount: Mount): void {
  const { module, slot, use, key } = mount
  const points = hookPoints(hooks, { slot, module: use, key })
  const returned: unknown = attributed(mount, 'apply', 0, () => module.apply?.(points, (turn) => ctxOf(mount, turn)))
  if (!(returned instanceof Promise)) return
  returned.catch(() => {}) // it may well fail: the harness will be frozen by then
  const message = `${use} has an asynchronous "apply": taps are made at once, or not at all.`
  throw new HarnessError('E_PROTOCOL_MODULE', { message, slot, module: use })
}
