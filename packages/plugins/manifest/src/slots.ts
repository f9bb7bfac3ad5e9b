import type { Slot } from '@harnesswright/core'

/** A slot as a field of a manifest, and the forms that it may have. */
export interface SlotField {
  readonly slot: Slot
  readonly field: string
  readonly forms: readonly ('object' | 'array' | 'null')[]
}

/** The slots of a manifest in the order in which their modules tap. */
export const SLOTS: readonly SlotField[] = [
  { slot: 'memory', field: 'memory', forms: ['object', 'array', 'null'] },
  { slot: 'planning', field: 'planning', forms: ['object', 'null'] },
  { slot: 'capability', field: 'capability', forms: ['object', 'array', 'null'] },
  { slot: 'action', field: 'action', forms: ['object'] },
  { slot: 'plugin', field: 'plugins', forms: ['array'] },
]
