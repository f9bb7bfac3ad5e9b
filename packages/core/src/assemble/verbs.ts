import { HarnessError } from '../errors/error.js'
import { addTap, type HookName, type Hooks, hookPoints, type Turn } from '../hooks/hooks.js'
import type { Ctx, Module, Verbs } from '../module/module.js'
import type { Capabilities, Directive, Slot, View } from '../protocol/index.js'
import { checkAction, checkCapabilities, checkDirective, checkView } from '../run/strict.js'
import type { LiveTurn } from '../run/turn.js'
import type { Mount } from './mount.js'

type Verb = Exclude<keyof Verbs<unknown, unknown, unknown>, 'system' | 'tools'>
type Tap = (...args: never[]) => unknown

interface VerbRow {
  readonly hook: HookName
  /** The tap that lets a module's verb take part in the hook. */
  tap(mount: Mount): Tap
}

/** The turn behind what hooks pass along: the kernel makes no other. */
const live = (turn: Turn): LiveTurn => turn as LiveTurn
const ctxOf = (mount: Mount, turn: Turn): Ctx => live(turn).run.ctx(mount)

/** A verb that gets the hook's first argument and may replace it, or act on it. */
function passing(hook: HookName, verb: Verb): VerbRow {
  return {
    hook,
    tap: (mount) => (value: unknown, turn: Turn) => {
      const call = mount.module[verb] as (value: unknown, ctx: Ctx) => unknown
      return call(value, ctxOf(mount, turn))
    },
  }
}

/** A verb that gets nothing but ctx. */
function plain(hook: HookName, verb: Verb): VerbRow {
  return { hook, tap: (mount) => (turn: Turn) => (mount.module[verb] as (ctx: Ctx) => unknown)(ctxOf(mount, turn)) }
}

/** Which hook each verb taps. `defineModule` compiles to this: there is no second mechanism. */
const VERBS: Readonly<Record<Verb, VerbRow>> = {
  view: {
    hook: 'memory',
    tap: (mount) => async (view: View, turn: Turn) => {
      live(turn).view = view
      return checkView(await mount.module.view?.(ctxOf(mount, turn)), mount, live(turn))
    },
  },
  direct: {
    hook: 'planning',
    tap: (mount) => async (directive: Directive, turn: Turn) => {
      live(turn).directive = directive
      return checkDirective(await mount.module.direct?.(ctxOf(mount, turn)), mount, live(turn))
    },
  },
  select: {
    hook: 'capability',
    tap: (mount) => async (capabilities: Capabilities, turn: Turn) => {
      live(turn).capabilities = capabilities
      return checkCapabilities(await mount.module.select?.(ctxOf(mount, turn)), mount, live(turn))
    },
  },
  act: {
    hook: 'action',
    tap: (mount) => async (turn: Turn) => {
      const action = await mount.module.act?.(ctxOf(mount, turn))
      return action === undefined ? undefined : checkAction(action, mount, live(turn))
    },
  },
  record: passing('record', 'record'),
  finish: passing('finish', 'finish'),
  start: plain('runStart', 'start'),
  end: passing('runEnd', 'end'),
  modelRequest: passing('modelRequest', 'modelRequest'),
  modelResponse: passing('modelResponse', 'modelResponse'),
  toolCall: passing('toolCall', 'toolCall'),
  toolResult: passing('toolResult', 'toolResult'),
  error: passing('error', 'error'),
  checkpoint: passing('checkpoint', 'checkpoint'),
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

/** Taps every verb of every module, in order, then lets plugins make their raw taps. */
export function tapModules(hooks: Hooks, mounts: readonly Mount[]): void {
  for (const [verb, row] of Object.entries(VERBS) as [Verb, VerbRow][]) {
    for (const mount of inSlotOrder(mounts, SLOT_ORDER[row.hook] ?? MANIFEST_ORDER)) {
      if (typeof mount.module[verb] !== 'function') continue
      const { key, slot, use, module } = mount
      addTap(hooks, row.hook, { name: key, slot, module: use, ...stageOf(module) }, row.tap(mount))
    }
  }
  for (const mount of mounts) applyRaw(hooks, mount)
}

function stageOf(module: Module): { stage?: NonNullable<Module['stage']> } {
  return module.stage === undefined ? {} : { stage: module.stage }
}

function applyRaw(hooks: Hooks, mount: Mount): void {
  const { module, slot, use } = mount
  try {
    module.apply?.(hookPoints(hooks, { slot, module: use }), (turn) => ctxOf(mount, turn))
  } catch (cause) {
    if (cause instanceof HarnessError) throw cause
    throw new HarnessError('E_RUN_MODULE', { message: `${use} threw in "apply".`, slot, module: use, cause })
  }
}
