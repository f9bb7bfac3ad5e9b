import { createHash } from 'node:crypto'
import { messageOf } from '@harnesswright/core/manifest'
import type { Bank, HarnessEntry, NewEntry } from '@harnesswright/plugin-bank'
import { harnessIdOf, readManifest } from '@harnesswright/plugin-manifest'
import { listSeeds, type Seed } from '../packages/list-seeds.js'
import type { ProjectPackages } from '../packages/project-packages.js'
import { harnessRow } from './harness-row.js'

/** What was added to a bank, and what could not be. */
export interface AddedSeeds {
  readonly added: number
  readonly warnings: readonly string[]
}

/**
 * Adds the installed seeds that a bank does not have yet: they are its first rows. A seed whose package has changed is another
 * harness, and is added too.
 */
export async function addSeeds(bank: Bank, packages: ProjectPackages): Promise<AddedSeeds> {
  const known = new Set((await bank.harnesses()).map(({ id }) => id))
  const seeds = await Promise.all(
    listSeeds(packages.installed).map(
      async (seed) =>
        await harnessOf(seed, packages).catch(
          (error: unknown) => `the seed ${seed.scaffold} is left out: ${messageOf(error)}`,
        ),
    ),
  )
  const fresh = seeds.filter((seed) => typeof seed !== 'string').filter(({ id }) => !known.has(id))
  await bank.addHarnesses(fresh)
  return { added: fresh.length, warnings: seeds.filter((seed) => typeof seed === 'string') }
}

async function harnessOf(seed: Seed, { catalog }: ProjectPackages): Promise<NewEntry<HarnessEntry>> {
  const { manifest, problems } = await readManifest(seed.manifest, { catalog, origin: 'person' })
  if (manifest === undefined) throw new Error(problems[0]?.message ?? 'its manifest is not valid')
  return harnessRow({
    id: await harnessIdOf(manifest, catalog),
    name: seed.scaffold,
    manifest,
    card: [seed.description, seed.whenToPick].filter((text) => text !== '').join(' '),
    status: 'confirmed',
    operator: 'seed',
    createdBy: seed.package,
    catalogueVersion: catalogueVersionOf(catalog.packages),
  })
}

/** Names the packages that were installed and their versions, so that a harness says from what it was made. */
export function catalogueVersionOf(packages: ProjectPackages['catalog']['packages']): string {
  const versions = packages.map(({ description, version }) => `${description.name}@${version}`).sort()
  return createHash('sha256').update(versions.join('\n')).digest('hex').slice(0, 12)
}
