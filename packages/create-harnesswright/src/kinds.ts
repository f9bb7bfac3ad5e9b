/** What can be created: one module, a seed with a module for every slot and a manifest, or a plugin. */
export const KINDS = ['module', 'seed', 'plugin'] as const
export type Kind = (typeof KINDS)[number]

/** Slots of a harness that a module can be for. */
export const SLOTS = ['memory', 'planning', 'capability', 'action'] as const
export type ModuleSlot = (typeof SLOTS)[number]

/** A slot of a harness, or that of plugins: also the name of the export and of its file. */
export type Part = ModuleSlot | 'plugin'
