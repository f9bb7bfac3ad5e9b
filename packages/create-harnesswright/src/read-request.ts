import { CreateError } from './create-error.js'
import { KINDS, type Kind, type ModuleSlot, type Part, SLOTS } from './kinds.js'
import { type PackageNames, packageNames } from './package-name.js'

/** What is asked for, in the words of a command line. */
export interface CreateRequest {
  /** `module`, `seed` or `plugin`. */
  readonly kind: string | undefined
  /** A short name such as `own-words`, or the whole name of the package. */
  readonly name: string | undefined
  /** Slot of a module: `memory`, `planning`, `capability` or `action`. Default: `memory`. Seeds and plugins take none. */
  readonly slot?: string | undefined
  /** Words that stand after the name. Default: none. */
  readonly more?: readonly string[]
}

/** A request that can be met. */
export interface NewPackage extends PackageNames {
  readonly kind: Kind
  /** The modules it begins with. */
  readonly parts: readonly Part[]
}

/**
 * Checks what is asked for.
 *
 * @throws CreateError `E_CREATE_USAGE`, `E_CREATE_NAME`.
 */
export function readRequest({ kind, name, slot, more = [] }: CreateRequest): NewPackage {
  if (!isOneOf(KINDS, kind)) throw unknownKind(kind, name)
  if (name === undefined) throw usage(kind, 'The package has no name.', 'create', `${kind} own-words`)
  if (more.length > 0) {
    throw usage(
      kind,
      `${more.length + 1} names are given.`,
      [name, ...more].join(' '),
      `${kind} ${[name, ...more].join('-')}`,
    )
  }
  return { kind, parts: partsOf(kind, name, slot), ...packageNames(kind, name) }
}

function partsOf(kind: Kind, name: string, slot: string | undefined): readonly Part[] {
  if (kind === 'module') {
    const found = slot ?? 'memory'
    if (isOneOf(SLOTS, found)) return [found]
    throw usage(
      kind,
      `There is no slot ${JSON.stringify(found)}.`,
      '--slot',
      `module ${name} --slot ${nearestSlot(found)}`,
    )
  }
  if (slot !== undefined) {
    const why = kind === 'seed' ? 'a seed has a module for each' : 'a plugin stands in none of them'
    throw usage(kind, `A slot is for a module: ${why}.`, '--slot', `${kind} ${name}`)
  }
  return kind === 'seed' ? SLOTS : ['plugin']
}

function isOneOf<T extends string>(list: readonly T[], value: string | undefined): value is T {
  return list.includes(value as T)
}

/** The slot that begins as the word does; the first where none does. */
function nearestSlot(word: string): ModuleSlot {
  const beginning = word.trim().slice(0, 1).toLowerCase()
  return SLOTS.find((slot) => slot.startsWith(beginning)) ?? SLOTS[0]
}

function unknownKind(kind: string | undefined, name = 'own-words'): CreateError {
  const message =
    kind === undefined ? 'It is not said what to create.' : `There is no kind of package ${JSON.stringify(kind)}.`
  const nearest = isOneOf(SLOTS, kind) ? `module ${name} --slot ${kind}` : `module ${name}`
  return usage('module', message, kind ?? 'create', nearest)
}

function usage(kind: Kind, message: string, where: string, fix: string): CreateError {
  return new CreateError('E_CREATE_USAGE', {
    message,
    where,
    expected:
      kind === 'module'
        ? `${KINDS.join(', ')} and a name; for a module --slot with ${SLOTS.join(', ')}`
        : `${kind} and a name`,
    fix: `Write "create ${fix}".`,
  })
}
