import { basename, resolve } from 'node:path'
import { type Manifest, nearestNames, problemsError } from '@harnesswright/core'
import { cliError } from '../errors/cli-error.js'
import { checkLocked } from '../lock/check-locked.js'
import { listSeeds } from '../packages/list-seeds.js'
import type { ProjectPackages } from '../packages/project-packages.js'
import { readTextFile } from '../read-text-file.js'

/** A manifest that a command line names. */
export interface NamedManifest {
  /** The scaffold, or the file without its ending. */
  readonly name: string
  readonly manifest: Manifest
  readonly manifestId: string
  readonly harnessId: string
}

/** Where manifests are looked for. */
export interface ManifestPlaces {
  readonly packages: ProjectPackages
  readonly cwd: string
  /** The command or option that names them, for errors. */
  readonly where: string
}

/**
 * The manifest of a scaffold, or of a file that ends in `.json`, validated.
 *
 * @throws HarnessError `E_CLI_OPTION` for an unknown scaffold, `E_CLI_FILE` for a file that cannot be read, `E_MANIFEST_*`,
 * `E_CLI_LOCK` where it was locked with other packages.
 */
export async function readNamedManifest(word: string, places: ManifestPlaces): Promise<NamedManifest> {
  const { catalog, installed } = places.packages
  const isFile = word.endsWith('.json')
  const path = resolve(places.cwd, word)
  const text = isFile ? await readTextFile(path, { where: places.where }) : seedText(word, installed, places.where)
  const { manifest, problems } = await catalog.read(text, { origin: 'person' })
  if (manifest === undefined) throw problemsError(problems)
  if (isFile) await checkLocked({ path, file: word, text }, catalog)
  return { name: isFile ? basename(word, '.json') : word, manifest, ...(await catalog.identify(manifest)) }
}

function seedText(name: string, installed: ProjectPackages['installed'], where: string): string {
  const seeds = listSeeds(installed)
  const found = seeds.find(({ scaffold }) => scaffold === name)
  if (found !== undefined) return found.manifest
  const nearest = nearestNames(
    name,
    seeds.map(({ scaffold }) => scaffold),
  )
  throw cliError('E_CLI_OPTION', {
    message: `There is no scaffold ${JSON.stringify(name)}.`,
    where,
    expected: `an installed scaffold, or a file that ends in .json; nearest: ${nearest.join(', ')}`,
    fix: `Write ${nearest[0] ?? 'a file that ends in .json'}, or see "harnesswright seeds".`,
  })
}
