import { type Catalog, problemsError } from '@harnesswright/core'
import { parseManifest, readManifest } from '@harnesswright/plugin-manifest'
import { cliError } from '../errors/cli-error.js'
import { findPackage } from '../packages/find-package.js'
import type { ProjectPackages } from '../packages/project-packages.js'
import { fillPackages } from './fill-packages.js'
import type { Locked } from './lock-file.js'
import { isObject, listManifests, type NamedManifest } from './named-manifests.js'

/** What a manifest is locked with. */
export interface LockSources {
  readonly packages: ProjectPackages
  /** Directory of the project. */
  readonly cwd: string
  /** The manifest, as it was named. */
  readonly file: string
}

/** A manifest with a range for every package, and what is installed of them. */
export interface LockedManifest {
  readonly text: string
  readonly locked: Locked
}

/**
 * Fills in the ranges of a manifest, and finds out what exactly is installed of its packages. No package is imported.
 *
 * @throws HarnessError `E_CLI_PACKAGE` when a package that it names is not there; `E_CLI_FILE` when there is more in the text
 * than the manifest; `E_MANIFEST_*` with every problem that is left when the ranges are filled in.
 */
export async function lockManifest(text: string, sources: LockSources): Promise<LockedManifest> {
  const { problems } = parseManifest(text)
  if (problems.length > 0) throw problemsError(problems)
  const manifests = listManifests(parseAlone(text, sources.file))
  refuseMissing(manifests, sources)
  const filled = fillPackages(text, (use) => rangeOf(use, sources.packages))
  await checkAll(filled, sources.packages.catalog)
  return { text: filled, locked: lockedOf(manifests, sources.packages.catalog) }
}

/** What is installed of the packages from which the modules of a manifest, and of those inside it, come. */
export function lockedOf(manifests: readonly NamedManifest[], catalog: Catalog): Locked {
  const used = manifests.flatMap(({ uses }) => uses.flatMap((use) => catalog.find(use)?.package ?? []))
  const byName = new Map(used.map((one) => [one.description.name, one]))
  const names = [...byName.keys()].sort()
  return Object.fromEntries(
    names.flatMap((name) => {
      const found = byName.get(name)
      return found === undefined ? [] : [[name, { version: found.version, integrity: found.integrity }]]
    }),
  )
}

function parseAlone(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>> // an object: parseManifest has found one
  } catch (cause) {
    throw cliError('E_CLI_FILE', {
      message: `${file} holds more than the manifest.`,
      where: file,
      expected: 'a file that is JSON alone, as what is filled in must find its place',
      fix: 'Keep what stands around the manifest elsewhere.',
      cause,
    })
  }
}

/** The package of a module, with the range that the installed version gives: of a linked one that of its package.json. */
function rangeOf(use: string, { catalog, installed }: ProjectPackages): ReturnType<Parameters<typeof fillPackages>[1]> {
  const name = catalog.find(use)?.package.description.name
  if (name === undefined) return undefined
  const version = installed.find((one) => one.name === name)?.manifest['version']
  return {
    name,
    range: typeof version === 'string' && /^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version) ? `^${version}` : '*',
  }
}

/** Every problem that is left: of the manifest, and of each inside it. */
async function checkAll(text: string, catalog: Catalog): Promise<void> {
  const manifests = listManifests(JSON.parse(text) as Readonly<Record<string, unknown>>)
  const problems = await Promise.all(
    manifests.map(async ({ path, manifest }) => {
      const source = path.length === 0 ? text : JSON.stringify(manifest)
      const { problems: found } = await readManifest(source, { catalog, origin: 'person' })
      return found.map((problem) => ({ ...problem, pointer: `${pointerOf(path)}${problem.pointer}` }))
    }),
  )
  if (problems.flat().length > 0) throw problemsError(problems.flat())
}

function pointerOf(path: NamedManifest['path']): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** A module of a package that is listed, and does not have it, is a problem of the manifest; all else must be installed. */
function refuseMissing(manifests: readonly NamedManifest[], { packages, cwd, file }: LockSources): void {
  const listed = packages.catalog.packages.map(({ description }) => description.name)
  const missing = new Map<string, string>()
  for (const { manifest, uses } of manifests) {
    for (const name of uses.map((use) => use.split('#')[0] ?? '')) {
      if (!PACKAGE_NAME.test(name) || listed.includes(name) || missing.has(name)) continue
      missing.set(name, wordOf(name, manifest['packages']))
    }
  }
  if (missing.size > 0) throw notInstalled(missing, cwd, file)
}

/** What npm takes as the name of a package: anything else is no package that could be installed. */
const PACKAGE_NAME = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]{0,213}$/

/** The package as `npm install` takes it, with the range of the manifest where that needs no quoting. */
function wordOf(name: string, ranges: unknown): string {
  const range = isObject(ranges) && Object.hasOwn(ranges, name) ? ranges[name] : undefined
  return typeof range === 'string' && /^[\^~]?[\w.-]+$/.test(range) ? `${name}@${range}` : name
}

function notInstalled(missing: ReadonlyMap<string, string>, cwd: string, file: string): Error {
  const names = [...missing.keys()]
  const hidden = names.filter((name) => isThere(name, cwd))
  const many = names.length > 1
  return cliError('E_CLI_PACKAGE', {
    message: `The manifest names ${names.join(', ')}, and ${many ? 'these are' : 'that is'} not among the packages of this project.`,
    where: file,
    expected: 'packages that the project depends on, the configuration names, or that come with harnesswright',
    fix:
      hidden.length === names.length
        ? `${many ? 'They are' : 'It is'} installed: add ${many ? 'them' : 'it'} to the dependencies of package.json, or to "packages" of the configuration.`
        : `Install ${many ? 'them' : 'it'}: npm install ${[...missing.values()].join(' ')}`,
  })
}

/** Installed, with modules, though nothing of the project names it. */
function isThere(name: string, cwd: string): boolean {
  try {
    return findPackage(name, cwd) !== undefined
  } catch {
    return false
  }
}
