import type { Json } from '@harnesswright/core'

/**
 * What a composer may choose for one value: the part of an option's schema that a dialect can say, and of which every choice
 * is valid by the whole schema.
 */
export type Offer =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly values: readonly Scalar[] }
  | TextOffer
  | ListOffer
  | ObjectOffer
  | { readonly kind: 'union'; readonly branches: readonly Offer[] }

/** A number, text or boolean of a choice. */
export type Scalar = string | number | boolean

/** A text of so many characters (code points). */
interface TextOffer {
  readonly kind: 'text'
  readonly least: number
  readonly most: number
}

/** A list of so many items. */
export interface ListOffer {
  readonly kind: 'list'
  readonly item: Offer
  readonly least: number
  readonly most: number
  readonly isDistinct: boolean
}

/** An object of these fields and no others. */
export interface ObjectOffer {
  readonly kind: 'object'
  readonly fields: readonly FieldOffer[]
}

/** A field; one that need not be set may be left out. */
export interface FieldOffer {
  readonly name: string
  readonly offer: Offer
  readonly isNeeded: boolean
}

/** True for a value that the offer has. */
export function isOffered(offer: Offer, value: Json): boolean {
  switch (offer.kind) {
    case 'boolean':
      return typeof value === 'boolean'
    case 'choice':
      return offer.values.some((choice) => choice === value)
    case 'text':
      return typeof value === 'string' && fits(offer, Array.from(value).length)
    case 'list':
      return Array.isArray(value) && fits(offer, value.length) && value.every((item) => isOffered(offer.item, item))
    case 'object':
      return isOfFields(offer, value)
    case 'union':
      return offer.branches.some((branch) => isOffered(branch, value))
  }
}

function fits({ least, most }: { readonly least: number; readonly most: number }, size: number): boolean {
  return size >= least && size <= most
}

function isOfFields({ fields }: ObjectOffer, value: Json): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const given = new Map(Object.entries(value))
  const isKnown = [...given.keys()].every((name) => fields.some((field) => field.name === name))
  return (
    isKnown &&
    fields.every(({ name, offer, isNeeded }) => {
      const item = given.get(name)
      return item === undefined ? !isNeeded : isOffered(offer, item)
    })
  )
}
