import type { Json, Slot } from '@harnesswright/core'
import { isRecord } from '../pointer.js'
import type { ModuleOffer } from './module-offer.js'
import type { Offer } from './offer.js'

/** An option that may be chosen, in words. */
export interface OfferedOption {
  readonly name: string
  /** What may be chosen: `0.4 | 0.6`, `text of at most 200 characters`, … */
  readonly choices: string
  /** What holds where nothing is chosen, if anything does. */
  readonly default?: Json
  readonly description: string
}

/** A module that may be chosen, in words. */
export interface OfferedModule {
  readonly use: string
  readonly slot: Slot
  readonly summary: string
  readonly requires: readonly string[]
  readonly provides: readonly string[]
  readonly options: readonly OfferedOption[]
}

/** What a dialect offers of a module, for prompts and people. */
export function describeOffer({ module, options }: ModuleOffer): OfferedModule {
  const { use, slot, description } = module
  const { summary, requires, provides } = description
  const properties = description.options['properties']
  const offered = options.fields.map(({ name, offer }): OfferedOption => {
    const schema = isRecord(properties) && isRecord(properties[name]) ? properties[name] : {}
    const first = schema['default'] as Json | undefined // of a JSON Schema
    const said = typeof schema['description'] === 'string' ? schema['description'] : ''
    return { name, choices: choicesOf(offer), ...(first === undefined ? {} : { default: first }), description: said }
  })
  return { use, slot, summary, requires, provides, options: offered }
}

function choicesOf(offer: Offer): string {
  switch (offer.kind) {
    case 'boolean':
      return 'true | false'
    case 'choice':
      return offer.values.map((value) => JSON.stringify(value)).join(' | ')
    case 'text':
      return `text of at most ${offer.most} characters`
    case 'list':
      return `list of at most ${offer.most} of (${choicesOf(offer.item)})`
    case 'object':
      return `{ ${offer.fields.map(({ name, offer: inner }) => `${name}: ${choicesOf(inner)}`).join(', ')} }`
    case 'union':
      return offer.branches.map(choicesOf).join(' | ')
  }
}
