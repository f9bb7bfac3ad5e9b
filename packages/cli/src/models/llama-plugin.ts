import { pathToFileURL } from 'node:url'
import { messageOf } from '@harnesswright/core/manifest'
import type * as plugin from '@harnesswright/plugin-model-llama'
import { cliError } from '../errors/cli-error.js'
import { entryFile } from '../packages/entry-file.js'
import { findPackage, type InstalledPackage } from '../packages/find-package.js'
import { OWN_DIRECTORY } from '../packages/project-packages.js'

/** What runs models in this process. */
export type LlamaPlugin = Pick<
  typeof plugin,
  'WEIGHTS' | 'findWeights' | 'lookForWeights' | 'fetchWeights' | 'createLlamaModel'
>

export const LLAMA_PLUGIN = '@harnesswright/plugin-model-llama'
const BINDING = 'node-llama-cpp'

/** Installs what models in this process need: neither comes with the command line. */
export const INSTALL_LLAMA: string = `npm install ${LLAMA_PLUGIN} ${BINDING}@3`

/** The packages that models in this process need, as far as they are installed. */
export interface LlamaPackages {
  readonly plugin: InstalledPackage | undefined
  /** llama.cpp, where the plugin finds it. */
  readonly binding: InstalledPackage | undefined
}

/** Looks for the packages beside the command line, without importing them. */
export function findLlamaPackages(): LlamaPackages {
  const found = findPackage(LLAMA_PLUGIN, OWN_DIRECTORY)
  return { plugin: found, binding: found && findPackage(BINDING, found.directory) }
}

/**
 * Imports the plugin; llama.cpp itself is loaded at the first request.
 *
 * @param where - What needs it, for the error.
 * @throws HarnessError `E_CLI_MODEL` with the line that installs what is missing or broken.
 */
export async function loadLlamaPlugin(
  where: string,
  { plugin: found, binding }: LlamaPackages = findLlamaPackages(),
): Promise<LlamaPlugin> {
  if (found === undefined || binding === undefined)
    throw notInstalled(found === undefined ? LLAMA_PLUGIN : BINDING, where)
  try {
    return (await import(pathToFileURL(entryFile(found)).href)) as LlamaPlugin // a peer: its range says so
  } catch (cause) {
    throw cliError('E_CLI_MODEL', {
      message: `${LLAMA_PLUGIN} cannot be loaded: ${messageOf(cause)}.`,
      where,
      expected: `${LLAMA_PLUGIN} as it was published`,
      fix: `Install it again: ${INSTALL_LLAMA}`,
      cause,
    })
  }
}

function notInstalled(missing: string, where: string): Error {
  return cliError('E_CLI_MODEL', {
    message: `Models in this process need ${missing}, which is not installed: it does not come with harnesswright.`,
    where,
    expected: `${LLAMA_PLUGIN} and ${BINDING} beside harnesswright`,
    fix: `Run: ${INSTALL_LLAMA}`,
  })
}
