import type { Json } from '@harnesswright/core'
import { isOffered, type ListOffer, type ObjectOffer, type Offer } from './offer.js'

/**
 * A value of a dialect as the manifest has it: what is null is left out, texts and lists are cut to their size. A value that
 * is not offered stays as it is, for its problems to be told.
 */
export function readOffer(offer: Offer, value: Json): Json {
  if (offer.kind === 'text') return typeof value === 'string' ? Array.from(value).slice(0, offer.most).join('') : value
  if (offer.kind === 'list') return Array.isArray(value) ? readList(offer, value) : value
  if (offer.kind === 'object') return isObject(value) ? readObject(offer, value) : value
  if (offer.kind !== 'union') return value
  const read = offer.branches.map((branch): [Offer, Json] => [branch, readOffer(branch, value)])
  return read.find(([branch, one]) => isOffered(branch, one))?.[1] ?? value
}

function readList({ item, most, isDistinct }: ListOffer, value: readonly Json[]): Json {
  const items = value.slice(0, most).map((one) => readOffer(item, one))
  if (!isDistinct) return items
  const texts = items.map((one) => JSON.stringify(one))
  return items.filter((_, index) => texts.indexOf(texts[index] as string) === index)
}

/** The fields that are set. One that is too short, and need not be there, is left out too. */
function readObject({ fields }: ObjectOffer, value: { readonly [name: string]: Json }): Json {
  const entries = Object.entries(value).flatMap(([name, given]): [string, Json][] => {
    const field = fields.find((one) => one.name === name)
    if (field === undefined) return given === null ? [] : [[name, given]]
    if (given === null && !field.isNeeded) return []
    const read = readOffer(field.offer, given)
    const isShort = field.offer.kind === 'text' && typeof read === 'string' && !isOffered(field.offer, read)
    return isShort && !field.isNeeded ? [] : [[name, read]]
  })
  return Object.fromEntries(entries)
}

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
