import type { Catalog } from '@harnesswright/core'
import type { Bank, HarnessEntry, NewEntry } from '@harnesswright/plugin-bank'
import type { EvolveReport } from '@harnesswright/plugin-meta-agent'
import { harnessRow } from '../bank/harness-row.js'
import type { NamedManifest } from './named-manifest.js'

/** What an evolution leaves in a bank. */
interface Lineage {
  readonly parent: NamedManifest
  readonly judged: EvolveReport['judged']
  /** The model on which it was tried. */
  readonly model: string
  readonly catalog: Catalog
}

/**
 * Adds the harnesses that an evolution kept, each with the one before it as its parent and with what was predicted of it. Candidates is all
 * that they are: a race says which of them takes the place of a champion.
 *
 * @returns Ids of the harnesses that the evolution kept, the last one the best.
 */
export async function rememberEvolution(
  bank: Bank,
  { parent, judged, model, catalog }: Lineage,
): Promise<readonly string[]> {
  const { manifest, harnessId: id } = parent
  const first = { id, name: manifest.name, manifest, operator: 'generate', createdBy: 'person' } as const
  const entries = [harnessRow(first)]
  for (const { name, manifest, operator, verdict, prediction } of judged) {
    if (verdict !== 'kept' || operator === 'random') continue
    const { harnessId: id } = await catalog.identify(manifest)
    const parentIds = [(entries.at(-1) as NewEntry<HarnessEntry>).id] // the parent at least is there
    const predicted = { ...prediction }
    entries.push(harnessRow({ id, name, manifest, operator, createdBy: 'evolve', parentIds, model, predicted }))
  }
  await bank.refresh() // others may have added the same since it was opened
  const known = new Set((await bank.harnesses()).map(({ id }) => id))
  await bank.addHarnesses(entries.filter(({ id }) => !known.has(id)))
  return entries.slice(1).map(({ id }) => id)
}
