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
  recordOf,
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

test('nearest takes what proved itself as it is, before rules, and leaves mere examples out', async () => {
  const env = createEnvironment({ model: createScriptedModel(['x'], { contextWindow: 32_000 }) })
  const example = { harnessId: 'sha256:2', manifest: react, why: 'like it by words', isExample: true }
  const references = [example, reference]
  const { route, manifest } = await compose('Say what is in note.txt.', {
    env,
    catalog,
    proposer: 'nearest',
    references,
  })

  expect([route, manifest.name]).toEqual(['nearest', gam.name])
})

test('nearest says so where all are mere examples, and rules compose as if there were no bank', async () => {
  const env = createEnvironment({ model: createScriptedModel(['x'], { contextWindow: 32_000 }) })
  const task = 'Say what is in note.txt.'
  const alone = await compose(task, { env, catalog })
  const references = [{ ...reference, isExample: true }]
  const composition = await compose(task, { env, catalog, proposer: 'nearest', references })

  expect([composition.route, composition.harnessId]).toEqual(['rules', alone.harnessId])
  expect(composition.explanation[0]).toMatchObject({ rule: 'nearest', applies: false })
  expect(recordOf(composition).references).toEqual([
    { harnessId: 'sha256:1', name: gam.name, why: reference.why, measured: reference.measured, isExample: true },
  ])
})

test('where what proved itself cannot run any more rules come before the examples', async () => {
  const env = createEnvironment({ model: createScriptedModel(['x'], { contextWindow: 32_000 }) })
  const gone = { ...reference, manifest: { ...react, action: { use: 'gone#away' } } }
  const references = [gone, { ...reference, harnessId: 'sha256:2', isExample: true }]
  const { route, attempts } = await compose('Say what is in note.txt.', {
    env,
    catalog,
    proposer: 'nearest',
    references,
  })

  expect(route).toBe('rules')
  expect(attempts[0]).toMatchObject({ route: 'nearest', outcome: 'failed' })
})
