import type { Json, Manifest } from '@harnesswright/core'
import type { HarnessEntry, NewEntry } from '@harnesswright/plugin-bank'

type Row = NewEntry<HarnessEntry>

/** What has to be known of a harness that is added to a bank. */
type Known = Pick<Row, 'id' | 'name' | 'operator' | 'createdBy'> & { readonly manifest: Manifest }

/** A harness as a bank keeps it: a candidate with the description of its manifest as its card, where nothing else is said. */
export function harnessRow({ id, name, manifest, ...known }: Known & Partial<Omit<Row, 'manifest'>>): Row {
  return {
    id,
    name,
    manifest: JSON.parse(JSON.stringify(manifest)) as Json,
    card: manifest.description ?? '',
    status: 'candidate',
    parentIds: [],
    referenceIds: [],
    promptHash: null,
    model: null,
    catalogueVersion: null,
    predicted: null,
    ...known,
  }
}
