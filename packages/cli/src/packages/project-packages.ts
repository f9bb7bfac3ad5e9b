import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Catalog, type CatalogPackage, isHarnessError } from '@harnesswright/core'
import { createCatalog } from '@harnesswright/plugin-manifest'
import type { Config } from '../config/config.js'
import { cliError } from '../errors/cli-error.js'
import { describeInstalled, hasDescription } from './describe-installed.js'
import { findPackage, type InstalledPackage, readObject } from './find-package.js'

/** What is installed for a project. */
export interface ProjectPackages {
  readonly catalog: Catalog
  /** The packages of the catalog, where they are. */
  readonly installed: readonly InstalledPackage[]
  /** Packages that could not be listed, and why. */
  readonly warnings: readonly string[]
}

/** Directory of this package, from its source and from its build. */
export const OWN_DIRECTORY: string = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

/**
 * The packages that a manifest may name: those of the configuration, the direct dependencies of the project's package.json
 * in the working directory, and those that the command line brings. They are listed without being imported.
 *
 * @throws HarnessError `E_CLI_PACKAGE` when a package of the configuration is not installed or has no valid description;
 * `E_CLI_FILE` when the project's package.json cannot be read.
 */
export function listPackages(config: Config, cwd: string): ProjectPackages {
  const list = new PackageList()
  for (const name of config.packages) list.addNamed(name, cwd)
  for (const name of dependenciesOf(readProject(cwd))) list.addIfDescribed(name, cwd)
  for (const name of dependenciesOf(readObject(join(OWN_DIRECTORY, 'package.json')), ['dependencies'])) {
    list.addIfDescribed(name, OWN_DIRECTORY)
  }
  return { catalog: createCatalog(list.packages), installed: list.installed, warnings: list.warnings }
}

class PackageList {
  readonly packages: CatalogPackage[] = []
  readonly installed: InstalledPackage[] = []
  readonly warnings: string[] = []

  /** A package that the configuration names must be there. */
  addNamed(name: string, from: string): void {
    const found = findPackage(name, from) ?? findPackage(name, OWN_DIRECTORY)
    if (found === undefined) throw badPackage(name, 'is not installed', `Install it: npm install ${name}`)
    if (!hasDescription(found)) {
      throw badPackage(
        name,
        'has no harnesswright.json',
        'Name a package that has modules, or ask its author for the file.',
      )
    }
    try {
      this.#add(found)
    } catch (cause) {
      throw badPackage(
        name,
        `cannot be listed: ${messageOf(cause)}`,
        'Reinstall it, or report this to its author.',
        cause,
      )
    }
  }

  /** Most dependencies of a project are no packages of modules, and one that is broken does not stop the others. */
  addIfDescribed(name: string, from: string): void {
    if (this.installed.some((one) => one.name === name)) return
    const found = tryTo(() => findPackage(name, from))
    if (found === undefined || !hasDescription(found)) return
    try {
      this.#add(found)
    } catch (error) {
      this.warnings.push(`${name} is left out: ${messageOf(error)}`)
    }
  }

  #add(found: InstalledPackage): void {
    this.packages.push(describeInstalled(found))
    this.installed.push(found)
  }
}

const FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'] as const

/** Names of the direct dependencies that a package.json states. */
function dependenciesOf(manifest: Readonly<Record<string, unknown>>, fields: readonly string[] = FIELDS): string[] {
  const names = fields.flatMap((field) => Object.keys((manifest[field] ?? {}) as object))
  return [...new Set(names)].sort()
}

function readProject(cwd: string): Readonly<Record<string, unknown>> {
  const file = join(cwd, 'package.json')
  if (!existsSync(file)) return {}
  try {
    return readObject(file)
  } catch (cause) {
    throw cliError('E_CLI_FILE', {
      message: `The project's package.json cannot be read: ${messageOf(cause)}.`,
      where: file,
      expected: 'one JSON object',
      fix: 'Correct it, or run in another directory.',
      cause,
    })
  }
}

function badPackage(name: string, what: string, fix: string, cause?: unknown): Error {
  return cliError('E_CLI_PACKAGE', {
    message: `The package ${name} ${what}.`,
    where: 'packages of the configuration',
    expected: 'an installed package with a harnesswright.json',
    fix,
    cause,
  })
}

function messageOf(thrown: unknown): string {
  return isHarnessError(thrown) || thrown instanceof Error ? thrown.message : String(thrown)
}

function tryTo<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
