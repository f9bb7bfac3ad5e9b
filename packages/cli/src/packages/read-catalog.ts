import type { Catalog } from '@harnesswright/core'
import { NO_CONFIG } from '../config/config.js'
import { listPackages } from './project-packages.js'

/** Whose packages are listed. */
export interface ReadCatalogOptions {
  /** Directory with the package.json whose direct dependencies are listed. Default: the working directory. */
  readonly cwd?: string
  /** Names of further packages, which must be installed. */
  readonly packages?: readonly string[]
}

/**
 * The packages that a manifest may name, as the command line lists them: direct dependencies of a project that describe
 * themselves in `harnesswright.json`, and those that come with this package. None is imported. A dependency whose
 * description is broken is left out.
 *
 * @throws HarnessError `E_CLI_PACKAGE` when one of `packages` is not installed or has no valid description, `E_CLI_FILE`
 * when the package.json of the directory cannot be read.
 */
export function readCatalog({ cwd = process.cwd(), packages = [] }: ReadCatalogOptions = {}): Catalog {
  return listPackages({ ...NO_CONFIG, packages }, cwd).catalog
}
