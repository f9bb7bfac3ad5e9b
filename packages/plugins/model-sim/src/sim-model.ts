import { HarnessError, type Model, type ModelInfo } from '@harnesswright/core'
import { createEngine } from './engine.js'
import {
  MECHANICS,
  PROFILES,
  PROFILES_DATE,
  PROFILES_VERSION,
  type SimParameters,
  type SimProfile,
} from './profiles.js'

/** Which simulated model. */
export interface SimModelOptions {
  /** `sim-frontier`, `sim-mid`, `sim-small`, or `sim-chaos`, on which everything goes wrong often. */
  readonly profile: SimProfile
  /** Seed of the model's luck, beside the run's own. Default 1. */
  readonly seed?: number
}

/**
 * A simulated agentic model: seeded, offline, with the limits, prices and latencies of a real one. It reads the tasks of
 * its worlds and nothing else, and is never to be presented as a real model.
 *
 * The same request gets the same reply, whatever was served in between: of each session (`request.session`) only the last
 * request is kept, for the prefix cache and for literal repeats. Its latency is `latencyMs` of the response; it does not sleep.
 *
 * `generate` throws HarnessError `E_SIM_NO_TASK` for a request in which no task of a world is found,
 * `E_SIM_NOT_A_COMPOSER` for the purposes `compose` and `repair`, `E_MODEL_CONTEXT_OVERFLOW` above the window.
 *
 * @throws HarnessError `E_SIM_UNKNOWN_PROFILE` when there is no such profile.
 */
export function createSimModel({ profile, seed = 1 }: SimModelOptions): Model {
  if (!Object.hasOwn(PROFILES, profile)) {
    throw new HarnessError('E_SIM_UNKNOWN_PROFILE', {
      message: `There is no simulated model ${JSON.stringify(profile)}.`,
      hint: `Use one of: ${Object.keys(PROFILES).join(', ')}.`,
    })
  }
  return createModel(profile, PROFILES[profile], seed)
}

/** What is known of every simulated model without making one. */
export function simModels(): readonly ModelInfo[] {
  return Object.entries(PROFILES).map(([id, profile]) => infoOf(id, profile))
}

/** A simulated model with parameters of its own. */
export function createModel(id: string, profile: SimParameters, seed: number): Model {
  const respond = createEngine({ id, profile, seed })
  return Object.freeze({
    ...infoOf(id, profile),
    generate: async (...args: Parameters<Model['generate']>) => respond(...args),
  })
}

function infoOf(id: string, profile: SimParameters): ModelInfo {
  return {
    id,
    contextWindow: profile.windowTokens,
    maxOutputTokens: MECHANICS.outputTokens,
    supports: { tools: true, jsonSchema: true, stream: true, parallelToolCalls: true },
    price: { ...profile.usd, source: `profiles of plugin-model-sim, version ${PROFILES_VERSION}`, date: PROFILES_DATE },
    simulated: true,
  }
}
