import type { Authority, Catalog, CatalogModule, Json, Manifest, Use } from '@harnesswright/core'
import { describeDifference } from '../diff/describe-diff.js'
import type { Slots } from '../rules/modules.js'
import { changedManifest } from './changed-manifest.js'
import { optionChoices } from './option-choices.js'

/** One step away from a manifest: another module in a slot, one more or one less, or another value of one option. */
export interface Mutation {
  readonly manifest: Manifest
  readonly slot: keyof Slots
  readonly kind: 'module' | 'option'
  /** The change in words. */
  readonly change: string
}

/** What a mutation would change, for {@link MutationOptions.isAlive}. */
export interface MutatedPlace {
  readonly slot: keyof Slots
  /** The module that comes or whose option changes; absent where a module goes. */
  readonly use?: string
  readonly option?: string
  readonly value?: Json
  /** The slots as they would be. */
  readonly slots: Slots
}

/** Which mutations there may be. */
export interface MutationOptions {
  readonly catalog: Catalog
  /** Authorities of packages that may come in. Default `none` and `workspace`. */
  readonly granted?: readonly Authority[]
  /** Whether a change can change anything that happens: what is dead is no mutation. Default: all of it may. */
  readonly isAlive?: (place: MutatedPlace) => boolean
}

const SLOTS = ['memory', 'planning', 'capability', 'action'] as const

/** More modules in one slot are no harness that anybody would try. */
const MOST_IN_SLOT = 2

/**
 * Every manifest that is one step away: one module of one slot that comes, goes, or stands in the place of another, or one
 * option with another of its usual values. Prompts are never changed; those of a module go with it. What a module needs of
 * others is there. Always in the same order.
 */
export function listMutations(parent: Manifest, options: MutationOptions): readonly Mutation[] {
  const { catalog, isAlive = () => true } = options
  const before = slotsOf(parent)
  return SLOTS.flatMap((slot) => [...moduleSteps(slot, before, options), ...optionSteps(slot, before, catalog)])
    .filter(({ place }) => isAlive(place) && isWhole(place.slots, catalog))
    .map(({ place: { slot, slots }, kind, change }) => {
      const title = { name: `${baseName(parent)}~`, change, operator: 'mutate', parents: [parent.name] } as const
      return { manifest: changedManifest(parent, slots, title, catalog), slot, kind, change }
    })
}

/** The four slots of a manifest. */
export function slotsOf({ memory, planning, capability, action }: Manifest): Slots {
  return { memory, planning, capability, action }
}

/** The name without marks of earlier changes. */
export function baseName({ name }: Manifest): string {
  return name.replace(/[~×].*$/, '')
}

interface Step {
  readonly place: MutatedPlace
  readonly kind: Mutation['kind']
  readonly change: string
}

/** Modules of a slot as a list, whichever form it has. */
function usesOf(slot: Slots[keyof Slots]): readonly Use[] {
  return slot === null ? [] : [slot].flat()
}

/** A slot of these modules, in the form that it is written in. */
function withUses(slots: Slots, slot: keyof Slots, uses: readonly Use[]): Slots {
  const [only, ...others] = uses
  return { ...slots, [slot]: only === undefined ? null : others.length === 0 ? only : uses } as Slots
}

function moduleSteps(slot: keyof Slots, before: Slots, options: MutationOptions): readonly Step[] {
  const { catalog, granted = ['none', 'workspace'] } = options
  const uses = usesOf(before[slot])
  const isList = slot === 'memory' || slot === 'capability'
  const others = catalog.modules(slot).filter((module) => isUsable(module, granted) && !isThere(module, uses))
  const step = (after: readonly Use[], from?: string, use?: string): Step => ({
    place: { slot, ...(use === undefined ? {} : { use }), slots: withUses(before, slot, after) },
    kind: 'module',
    change: describeDifference({ place: slot, kind: 'module', a: from ?? null, b: use ?? null }),
  })
  const replaced = uses.flatMap(({ use: from }, at) =>
    others.map(({ use }) => step(uses.toSpliced(at, 1, { use }), from, use)),
  )
  const removed = slot === 'action' ? [] : uses.map(({ use }, at) => step(uses.toSpliced(at, 1), use))
  const room = isList ? MOST_IN_SLOT - uses.length : 1 - uses.length
  const added = room < 1 ? [] : others.flatMap(({ use }) => [step([{ use }, ...uses], undefined, use)])
  const last = room < 1 || uses.length === 0 ? [] : others.map(({ use }) => step([...uses, { use }], undefined, use))
  return [...replaced, ...removed, ...added, ...last]
}

function isUsable(
  { package: { description }, description: own }: CatalogModule,
  granted: readonly Authority[],
): boolean {
  return granted.includes(description.authority) && own.observer !== true && !needsOptions(own.options)
}

/** A module whose options must be set cannot be put in by its name alone. */
function needsOptions({ required }: CatalogModule['description']['options']): boolean {
  return Array.isArray(required) && required.length > 0
}

function isThere({ use }: CatalogModule, uses: readonly Use[]): boolean {
  return uses.some((one) => one.use === use)
}

function optionSteps(slot: keyof Slots, before: Slots, catalog: Catalog): readonly Step[] {
  const uses = usesOf(before[slot])
  return uses.flatMap((use, at) => {
    const module = catalog.find(use.use)
    if (module === undefined) return []
    return optionChoices(module).flatMap(({ name, values, default: usual }) => {
      const now = use.with?.[name] ?? usual
      const others = values.filter((value) => value !== now)
      return others.map((value): Step => {
        const slots = withUses(before, slot, uses.toSpliced(at, 1, withOption(use, name, value, usual)))
        const change = `${slot} option ${name} of ${use.use}: ${JSON.stringify(now) ?? 'none'} -> ${JSON.stringify(value)}`
        return { place: { slot, use: use.use, option: name, value, slots }, kind: 'option', change }
      })
    })
  })
}

/** A module with an option of this value; its default is not written. */
function withOption({ with: before = {}, ...use }: Use, name: string, value: Json, usual: Json | undefined): Use {
  const { [name]: _before, ...others } = before
  const after = value === usual ? others : { ...others, [name]: value }
  return Object.keys(after).length === 0 ? use : { ...use, with: after }
}

/** Whether every label that a module needs is provided by another. */
export function isWhole(slots: Slots, catalog: Catalog): boolean {
  const modules = SLOTS.flatMap((slot) => usesOf(slots[slot]).map(({ use }) => catalog.find(use)))
  const provided = modules.flatMap((module) => module?.description.provides ?? [])
  return modules.every((module) => module?.description.requires.every((label) => provided.includes(label)) === true)
}
