import type { ModelInfo } from '@harnesswright/core'
import type { Weights } from '@harnesswright/plugin-model-llama'
import type { Preset } from '@harnesswright/plugin-model-openai'
import { simModels } from '@harnesswright/plugin-model-sim'
import type { Arguments } from '../args/parse-arguments.js'
import type { Config, ModelEntry } from '../config/config.js'
import { readConfig } from '../config/read-config.js'
import { EXIT, type ExitCode } from '../exit-codes.js'
import type { Io } from '../io.js'
import { ADDRESS_VARIABLE, ENDPOINTS, needsOf } from '../models/endpoints.js'
import { sizeText, weightsFolder } from '../models/fetch-model-file.js'
import { findLlamaPackages, INSTALL_LLAMA, loadLlamaPlugin } from '../models/llama-plugin.js'
import { cleanLine } from '../text/clean.js'
import { formatCount, formatTable } from '../text/format.js'
import { printListing, refuseWords } from './list-command.js'

const HEADINGS = ['window', 'USD per million in / cached / out'] as const

/** `models`: what `--model` takes. */
export async function modelsCommand(args: Arguments, io: Io): Promise<ExitCode> {
  refuseWords(args)
  const models = simModels()
  const endpoints = ENDPOINTS.map(([, preset]) => describeEndpoint(preset, io.env))
  const weights = await listWeights(io)
  const configured = describedModels(await readConfig(args, io))
  const lines = [
    ...formatTable([['model', ...HEADINGS, 'kind'], ...models.map(modelRow)]),
    '',
    'A simulated model is no language model: it reads the tasks of --world and no others, and its prices are simulated too.',
    '',
    ...formatTable([['endpoint', 'address', 'key', 'verified'], ...endpoints.map(endpointRow)]),
    '',
    'Write --model <endpoint>:<model>; any other name is one of openai. "verified" is what of an endpoint was seen when its',
    'entry was made: nothing, recorded replies, or live ones. Window, price and rates of a model are what "models" of the',
    'configuration says: where it says no price, the cost of a run is unknown.',
    '',
    ...describeWeights(weights),
    ...describeConfigured(configured),
  ]
  const json = { models, endpoints, weights, configured: Object.fromEntries(configured) }
  printListing({ json, lines }, args, io)
  return EXIT.ok
}

function modelRow({ id, simulated, ...known }: ModelInfo): string[] {
  return [id, ...sizeAndPrice(known), simulated === true ? 'simulated' : 'endpoint']
}

function sizeAndPrice({ contextWindow, price }: Pick<ModelInfo, 'contextWindow' | 'price'>): string[] {
  const window = contextWindow === undefined ? 'unknown' : formatCount(contextWindow)
  const cost = price === undefined ? 'unknown' : `${price.input} / ${price.cached ?? price.input} / ${price.output}`
  return [window, cost]
}

/** Weights as they are listed; null where the plugin is not installed. */
type WeightsReport = readonly (Pick<Weights, 'id' | 'description' | 'bytes' | 'licence' | 'licenceUrl'> & {
  readonly terms: string | null
  readonly isThere: boolean
})[]

async function listWeights(io: Io): Promise<WeightsReport | null> {
  const { plugin, binding } = findLlamaPackages()
  if (plugin === undefined || binding === undefined) return null
  const { WEIGHTS, lookForWeights } = await loadLlamaPlugin('models')
  const folder = weightsFolder(io)
  return WEIGHTS.map((weights) => {
    const { id, description, bytes, licence, licenceUrl, terms = null } = weights
    return { id, description, bytes, licence, licenceUrl, terms, isThere: lookForWeights(weights, folder).isThere }
  })
}

function describeWeights(weights: WeightsReport | null): string[] {
  if (weights === null) return [`Models in this process, --model llama:<name>, are for whoever runs: ${INSTALL_LLAMA}`]
  const rows = weights.map(({ id, bytes, licence, terms, isThere }) => [
    `llama:${id}`,
    sizeText(bytes),
    terms === null ? licence : `${licence}, --accept-license ${terms}`,
    isThere ? 'fetched' : 'with --download',
  ])
  return [
    ...formatTable([['in this process', 'size', 'licence', 'file'], ...rows]),
    '',
    'Any other model file of this computer is --model llama:<path of a .gguf file>.',
  ]
}

type Described = readonly (readonly [name: string, known: Omit<ModelEntry, 'body'>])[]

/** Models of endpoints of which the configuration says something; what else is sent to them is nobody's business. */
function describedModels({ models }: Config): Described {
  return Object.entries(models).map(([name, { body: _, ...known }]) => [name, known])
}

function describeConfigured(configured: Described): string[] {
  if (configured.length === 0) return []
  const rows = configured.map(([name, entry]) => {
    const { price } = entry
    const source = price === undefined ? '' : `${price.source} (${price.date})`
    return [name, ...sizeAndPrice(entry), source].map((cell) => cleanLine(cell))
  })
  return ['', ...formatTable([['configured', ...HEADINGS, 'price from'], ...rows])]
}

/** An endpoint as it is listed: the names of variables, never what they hold. */
interface EndpointReport {
  readonly name: string
  /** Null when it is in the variable. */
  readonly address: string | null
  readonly addressVariable: string | null
  readonly isAddressSet: boolean
  readonly keyVariable: string | null
  readonly needsKey: boolean
  readonly isKeySet: boolean
  readonly verified: Preset['verified']
}

function describeEndpoint(preset: Preset, env: Io['env']): EndpointReport {
  const { baseUrl, keyVariable, needsKey } = needsOf(preset, env)
  return {
    name: preset.name,
    address: baseUrl ?? null,
    addressVariable: baseUrl === undefined ? ADDRESS_VARIABLE : null,
    isAddressSet: baseUrl !== undefined || Boolean(env[ADDRESS_VARIABLE]),
    keyVariable: keyVariable ?? null,
    needsKey,
    isKeySet: keyVariable !== undefined && Boolean(env[keyVariable]),
    verified: preset.verified,
  }
}

function endpointRow(endpoint: EndpointReport): string[] {
  const { name, address, addressVariable, keyVariable, needsKey, verified } = endpoint
  const state = (isSet: boolean): string => (isSet ? 'set' : 'not set')
  const place = address ?? `${addressVariable} (${state(endpoint.isAddressSet)})`
  const missing = needsKey ? 'not set' : 'not set, may be missing'
  const key = keyVariable === null ? 'none' : `${keyVariable} (${endpoint.isKeySet ? 'set' : missing})`
  return [name, place, key, verified === 'none' ? 'nothing' : verified]
}
