import { resolve } from 'node:path'
import { cliError } from '../errors/cli-error.js'
import type { ModelChoice } from './choose-model.js'
import { type FetchHost, fetchModelFile, weightsFolder } from './fetch-model-file.js'
import { type LlamaPlugin, loadLlamaPlugin } from './llama-plugin.js'
import type { MadeModel } from './make-model.js'
import { watchFailures } from './model-failures.js'

/** What stands before the name of a model in this process. */
const PREFIX = 'llama:'

/** Whether a name is one of a model in this process. */
export function isLlamaName(name: string): boolean {
  return name === 'llama' || name.startsWith(PREFIX)
}

/**
 * A model in this process: `llama:<name of weights>`, which are fetched where a person allows it, or `llama:<path of a GGUF file>`.
 *
 * @param load - Gives the plugin. Default: the one that is installed.
 * @throws HarnessError `E_CLI_MODEL` without a name or without the plugin; `E_LLAMA_…` when there are no such weights, the file
 * is none, or the download was not allowed or failed.
 */
export async function makeLlamaModel(
  { name, where }: ModelChoice,
  host: FetchHost,
  load: (where: string) => Promise<LlamaPlugin> = (needed) => loadLlamaPlugin(needed),
): Promise<MadeModel> {
  const named = name.slice(PREFIX.length)
  if (named === '') throw noWeights(where)
  const plugin = await load(where)
  const model = isPath(named) ? ofFile(resolve(host.io.cwd, named), plugin) : await ofWeights(named, plugin, host)
  return {
    ...watchFailures(model, { address: '', isGiven: false }),
    note: 'runs in this process',
    close: () => model.close(),
  }
}

/** A name of weights has neither an ending nor folders. */
function isPath(named: string): boolean {
  return /\.gguf$|[/\\]/i.test(named)
}

type LlamaModel = ReturnType<LlamaPlugin['createLlamaModel']>

/** The id holds the whole path, so that a run can be resumed elsewhere. */
function ofFile(file: string, plugin: LlamaPlugin): LlamaModel {
  return plugin.createLlamaModel({ file, id: `${PREFIX}${file}` })
}

async function ofWeights(named: string, plugin: LlamaPlugin, host: FetchHost): Promise<LlamaModel> {
  const weights = plugin.findWeights(named)
  await fetchModelFile(weights, plugin, host)
  const folder = weightsFolder(host.io)
  const { file } = plugin.lookForWeights(weights, folder)
  return plugin.createLlamaModel({ file, id: `${PREFIX}${weights.id}`, ...samplingOf(weights) })
}

/** What the makers of the weights recommend. */
function samplingOf({ sampling }: ReturnType<LlamaPlugin['findWeights']>) {
  return sampling === undefined ? {} : { sampling }
}

function noWeights(where: string): Error {
  return cliError('E_CLI_MODEL', {
    message: '"llama" runs models in this process, and no model is named.',
    where,
    expected: 'llama:<name of weights>, or llama:<path of a .gguf file>',
    fix: 'Write --model llama:<name>; "harnesswright models" lists the names.',
  })
}
