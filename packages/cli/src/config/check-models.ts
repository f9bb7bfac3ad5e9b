import { nearestNames, type Price } from '@harnesswright/core'
import { ENDPOINTS, isPreset } from '../models/endpoints.js'
import { isLlamaName } from '../models/llama-name.js'
import type { ModelEntry } from './config.js'
import { asObject, at, knownFields, type Place, wrong } from './place.js'

type Check = readonly [expected: string, isRight: (value: unknown) => boolean]

const isAmount = (value: unknown): boolean => typeof value === 'number' && value >= 0 && Number.isFinite(value)
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0

const COUNT: Check = ['a positive whole number', isCount]
const USD: Check = ['an amount in USD for a million tokens', isAmount]

type Field = Exclude<keyof ModelEntry, 'price'>

/** Fields of a model in this process; what is not here is an unknown field. */
const LLAMA_FIELDS = { contextWindow: COUNT, maxOutputTokens: COUNT, threads: COUNT } satisfies Partial<
  Record<Field, Check>
>

/** Fields of a model of an endpoint, beside its price. */
const ENDPOINT_FIELDS: Readonly<Record<Exclude<Field, 'threads'>, Check>> = {
  contextWindow: COUNT,
  maxOutputTokens: COUNT,
  tools: ['true or false', (value) => typeof value === 'boolean'],
  requestsPerMinute: COUNT,
  tokensPerMinute: COUNT,
  idleMs: COUNT,
  connectMs: COUNT,
  firstByteMs: COUNT,
  reasoning: ['"echo", "strip" or "auto"', (value) => ['echo', 'strip', 'auto'].includes(value as string)],
  streamUsage: ['true or false', (value) => typeof value === 'boolean'],
  body: ['an object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)],
}

const PRICE: Readonly<Record<keyof Price, Check>> = {
  input: USD,
  cached: USD,
  output: USD,
  source: ['the source of the price', (value) => typeof value === 'string' && value.trim() !== ''],
  date: ['the day on which the price was read, such as 2026-01-31', isDate],
}

/**
 * The models of a configuration, by `<endpoint>:<model>` or `llama:<name or file>`.
 *
 * @throws HarnessError `E_CLI_CONFIG` at the first field that is not as it must be.
 */
export function checkModels(value: unknown, place: Place): Readonly<Record<string, ModelEntry>> {
  const models = asObject(value, place)
  for (const [name, entry] of Object.entries(models)) {
    checkName(name, place)
    if (isLlamaName(name)) checkLlama(entry, at(place, name))
    else checkModel(entry, at(place, name))
  }
  return models as Readonly<Record<string, ModelEntry>> // its fields were checked one by one
}

function checkName(name: string, place: Place): void {
  const colon = name.indexOf(':')
  const provider = name.slice(0, Math.max(0, colon))
  if ((isPreset(provider) || provider === 'llama') && name.length > colon + 1) return
  const presets = ENDPOINTS.map(([preset]) => preset)
  const nearest = colon < 0 ? `openai:${name}` : `${nearestNames(provider, presets)[0]}:${name.slice(colon + 1)}`
  throw wrong(name, '<endpoint>:<model> or llama:<name>', at(place, name), `Write "${nearest}".`)
}

function checkLlama(value: unknown, place: Place): void {
  const entry = asObject(value, place)
  knownFields(entry, Object.keys(LLAMA_FIELDS), place)
  checkFields(entry, LLAMA_FIELDS, place)
}

function checkModel(value: unknown, place: Place): void {
  const entry = asObject(value, place)
  knownFields(entry, [...Object.keys(ENDPOINT_FIELDS), 'price'], place)
  checkFields(entry, ENDPOINT_FIELDS, place)
  if (entry['price'] !== undefined) checkPrice(entry['price'], at(place, 'price'))
}

/** A price that does not say where and when it was read is worth nothing. */
function checkPrice(value: unknown, place: Place): void {
  const price = asObject(value, place)
  knownFields(price, Object.keys(PRICE), place)
  for (const name of ['input', 'output', 'source', 'date'] as const)
    if (price[name] === undefined) throw wrong(undefined, PRICE[name][0], at(place, name))
  checkFields(price, PRICE, place)
}

function isDate(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const date = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value)
}

function checkFields(
  value: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, Check>>,
  place: Place,
): void {
  for (const [name, [expected, isRight]] of Object.entries(fields))
    if (value[name] !== undefined && !isRight(value[name])) throw wrong(value[name], expected, at(place, name))
}
