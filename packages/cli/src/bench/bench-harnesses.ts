import { basename, resolve } from 'node:path'
import type { BenchHarness } from '@harnesswright/plugin-bench'
import { checkLocked } from '../lock/check-locked.js'
import { listSeeds, type Seed } from '../packages/list-seeds.js'
import type { ProjectPackages } from '../packages/project-packages.js'
import { readTextFile } from '../read-text-file.js'
import { findSeed } from '../run/choose-harness.js'

/** Where harnesses come from. */
export interface HarnessPlaces {
  readonly packages: ProjectPackages
  readonly cwd: string
}

/**
 * The harnesses of `--harness`: `all` for every seed that is installed, or a list of scaffolds and manifest files, which end
 * in `.json`.
 *
 * @throws HarnessError `E_CLI_OPTION` for an unknown scaffold, `E_CLI_FILE` for a file that cannot be read.
 */
export async function benchHarnesses(list: string, places: HarnessPlaces): Promise<readonly BenchHarness[]> {
  const seeds = listSeeds(places.packages.installed)
  const named = list.split(',').map((name) => (name === 'all' ? seeds.map(ofSeed) : ofName(name, seeds, places)))
  return (await Promise.all(named)).flat()
}

/** The same list, with manifest files by their whole paths. */
export function namedFromAnywhere(list: string, cwd: string): string {
  return list
    .split(',')
    .map((name) => (name.endsWith('.json') ? resolve(cwd, name) : name))
    .join(',')
}

async function ofName(name: string, seeds: readonly Seed[], { packages, cwd }: HarnessPlaces): Promise<BenchHarness> {
  if (!name.endsWith('.json')) return ofSeed(findSeed(name, seeds, '--harness'))
  const path = resolve(cwd, name)
  const manifest = await readTextFile(path, { where: '--harness' })
  await checkLocked({ path, file: name, text: manifest }, packages.catalog)
  return { name: basename(name, '.json'), manifest, origin: 'person' }
}

function ofSeed({ scaffold, manifest }: Seed): BenchHarness {
  return { name: scaffold, manifest }
}
