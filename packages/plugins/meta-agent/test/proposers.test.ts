import { createEnvironment, type Manifest } from '@harnesswright/core'
import { createScriptedModel } from '@harnesswright/core/testkit'
import { expect, test } from 'vitest'
import {
  compose,
  createCrossoverProposer,
  createMutateProposer,
  createPolicyProposer,
  nearestProposer,
  type Proposer,
} from '../src/index.js'
import { realCatalog as catalog, seedManifests } from './real-catalog.js'

const react = seedManifests['react'] as Manifest
const gam = seedManifests['gam'] as Manifest
const reference = {
  harnessId: 'sha256:1',
  manifest: gam,
  why: 'champion of such tasks',
  measured: { reward: 0.9, runs: 8 },
}
const policy = { id: 'checkpoint 7', propose: () => [{ manifest: gam, because: 'It is likely to be right.' }] }

const cases: readonly [route: string, proposer: Proposer][] = [
  ['mutate', createMutateProposer({ parent: react, rng: 3 })],
  ['crossover', createCrossoverProposer({ parents: [react, gam], rng: 3 })],
  ['nearest', nearestProposer],
  ['policy', createPolicyProposer(policy)],
]

test.each(cases)(
  '%s composes a harness that can run, of origin bank, and says what speaks for it',
  async (route, proposer) => {
    const env = createEnvironment({ model: createScriptedModel(['x'], { contextWindow: 32_000 }) })
    const composition = await compose('Say what is in note.txt.', { env, catalog, proposer, references: [reference] })

    expect(composition).toMatchObject({ route, origin: 'bank', spent: { modelCalls: 0 } })
    expect(composition.explanation.at(-1)).toMatchObject({ applies: true, because: expect.stringMatching(/\w/) })
    expect(composition.manifestId).not.toBe('')
  },
)

test('nearest falls back on rules where the bank has nothing', async () => {
  const env = createEnvironment({ model: createScriptedModel(['x'], { contextWindow: 32_000 }) })

  expect((await compose('Say what is in note.txt.', { env, catalog, proposer: nearestProposer })).route).toBe('rules')
})
