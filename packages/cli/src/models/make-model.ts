import { type Clock, type Model, nearestNames } from '@harnesswright/core'
import { createOpenAiModel, PRESETS } from '@harnesswright/plugin-model-openai'
import { createSimModel, type SimProfile, simModels } from '@harnesswright/plugin-model-sim'
import type { Config, ModelEntry } from '../config/config.js'
import { cliError } from '../errors/cli-error.js'
import type { Io } from '../io.js'
import type { ModelChoice } from './choose-model.js'
import { type Endpoint, findEndpoint, isPreset, type NamedModel, unknownProvider } from './endpoints.js'
import { type FixOf, fixOfSimulated, watchFailures } from './model-failures.js'

/** Packages that bring models by the name before the colon, and are not in this version. */
const LATER: Readonly<Record<string, string>> = {
  replay: '@harnesswright/plugin-model-replay',
}

/** A model, where it is asked, and what is to be said of it. */
export interface MadeModel {
  readonly model: Model
  /** The address of its endpoint, as it may be shown. Absent for a model in this process. */
  readonly address?: string
  /** What its name was taken as, where it did not say so itself. */
  readonly note?: string
  /** How to mend what it failed with. */
  readonly fixOf: FixOf
  /** Frees what it holds, of a model in this process. */
  readonly close?: () => Promise<void>
}

/** What a model of an endpoint is made with. */
export interface ModelSurroundings {
  readonly io: Pick<Io, 'env' | 'now' | 'sleep'>
  /** What the configuration says of models of endpoints. */
  readonly models: Config['models']
}

/**
 * The model of a choice: a simulated one by its name, `<preset>:<model>`, or any other name for a model of `openai`.
 *
 * @throws HarnessError `E_CLI_MODEL` when there is no such model, its endpoint has no address or no key, or it comes with
 * a package that is not in this version.
 */
export function makeModel(choice: ModelChoice, around: ModelSurroundings): MadeModel {
  const { name, where } = choice
  if (name.startsWith('sim-')) return { model: makeSimModel(name, where), fixOf: fixOfSimulated }
  const colon = name.indexOf(':')
  const provider = colon < 0 ? 'openai' : name.slice(0, colon)
  const model = name.slice(colon + 1)
  if (Object.hasOwn(LATER, provider)) throw comesLater(name, LATER[provider] as string, where)
  if (!isPreset(provider)) throw unknownProvider(provider, name, where)
  if (model === '' || (colon < 0 && isPreset(model))) throw noModel(model === '' ? provider : model, where)
  const named = { preset: provider, model, isBare: colon < 0, where }
  const note = `taken as a model of the endpoint "${provider}"`
  return { ...askAt(findEndpoint(named, around.io.env), named, around), ...(named.isBare ? { note } : {}) }
}

/** The model as it is asked at an endpoint, with what the configuration says of it. */
function askAt(endpoint: Endpoint, { preset: provider, model }: NamedModel, around: ModelSurroundings): MadeModel {
  const { preset, baseUrl, apiKey, address } = endpoint
  const id = `${provider}:${model}`
  const known = Object.hasOwn(around.models, id) ? (around.models[id] as ModelEntry) : {}
  const { requestsPerMinute, tokensPerMinute, ...options } = known
  const made = createOpenAiModel({
    ...(PRESETS[provider].simulated === true ? simulatedInfo(model) : {}),
    ...options,
    limits: {
      ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
      ...(tokensPerMinute === undefined ? {} : { tokensPerMinute }),
    },
    model,
    id,
    preset,
    baseUrl,
    ...(apiKey === undefined ? {} : { apiKey }),
    clock: clockOf(around.io),
  })
  return { ...watchFailures(made, endpoint), address }
}

/** @throws HarnessError `E_CLI_MODEL` when there is no simulated model of that name. */
export function makeSimModel(name: string, where: string): Model {
  const profiles = simModels().map(({ id }) => id)
  if (profiles.includes(name)) return createSimModel({ profile: name as SimProfile }) // it is one of their ids
  const [nearest] = nearestNames(name, profiles)
  throw cliError('E_CLI_MODEL', {
    message: `There is no simulated model ${JSON.stringify(name)}.`,
    where,
    expected: `one of ${profiles.join(', ')}; nearest: ${nearest}`,
    fix: `Use --model ${nearest}.`,
  })
}

/** What is known of a simulated model here is so behind a port too. */
function simulatedInfo(name: string): Partial<Pick<Model, 'contextWindow' | 'maxOutputTokens' | 'price'>> {
  const known = simModels().find(({ id }) => id === name)
  const { contextWindow, maxOutputTokens, price } = known ?? {}
  return {
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(price === undefined ? {} : { price }),
  }
}

/** Lines are real, and so is the time that is waited for them. */
function clockOf(io: ModelSurroundings['io']): Clock {
  return { now: () => io.now(), sleep: (ms, signal) => io.sleep(ms, signal), during: (work) => work }
}

function comesLater(name: string, brings: string, where: string): Error {
  return cliError('E_CLI_MODEL', {
    message: `The model ${JSON.stringify(name)} needs ${brings}, which is not part of this version.`,
    where,
    expected: 'a simulated model, or <endpoint>:<model>',
    fix: 'See "harnesswright models" for what --model takes.',
  })
}

function noModel(preset: string, where: string): Error {
  return cliError('E_CLI_MODEL', {
    message: `"${preset}" is an endpoint, and no model of it is named.`,
    where,
    expected: `${preset}:<model>`,
    fix: `Write --model ${preset}:<model>.`,
  })
}
