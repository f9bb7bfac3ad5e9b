import {
  type ArtifactStore,
  checkLimits,
  DEFAULT_LIMITS,
  HarnessError,
  type Json,
  type Limits,
  type Model,
  minLimits,
  nearestNames,
  seededRandom,
  type Tool,
  withoutUndefined,
} from '@harnesswright/protocol'
import type { Environment } from './environment.js'
import { systemClock } from './system-clock.js'

/** What `createEnvironment` takes: every field of the environment that the defaults do not suit. */
export interface EnvironmentOptions extends Partial<Omit<Environment, 'model' | 'models' | 'limits'>> {
  /** The default model, or several of which the first is the default. */
  readonly model: Model | readonly Model[]
  /** The host's limits, over the defaults. */
  readonly limits?: Partial<Limits>
}

/**
 * Everything a run may touch, with defaults: the computer's clock, seeded randomness, artifacts in memory, no tools.
 *
 * @throws HarnessError `E_ENV_INVALID` when there is no model, two models have one id, two tools have one name, a tool is
 * none, or a limit is no number from 0 up.
 */
export function createEnvironment(options: EnvironmentOptions): Environment {
  const { model, limits, ...rest } = options
  const models = Array.isArray(model) ? (model as readonly Model[]) : [model as Model]
  const byId = new Map(models.map((one) => [one?.id, one]))
  const given = withoutUndefined(rest)
  const tools = given.tools ?? []
  const fault = faultOfModels(models) ?? faultOfTools(tools)
  if (fault !== undefined) throw new HarnessError('E_ENV_INVALID', { message: fault })
  return Object.freeze({
    skills: [],
    codecs: [],
    clock: systemClock,
    random: seededRandom,
    newId: () => globalThis.crypto.randomUUID(),
    artifacts: memoryArtifacts(),
    secrets: [],
    strict: false,
    hostOptions: {},
    ...given,
    tools: Object.freeze([...tools]),
    limits: minLimits({ ...DEFAULT_LIMITS, ...checkLimits(limits) }),
    models: () => models,
    model(id?: string): Model {
      const found = id === undefined ? models[0] : byId.get(id)
      if (found === undefined) throw unknownModel(id ?? '', [...byId.keys()])
      return found
    },
  })
}

function faultOfModels(models: readonly Model[]): string | undefined {
  if (models.length === 0 || models.some((one) => typeof one?.generate !== 'function'))
    return 'The environment needs a model with an id and a generate function.'
  return new Set(models.map(({ id }) => id)).size < models.length ? 'Two models have one id.' : undefined
}

function faultOfTools(tools: readonly Tool[]): string | undefined {
  const names = new Set<string>()
  for (const { name, parameters, execute } of tools) {
    if (names.has(name)) return `Two tools are named "${name}".`
    const isTool = name !== '' && typeof execute === 'function' && typeof parameters === 'object'
    if (!isTool) return `The tool "${name}" needs a name, parameters as JSON Schema, and an execute function.`
    names.add(name)
  }
  return undefined
}

function unknownModel(id: string, known: readonly string[]): HarnessError {
  return new HarnessError('E_MODEL_UNKNOWN', {
    message: `There is no model "${id}" in the environment.`,
    hint: `Use one of: ${nearestNames(id, known, 5).join(', ')}.`,
  })
}

/** Artifacts kept in memory. */
export function memoryArtifacts(): ArtifactStore {
  const values = new Map<string, Json>()
  return { put: (id, value) => void values.set(id, value), get: (id) => values.get(id) }
}
