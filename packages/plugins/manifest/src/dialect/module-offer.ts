import type { CatalogModule, JsonSchema } from '@harnesswright/core'
import { templateVariables } from '@harnesswright/core/manifest'
import type { ObjectOffer } from './offer.js'
import { offerOf } from './offer-of.js'
import { type ModelDialect, orNull, writeObject, writeOffer } from './write-offer.js'

/** A module as a dialect offers it. */
export interface ModuleOffer {
  readonly module: CatalogModule
  /** The options that may be set. */
  readonly options: ObjectOffer
  /** Names of the prompts that may be replaced. */
  readonly prompts: readonly string[]
}

/** Longest prompt that a composer writes, in characters. */
const MAX_PROMPT = 2_000

/** What a dialect offers of a module; undefined when it has an option that must be set and cannot be offered. */
export function moduleOffer(module: CatalogModule, depth: number, withPrompts: boolean): ModuleOffer | undefined {
  const { options: schema, prompts } = module.description
  const options = offerOf(schema, schema, depth)
  const bare: ObjectOffer = { kind: 'object', fields: [] }
  const names = withPrompts ? Object.keys(prompts) : []
  if (options?.kind === 'object') return { module, options, prompts: names }
  // Without its options a module is whole, if none of them must be set and nothing is said of all of them.
  const isFree = schema['required'] === undefined && Object.keys(schema).every((keyword) => FREE.includes(keyword))
  return isFree ? { module, options: bare, prompts: names } : undefined
}

const FREE: readonly string[] = [
  '$schema',
  '$defs',
  'type',
  'title',
  'description',
  'properties',
  'additionalProperties',
]

/** The module alone: its options stay as they are by default. */
export function withoutOptions(offer: ModuleOffer): ModuleOffer {
  return { ...offer, options: { kind: 'object', fields: offer.options.fields.filter((field) => field.isNeeded) } }
}

/** The schema of a module: its name, and what of it may be set. */
export function writeModule({ module, options, prompts }: ModuleOffer, dialect: ModelDialect): JsonSchema {
  const fields: [string, JsonSchema][] = [['use', { type: 'string', enum: [module.use] }]]
  if (options.fields.length > 0) fields.push(['with', writeOffer(options, dialect)])
  if (prompts.length > 0) {
    const text: JsonSchema = { type: 'string', ...(dialect === 'gbnf' ? { maxLength: MAX_PROMPT } : {}) }
    fields.push(['prompts', writeObject(prompts.map((name) => [name, orNull(text, dialect)]))])
  }
  return writeObject(fields)
}

/** Prompts that were written: those of a name and with variables that the module has, cut to their size. */
export function readPrompts(
  given: object,
  { prompts }: CatalogModule['description'],
): Readonly<Record<string, string>> {
  const entries = Object.entries(given).flatMap(([name, text]): [string, string][] => {
    const own = Object.hasOwn(prompts, name) ? prompts[name] : undefined
    if (own === undefined || typeof text !== 'string' || text.trim() === '') return []
    const known = templateVariables(own)
    const cut = Array.from(text).slice(0, MAX_PROMPT).join('')
    return templateVariables(cut).every((variable) => known.includes(variable)) ? [[name, cut]] : []
  })
  return Object.fromEntries(entries)
}
