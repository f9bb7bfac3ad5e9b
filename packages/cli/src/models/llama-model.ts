import { cliError } from '../errors/cli-error.js'
import type { Host } from '../run/host.js'
import type { ModelChoice } from './choose-model.js'
import { type FetchHost, fetchModelFile, weightsFolder } from './fetch-model-file.js'
import { isLlamaPath, LLAMA_PREFIX, llamaId } from './llama-name.js'
import { type LlamaPlugin, loadLlamaPlugin } from './llama-plugin.js'
import type { MadeModel } from './make-model.js'
import { watchFailures } from './model-failures.js'

/** What of a host such a model is made with. */
export type LlamaHost = FetchHost & Pick<Host, 'config'>

/**
 * A model in this process: `llama:<name of weights>`, which are fetched where a person allows it, or `llama:<path of a GGUF file>`.
 *
 * @param load - Gives the plugin. Default: the one that is installed.
 * @throws HarnessError `E_CLI_MODEL` without a name or without the plugin; `E_LLAMA_…` when there are no such weights, the file
 * is none, or the download was not allowed or failed.
 */
export async function makeLlamaModel(
  { name, where }: ModelChoice,
  host: LlamaHost,
  load: (where: string) => Promise<LlamaPlugin> = (needed) => loadLlamaPlugin(needed),
): Promise<MadeModel> {
  const named = name.slice(LLAMA_PREFIX.length)
  if (named === '') throw noWeights(where)
  const plugin = await load(where)
  const id = llamaId(name, host.io.cwd)
  const made = isLlamaPath(named)
    ? { file: id.slice(LLAMA_PREFIX.length) }
    : await fetched(named, plugin, { ...host, where })
  const model = plugin.createLlamaModel({ ...made, ...configured(id, host), id })
  return {
    ...watchFailures(model, { address: '', isGiven: false }),
    note: 'runs in this process',
    close: () => model.close(),
  }
}

/** The file of weights, with the sampling that their makers recommend. */
async function fetched(named: string, plugin: LlamaPlugin, host: FetchHost & { readonly where: string }) {
  const weights = plugin.findWeights(named)
  await fetchModelFile(weights, plugin, host)
  const { file } = plugin.lookForWeights(weights, weightsFolder(host.io))
  return { file, ...(weights.sampling === undefined ? {} : { sampling: weights.sampling }) }
}

/** What the configuration says of a model; a file is the same however its path is written. */
function configured(id: string, { config, io }: LlamaHost) {
  const [, entry = {}] = Object.entries(config.models).find(([name]) => llamaId(name, io.cwd) === id) ?? []
  const { contextWindow, maxOutputTokens, threads } = entry
  return {
    ...(contextWindow === undefined ? {} : { contextTokens: contextWindow }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(threads === undefined ? {} : { threads }),
  }
}

function noWeights(where: string): Error {
  return cliError('E_CLI_MODEL', {
    message: '"llama" runs models in this process, and no model is named.',
    where,
    expected: 'llama:<name of weights>, or llama:<path of a .gguf file>',
    fix: 'Write --model llama:<name>; "harnesswright models" lists the names.',
  })
}
