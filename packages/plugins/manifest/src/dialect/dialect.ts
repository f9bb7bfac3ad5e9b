import type { Authority, Catalog, CatalogModule, JsonSchema } from '@harnesswright/core'
import { SLOTS } from '../slots.js'
import { describeOffer, type OfferedModule } from './describe-offer.js'
import { type ModuleOffer, moduleOffer, withoutOptions, writeModule } from './module-offer.js'
import { checkOpenAiSchema, OPENAI_LIMITS, type OpenAiLimits } from './openai-limits.js'
import { type ManifestDraft, readDraft } from './read-draft.js'
import { choose, type ModelDialect, orNull, writeObject } from './write-offer.js'

/** Which manifests a dialect has. */
export interface DialectOptions {
  /** `openai` for strict structured outputs: `anyOf`, no lengths. `gbnf` for grammars: `oneOf`, lengths of texts. */
  readonly dialect: ModelDialect
  /** How much the schema may hold. Default: what is published for strict structured outputs; for grammars nothing but its depth. */
  readonly limits?: OpenAiLimits
  /** Levels of objects around the manifest. Default 0. */
  readonly inside?: number
  /** Prompts may be replaced. Default false. */
  readonly prompts?: boolean
  /** Authorities of packages that may be named. Default `none` and `workspace`. */
  readonly granted?: readonly Authority[]
  /** Which modules may be offered. Default: all of them. */
  readonly only?: (module: CatalogModule) => boolean
  /** How much a module is wanted where not all of them fit: the least wanted is left out first. Default: the order of the catalog. */
  readonly rank?: (module: CatalogModule) => number
}

/** A schema of manifests for models, and the way back. */
export interface Dialect {
  /** Every value of it stands for a manifest that is valid. */
  readonly schema: JsonSchema
  /** What it offers, the most wanted first. */
  readonly modules: readonly OfferedModule[]
  /**
   * The manifest that a value stands for. A value that is not of the schema gives a draft with its mistakes, to be told by
   * `validateManifest`.
   */
  read(value: unknown): ManifestDraft
}

/**
 * A dialect of a catalog: each slot a choice of one module, with the options of which every choice is valid. Numbers are
 * chosen among the buckets that their options declare, texts are enumerations or have at most 200 characters, every field is
 * needed and null where it may be left out.
 *
 * Where the catalog is too large for the limits, the options of the least wanted modules are left out, then those modules.
 */
export function createDialect(catalog: Catalog, options: DialectOptions): Dialect {
  const {
    dialect,
    inside = 0,
    prompts = false,
    granted = ['none', 'workspace'],
    rank = () => 0,
    only = () => true,
  } = options
  const limits = options.limits ?? (dialect === 'openai' ? OPENAI_LIMITS : GRAMMAR_LIMITS)
  const depth = limits.depth - inside - 2 // the manifest and the module in its slot
  const allowed = catalog.modules().filter((module) => granted.includes(module.package.description.authority))
  const ranked = allowed
    .filter((module) => module.description.observer !== true && only(module))
    .map((module, index) => ({ module, index, rank: rank(module) }))
    .sort((a, b) => b.rank - a.rank || a.index - b.index)
  const all = ranked.flatMap(({ module }) => moduleOffer(module, depth, prompts) ?? [])
  const isFitting = (some: readonly ModuleOffer[]): boolean => isInside(writeManifest(some, dialect), limits, inside)
  const offers = largest(all, isFitting)
  const schema = writeManifest(offers, dialect)
  const byUse = new Map(offers.map((offer) => [offer.module.use, offer]))
  return Object.freeze({
    schema,
    modules: Object.freeze(offers.map(describeOffer)),
    read: (value: unknown) => readDraft(value, catalog, byUse),
  })
}

/** A grammar is bounded by the schema it is made of alone. */
const GRAMMAR_LIMITS: OpenAiLimits = { ...OPENAI_LIMITS, depth: 8 }

function isInside(schema: JsonSchema, limits: OpenAiLimits, inside: number): boolean {
  const left = { ...limits, depth: limits.depth - inside }
  return checkOpenAiSchema(schema, left).every(({ message }) => !/; at most /.test(message))
}

/** As much as fits: the least wanted modules first lose their options, and then are left out. The last of a slot stays. */
function largest(
  all: readonly ModuleOffer[],
  isFitting: (some: readonly ModuleOffer[]) => boolean,
): readonly ModuleOffer[] {
  const backwards = all.toReversed()
  const full = backwards.filter(({ options }) => options.fields.some((field) => !field.isNeeded))
  const spare = backwards.filter(
    ({ module }) => all.find((other) => other.module.slot === module.slot)?.module !== module,
  )
  /** What is left after so many of these cuts. */
  const after = (cuts: number): readonly ModuleOffer[] => {
    const bare = new Set(full.slice(0, cuts))
    const gone = new Set(spare.slice(0, Math.max(0, cuts - full.length)))
    return all.filter((offer) => !gone.has(offer)).map((offer) => (bare.has(offer) ? withoutOptions(offer) : offer))
  }
  let [least, most] = [0, full.length + spare.length]
  while (least < most) {
    const middle = Math.floor((least + most) / 2)
    if (isFitting(after(middle))) most = middle
    else least = middle + 1
  }
  return after(least)
}

function writeManifest(offers: readonly ModuleOffer[], dialect: ModelDialect): JsonSchema {
  const text: JsonSchema = { type: 'string', ...(dialect === 'gbnf' ? { maxLength: 30 } : {}) }
  const slots = SLOTS.flatMap(({ slot, field, forms }): [string, JsonSchema][] => {
    const modules = offers.filter(({ module }) => module.slot === slot).map((offer) => writeModule(offer, dialect))
    const isNeeded = !forms.includes('null') && slot !== 'plugin'
    if (modules.length === 0) return slot === 'plugin' ? [] : [[field, isNeeded ? { enum: [] } : { type: 'null' }]]
    const choice = choose(modules, dialect)
    return [[field === 'plugins' ? 'plugin' : field, isNeeded ? choice : orNull(choice, dialect)]]
  })
  return writeObject([['name', text], ...slots])
}
