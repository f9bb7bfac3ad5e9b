import type { Slot } from '@harnesswright/core'
import { type CheckProblem, FIELDS, placedModules } from '../check/problem.js'
import { below, isWithin, tokensOf, valueAt } from '../pointer.js'

/** One failure as a repairer is told of it. */
export interface RepairCase {
  /** `compile`: the manifest is not valid. `interface`: its parts do not fit. `runtime`: a module failed while it ran. */
  readonly family: 'compile' | 'interface' | 'runtime'
  readonly code: string
  readonly slot: Slot | null
  /** The module that stands there, as the manifest names it. */
  readonly module: string | null
  readonly pointer: string
  readonly message: string
  /** How to mend it, as the check says. */
  readonly hint: string
  /** What stands in the slot, as JSON of at most 1,000 characters. */
  readonly excerpt: string
  /** Valid names most like the one that stands there. */
  readonly nearest: readonly string[]
  /** Pointers to what may be changed: the slot or the plugin that holds the pointer. Empty: it is not for repair to touch. */
  readonly within: readonly string[]
}

const MAX_EXCERPT_CHARS = 1_000
const MAX_MESSAGE_CHARS = 500

/** The case of a problem. */
export function repairCase(problem: CheckProblem, manifest: unknown): RepairCase {
  const { code, pointer, message, fix, nearest = [] } = problem
  const { slot, within } = placeOf(problem)
  const held = placedModules(manifest).find((one) => one.slot === slot && isWithin(pointer, [one.pointer]))
  const text = JSON.stringify(within[0] === undefined ? null : valueAt(manifest, within[0])) ?? 'nothing'
  return {
    family: familyOf(code),
    code,
    slot,
    module: problem.module ?? held?.use ?? null,
    pointer,
    message: message.slice(0, MAX_MESSAGE_CHARS),
    hint: fix.slice(0, MAX_MESSAGE_CHARS),
    excerpt: text.slice(0, MAX_EXCERPT_CHARS),
    nearest,
    within,
  }
}

function familyOf(code: string): RepairCase['family'] {
  if (code.startsWith('E_MANIFEST_')) return 'compile'
  return code.startsWith('E_PROTOCOL_') || code === 'E_COMPOSE_DEAD' || code === 'E_COMPOSE_PROMPTS'
    ? 'interface'
    : 'runtime'
}

interface Place {
  readonly slot: Slot | null
  readonly within: readonly string[]
}

const NOWHERE: Place = { slot: null, within: [] }

/** The slot of a problem. What is missing is told at the manifest; a slot whose name is misspelt is that slot. */
function placeOf({ code, pointer, found = '', nearest = [] }: CheckProblem): Place {
  const [field = '', index] = tokensOf(pointer)
  const missing = code === 'E_MANIFEST_MISSING' && pointer === '' ? /^no "(\w+)"$/.exec(found)?.[1] : undefined
  const slot = slotOf(missing ?? field)
  if (slot === 'plugin') {
    return index !== undefined && /^\d+$/.test(index) ? { slot, within: [`/plugins/${index}`] } : NOWHERE
  }
  if (slot !== undefined) return { slot, within: [`/${FIELDS[slot]}`] }
  const meant = code === 'E_MANIFEST_UNKNOWN_FIELD' && index === undefined ? slotOf(nearest[0] ?? '') : undefined
  if (meant === undefined || meant === 'plugin') return NOWHERE
  return { slot: meant, within: [`/${FIELDS[meant]}`, below('', field)] }
}

function slotOf(field: string): Slot | undefined {
  return (Object.entries(FIELDS) as [Slot, string][]).find(([, name]) => name === field)?.[0]
}
