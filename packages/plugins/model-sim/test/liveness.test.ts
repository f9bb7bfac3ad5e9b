import { expect, test } from 'vitest'
import { PROFILES, type SimParameters, type SimProfile } from '../src/profiles.js'
import { createModel } from '../src/sim-model.js'
import { type BenchOptions, type Loop, runBench } from './bench.js'

/** Parameters that nothing in the present worlds and purposes can show, with what will. The list only shrinks. */
const NOT_YET_LIVE: Readonly<Record<string, string>> = {
  fold: 'no module offers a fold yet',
  judge: 'no purpose compares candidates yet',
}

/** One setting in which a parameter may show, tried for several seeds. */
interface Setting {
  readonly profile: SimProfile
  readonly world: string
  readonly loop: Loop
  readonly rngs: number
}

const SETTINGS: readonly Setting[] = [
  { profile: 'sim-mid', world: 'quotes:small', loop: {}, rngs: 2 },
  { profile: 'sim-small', world: 'quotes:large', loop: { plan: 'together', isParallel: true }, rngs: 4 },
  { profile: 'sim-small', world: 'quotes:large', loop: { isParallel: true }, rngs: 12 },
  { profile: 'sim-chaos', world: 'quotes:small', loop: { plan: 'linear', isParallel: true }, rngs: 12 },
  { profile: 'sim-mid', world: 'long-log:large', loop: { plan: 'linear', memory: 'summary' }, rngs: 2 },
  { profile: 'sim-chaos', world: 'long-log:large', loop: { memory: 'summary' }, rngs: 3 },
]

const baselines = new Map<string, Promise<string>>()

test.each(Object.keys(PROFILES['sim-mid']))(
  'half or one and a half times %s changes a result on some world',
  async (name) => {
    const isDead = name in NOT_YET_LIVE
    const isLive = (await changes(name, 0.5)) || (!isDead && (await changes(name, 1.5)))

    expect(isLive, NOT_YET_LIVE[name] ?? 'a dead parameter').toBe(!isDead)
  },
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

async function resultOf({ profile, world, loop }: Setting, parameters: SimParameters, rng: number): Promise<string> {
  const options: BenchOptions = { world, rng, loop, model: createModel(profile, parameters, 1) }
  const { reward, inputTokens, cachedTokens, outputTokens, calls, usd, ms } = await runBench(options)
  return JSON.stringify([reward, inputTokens, cachedTokens, outputTokens, calls, usd, ms])
}
