import { expect, test } from 'vitest'
import { PROFILES, type SimParameters, type SimProfile } from '../src/profiles.js'
import { createModel } from '../src/sim-model.js'
import { type BenchOptions, type Loop, runBench } from './bench.js'
import { runJudged } from './teams.js'

/** One setting in which a parameter may show, tried for several seeds. */
interface Setting {
  readonly profile: SimProfile
  readonly world: string
  readonly loop: Loop
  /** So many runs of the whole, of which a judge chooses. */
  readonly rollouts?: number
  readonly rngs: number
}

const SETTINGS: readonly Setting[] = [
  { profile: 'sim-mid', world: 'quotes:small', loop: {}, rngs: 2 },
  { profile: 'sim-small', world: 'wide-search:large', loop: { isParallel: true }, rngs: 2 },
  { profile: 'sim-small', world: 'quotes:large', loop: { plan: 'together', isParallel: true }, rngs: 4 },
  { profile: 'sim-small', world: 'quotes:large', loop: { isParallel: true }, rngs: 12 },
  { profile: 'sim-chaos', world: 'quotes:small', loop: { plan: 'linear', isParallel: true }, rngs: 12 },
  { profile: 'sim-mid', world: 'long-log:large', loop: { plan: 'linear', memory: 'summary' }, rngs: 2 },
  { profile: 'sim-chaos', world: 'long-log:large', loop: { memory: 'summary' }, rngs: 3 },
  { profile: 'sim-mid', world: 'long-log:large', loop: { memory: 'fold', isParallel: true }, rngs: 1 },
  { profile: 'sim-small', world: 'wide-search:large', loop: {}, rollouts: 4, rngs: 16 },
]

const baselines = new Map<string, Promise<string>>()

test.each(Object.keys(PROFILES['sim-mid']))(
  'half or one and a half times %s changes a result on some world',
  async (name) => {
    expect((await changes(name, 0.5)) || (await changes(name, 1.5))).toBe(true)
  },
  60_000,
)

async function changes(name: string, factor: number): Promise<boolean> {
  for (const setting of SETTINGS) {
    const profile = PROFILES[setting.profile]
    const changed = scale(profile, name as keyof SimParameters, factor) // the keys of a profile
    for (let rng = 1; rng <= setting.rngs; rng++) {
      if ((await baseline(setting, rng)) !== (await resultOf(setting, changed, rng))) return true
    }
  }
  return false
}

function scale(profile: SimParameters, name: keyof SimParameters, factor: number): SimParameters {
  const value = profile[name]
  if (typeof value !== 'number') {
    return {
      ...profile,
      usd: { input: value.input * factor, cached: value.cached * factor, output: value.output * factor },
    }
  }
  return { ...profile, [name]: value >= 4 ? Math.round(value * factor) : value * factor }
}

function baseline(setting: Setting, rng: number): Promise<string> {
  const key = JSON.stringify([setting, rng])
  let result = baselines.get(key)
  if (result === undefined) {
    result = resultOf(setting, PROFILES[setting.profile], rng)
    baselines.set(key, result)
  }
  return result
}

async function resultOf(setting: Setting, parameters: SimParameters, rng: number): Promise<string> {
  const { profile, world, loop, rollouts } = setting
  const options: BenchOptions = { world, rng, loop, model: createModel(profile, parameters, 1) }
  const result = rollouts === undefined ? await runBench(options) : await runJudged(options, rollouts, 'chosen')
  const { reward, inputTokens, cachedTokens, outputTokens, calls, usd, ms } = result
  return JSON.stringify([reward, inputTokens, cachedTokens, outputTokens, calls, usd, ms])
}
