import type { Catalog, CatalogModule, Json, JsonObject, Manifest } from '@harnesswright/core'
import { LINKED } from '../check-packages.js'
import { isRecord, type JsonRecord } from '../pointer.js'
import { type ModuleOffer, readPrompts } from './module-offer.js'
import { readOffer } from './read-offer.js'

/** A manifest as a composer meant it; valid when the value it was read from was of the dialect. */
export type ManifestDraft = Pick<Manifest, 'protocol' | 'name' | 'packages'> & JsonRecord

const FALLBACK_NAME = 'composed'
const MAX_NAME = 80
const MAX_DESCRIPTION = 500

/** A manifest of the four slots, a plugin and a name; what else a composer wrote has no part in it. */
export function readDraft(value: unknown, catalog: Catalog, offers: ReadonlyMap<string, ModuleOffer>): ManifestDraft {
  const given = isRecord(value) ? value : {}
  const { name, description, plugin, plugins } = given
  const slot = (field: string): unknown => readSlot(given[field], offers, catalog)
  const extra = plugins ?? (plugin === null || plugin === undefined ? undefined : [plugin])
  const slots = {
    memory: slot('memory'),
    planning: slot('planning'),
    capability: slot('capability'),
    ...(given['action'] === undefined ? {} : { action: slot('action') }),
    ...(extra === undefined || extra === null ? {} : { plugins: readSlot(extra, offers, catalog) }),
  }
  const title = shortText(name, MAX_NAME)
  const about = shortText(description, MAX_DESCRIPTION)
  return {
    protocol: 1,
    name: title === '' ? FALLBACK_NAME : title,
    ...(about === '' ? {} : { description: about }),
    packages: rangesOf(slots, catalog),
    ...slots,
  }
}

function shortText(value: unknown, most: number): string {
  return typeof value === 'string' ? Array.from(value.trim()).slice(0, most).join('').trim() : ''
}

/** A module or several; nothing that was said of a slot is none. */
function readSlot(value: unknown, offers: ReadonlyMap<string, ModuleOffer>, catalog: Catalog): unknown {
  if (Array.isArray(value)) return value.map((one) => readSlot(one, offers, catalog))
  if (!isRecord(value)) return value ?? null
  const { use, with: options, prompts, ...rest } = value
  const offer = typeof use === 'string' ? offers.get(use) : undefined
  const module = typeof use === 'string' ? catalog.find(use) : undefined
  return {
    use,
    ...readOptions(options, offer),
    ...(isRecord(prompts) && module !== undefined ? writtenPrompts(prompts, module) : {}),
    ...rest,
  }
}

function readOptions(options: unknown, offer: ModuleOffer | undefined): { readonly with?: unknown } {
  if (options === null || options === undefined) return {}
  if (!isRecord(options) || offer === undefined) return { with: options }
  const set = readOffer(offer.options, options as JsonObject) as { readonly [name: string]: Json } // read from JSON
  return Object.keys(set).length === 0 ? {} : { with: set }
}

function writtenPrompts(
  given: JsonRecord,
  { description }: CatalogModule,
): { readonly prompts?: Readonly<Record<string, string>> } {
  const prompts = readPrompts(given, description)
  return Object.keys(prompts).length === 0 ? {} : { prompts }
}

/** A range for every package of which a module is named. */
function rangesOf(slots: JsonRecord, catalog: Catalog): Readonly<Record<string, string>> {
  const uses = Object.values(slots)
    .flat()
    .flatMap((use) => (isRecord(use) && typeof use['use'] === 'string' ? [use['use']] : []))
  const found = uses.flatMap((use) => catalog.find(use)?.package ?? [])
  return Object.fromEntries(
    found.map(({ description, version }) => [description.name, version === LINKED ? '*' : `^${version}`]),
  )
}
