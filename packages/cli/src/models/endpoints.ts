import { nearestNames } from '@harnesswright/core'
import { PRESETS, type Preset, type PresetName } from '@harnesswright/plugin-model-openai'
import { cliError } from '../errors/cli-error.js'
import type { Io } from '../io.js'

/** Where a model is asked, and with which key. */
export interface Endpoint {
  readonly preset: PresetName
  readonly baseUrl: string
  readonly apiKey?: string
  /** The address as it may be shown: without a name and a password. */
  readonly address: string
  /** The address comes from `OPENAI_BASE_URL`. */
  readonly isGiven: boolean
}

/** Presets of endpoints by the name that stands before the colon of a model. */
export const ENDPOINTS: readonly (readonly [name: PresetName, preset: Preset])[] = Object.entries(
  PRESETS,
) as readonly (readonly [PresetName, Preset])[] // the keys are what the type says

/** Variables of the environment that hold keys of endpoints. */
export const KEY_VARIABLES: readonly string[] = [
  ...new Set(ENDPOINTS.flatMap(([, { keyVariable }]) => keyVariable ?? [])),
]

/** The variable with the address of `openai:` and of presets that have none of their own, and the one with its key. */
export const ADDRESS_VARIABLE = 'OPENAI_BASE_URL'
const ADDRESS_KEY_VARIABLE = 'OPENAI_API_KEY'

/** True for the name of a preset. */
export function isPreset(name: string): name is PresetName {
  return Object.hasOwn(PRESETS, name)
}

/** What an endpoint takes of the environment. */
export interface EndpointNeeds {
  /** The address, where it does not come from the variable. */
  readonly baseUrl?: string
  readonly keyVariable?: string
  /** Whether it is of no use without the key. */
  readonly needsKey: boolean
}

/**
 * What a preset takes of an environment. An address in `OPENAI_BASE_URL` is used for `openai` and for presets without an
 * address: the keys of other endpoints never go there.
 */
export function needsOf({ name, baseUrl, keyVariable }: Preset, env: Io['env']): EndpointNeeds {
  const isElsewhere = baseUrl === undefined || (name === 'openai' && Boolean(env[ADDRESS_VARIABLE]))
  if (isElsewhere) return { keyVariable: ADDRESS_KEY_VARIABLE, needsKey: false }
  return { baseUrl, ...(keyVariable === undefined ? {} : { keyVariable }), needsKey: keyVariable !== undefined }
}

/** A model of an endpoint, and what named it. */
export interface NamedModel {
  readonly preset: PresetName
  /** Its name at the endpoint. */
  readonly model: string
  /** No endpoint was named: it is taken as one of `openai`. */
  readonly isBare: boolean
  /** Option, variable or field that named it, for errors. */
  readonly where: string
}

/**
 * The endpoint of a model.
 *
 * @throws HarnessError `E_CLI_MODEL` that names the variable which is missing or wrong, and never says what it holds.
 */
export function findEndpoint(named: NamedModel, env: Io['env']): Endpoint {
  const { preset: name, where } = named
  const { baseUrl: own, keyVariable, needsKey } = needsOf(PRESETS[name], env)
  const baseUrl = own ?? addressOf(name, env, where)
  const apiKey = keyVariable === undefined ? undefined : keyOf(keyVariable, env)
  if (needsKey && apiKey === undefined) throw noKey(named, keyVariable ?? '')
  const { origin, pathname } = new URL(baseUrl)
  const isOther = name === 'openai' && own === undefined && origin !== new URL(PRESETS.openai.baseUrl ?? baseUrl).origin
  return {
    // Behind another address than its own nothing is known of the endpoint.
    preset: isOther ? 'compatible' : name,
    baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    address: `${origin}${pathname}`,
    isGiven: own === undefined,
  }
}

function addressOf(name: string, env: Io['env'], where: string): string {
  const address = env[ADDRESS_VARIABLE]?.trim()
  if (!address) {
    throw cliError('E_CLI_MODEL', {
      message: `The endpoint "${name}" has no address of its own, and ${ADDRESS_VARIABLE} is not set.`,
      where,
      expected: `an address in ${ADDRESS_VARIABLE}`,
      fix: `Set ${ADDRESS_VARIABLE} to the address up to and without /chat/completions.`,
    })
  }
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address
  throw cliError('E_CLI_MODEL', {
    message: `${ADDRESS_VARIABLE} holds no http or https address.`,
    where: ADDRESS_VARIABLE,
    expected: 'an address such as http://127.0.0.1:8000/v1',
    fix: `Set ${ADDRESS_VARIABLE} to the address up to and without /chat/completions, or unset it.`,
  })
}

/** The key of a variable. Space around it comes from files, and is no part of it. */
function keyOf(variable: string, env: Io['env']): string | undefined {
  const key = env[variable]?.trim()
  if (!key) return undefined
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw cliError('E_CLI_MODEL', {
    message: `${variable} holds characters that no key has.`,
    where: variable,
    expected: 'a key of letters, digits and signs, without spaces',
    fix: `Set ${variable} to the key as the endpoint gave it.`,
  })
}

function noKey({ preset, model, isBare, where }: NamedModel, variable: string): Error {
  const what = isBare
    ? `"${model}" names no endpoint and is taken as a model of "${preset}", which needs a key`
    : `The endpoint "${preset}" needs a key`
  const other = isBare ? `name an endpoint that has it, as in ollama:${model}, or use` : 'or use'
  return cliError('E_CLI_MODEL', {
    message: `${what}, and ${variable} is not set.`,
    where,
    expected: `a key in ${variable}`,
    fix: `Set ${variable}, ${other} the simulated model with --model sim-mid.`,
  })
}

/** The error of a provider that there is not. */
export function unknownProvider(provider: string, model: string, where: string): Error {
  const nearest = nearestNames(provider, ['llama', ...ENDPOINTS.map(([name]) => name)], 3)
  return cliError('E_CLI_MODEL', {
    message: `There is no provider ${JSON.stringify(provider)} of models.`,
    where,
    expected: `a simulated model, llama:<name>, or <endpoint>:<model>; nearest: ${nearest.join(', ')}`,
    fix: `See "harnesswright models". A model of that name at OpenAI is openai:${model}.`,
  })
}
