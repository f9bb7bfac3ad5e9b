import type { ModelRequest } from '@harnesswright/core'

/** What the simulated model has a form of its own for; anything else is filled by schema, or told as a summary. */
const PURPOSES = [
  'act',
  'finish',
  'plan',
  'review',
  'summarise',
  'fold',
  'abstract',
  'memorise',
  'recall',
  'research',
  'atomise',
  'aggregate',
  'judge',
  'compose',
  'repair',
] as const

/** A purpose with a form of its own. */
export type KnownPurpose = (typeof PURPOSES)[number]

/** What a request is for, and in which form it is answered. */
export interface PurposeOf {
  /** As the request says, for the accounting of thought. */
  readonly label: string
  /** Undefined: any other. */
  readonly form: KnownPurpose | undefined
}

/** The purpose: by the schema's title where that names one, else by the request's label, else `act`. Never by wording. */
export function purposeOf({
  schema,
  purpose,
}: Pick<ModelRequest, 'schema'> & { readonly purpose?: string }): PurposeOf {
  const title = schema?.['title']
  const titled = typeof title === 'string' ? toKnown(title) : undefined
  if (titled !== undefined) return { label: titled, form: titled }
  const label = purpose ?? 'act'
  return { label, form: toKnown(label) }
}

/** `finish` is called `answer` by some. */
function toKnown(name: string): KnownPurpose | undefined {
  const lower = name.toLowerCase()
  return lower === 'answer' ? 'finish' : PURPOSES.find((one) => one === lower)
}
