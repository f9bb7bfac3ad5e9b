import type { Arguments } from '../args/parse-arguments.js'
import type { Config } from '../config/config.js'
import { readConfig } from '../config/read-config.js'
import type { Io } from '../io.js'
import { KEY_VARIABLES } from '../models/endpoints.js'
import { Screen } from '../output/screen.js'
import { listPackages, type ProjectPackages } from '../packages/project-packages.js'
import { cleanLine } from '../text/clean.js'
import { secretsOf } from './secrets.js'

/** What every command that runs something stands on. */
export interface Host {
  readonly args: Arguments
  readonly io: Io
  readonly screen: Screen
  readonly config: Config
  /** Never printed, stored or shown to a model. */
  readonly secrets: readonly string[]
}

/** Reads the configuration. */
export async function openHost(args: Arguments, io: Io): Promise<Host> {
  const screen = new Screen(io, args)
  const config = await readConfig(args, io)
  return { args, io, screen, config, secrets: secretsOf(io.env, KEY_VARIABLES) }
}

/** The packages of the project; what is odd about them is told. */
export function listAndWarn({ config, io, screen }: Pick<Host, 'config' | 'io' | 'screen'>): ProjectPackages {
  const packages = listPackages(config, io.cwd)
  for (const warning of packages.warnings) screen.line(`warning: ${cleanLine(warning, 500)}`)
  return packages
}
