import { type Json, type Manifest, nearestNames } from '@harnesswright/core'
import { createCatalog } from '@harnesswright/plugin-manifest'
import { compose, createRulesRepairer, type Proposer, repairManifest } from '@harnesswright/plugin-meta-agent'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkManifest } from '../src/check/check-manifest.js'
import { differences, isWithin } from '../src/pointer.js'
import { corrupt, writtenOut } from './corruptions.js'
import { anEnvironment } from './stand-ins.js'
import { allSeeds, seedManifests, seedPackages } from './thirteen-seeds.js'

const COUNT = 200
const IN_SLOT = /^\/(memory|planning|capability|action)(\/|$)/
const env = anEnvironment()

interface Case {
  readonly spoilt: Json
  readonly what: string
  readonly pointer: string
  readonly codes: readonly string[]
  readonly mended: boolean
  readonly rounds: number
  readonly changed: readonly string[]
  readonly strayed: readonly string[]
  readonly left: readonly string[]
}

/** Two hundred manifests of the thirteen seeds, each spoilt in one field so that it no longer passes, and what became of them. */
async function mendAll(): Promise<readonly Case[]> {
  const manifests = Object.entries(seedManifests).map(([name, one]) => [name, writtenOut(one, allSeeds)] as const)
  const cases: Case[] = []
  for (let rng = 1; cases.length < COUNT; rng++) {
    const [name, valid] = manifests[rng % manifests.length] as (typeof manifests)[number]
    const { what, pointer, spoilt } = corrupt(name, valid, rng)
    // Smoke runs of mended manifests are tested elsewhere; here the text is what is mended.
    const options = { catalog: allSeeds, env, origin: 'model', smoke: false } as const
    const checked = await checkManifest(spoilt as unknown as Manifest, options)
    if (checked.harness !== undefined) continue
    const {
      manifest,
      rounds,
      checked: after,
    } = await repairManifest(spoilt, checked, { ...options, repairers: [createRulesRepairer()] })
    const allowed = rounds.flatMap((round) => round.cases.flatMap(({ within }) => within))
    const changed = differences(spoilt, manifest)
    cases.push({
      spoilt,
      what,
      pointer,
      codes: checked.problems.map(({ code }) => code),
      mended: after.harness !== undefined,
      rounds: rounds.length,
      changed,
      strayed: changed.filter((at) => !isWithin(at, allowed)),
      left: after.problems.map((problem) => `${problem.code} ${problem.pointer}: ${problem.message}`),
    })
  }
  return cases
}

let cases: readonly Case[] = []
beforeAll(async () => {
  cases = await mendAll()
}, 120_000)

describe('of 200 manifests of the seeds with one spoilt field', () => {
  test('at least 60 % are mended by rules within two rounds', () => {
    const mended = cases.filter((one) => one.mended)
    const inSlots = cases.filter(({ pointer }) => IN_SLOT.test(pointer))
    const share = mended.length / cases.length
    console.info(
      `mended ${mended.length} of ${cases.length} (${Math.round(share * 100)} %), in one round ${mended.filter(({ rounds }) => rounds === 1).length}; ` +
        `of ${inSlots.length} in slots ${inSlots.filter((one) => one.mended).length}`,
    )

    expect(cases).toHaveLength(COUNT)
    expect(share).toBeGreaterThanOrEqual(0.6)
    expect(cases.every(({ rounds }) => rounds <= 2)).toBe(true)
  })

  test('none is changed outside the slot that held its problem', () => {
    expect(cases.flatMap(({ strayed }) => strayed)).toEqual([])
    // The name of a slot that has a slip is mended too.
    expect(cases.flatMap(({ changed }) => changed).filter((at) => !IN_SLOT.test(at) && !isSlotSlip(at))).toEqual([])
    expect(cases.filter(({ changed }) => changed.length > 0).length).toBeGreaterThanOrEqual(COUNT * 0.6)
  })

  test('of those that are not mended it is said why', () => {
    for (const { mended, left } of cases) expect(mended).toBe(left.length === 0)
    expect(cases.filter(({ mended }) => !mended).length).toBeGreaterThan(0)
  })
})

test('each of the 200 is mended or gives way to a harness that runs, and the record says why', async () => {
  for (const { spoilt, mended } of cases) {
    const proposer = proposerOf(spoilt)
    const { harness, route, attempts } = await compose('Go.', { env, catalog: allSeeds, proposer, smoke: false })

    expect(route).toBe(mended ? 'mutate' : 'rules')
    expect(attempts[0]?.problems.length).toBeGreaterThan(0)
    expect(attempts[0]?.repairs.length ?? 0).toBeLessThanOrEqual(2)
    expect(attempts.at(mended ? 0 : -1)).toMatchObject({ outcome: 'taken' })
    expect(attempts[0]?.outcome).toBe(mended ? 'taken' : 'failed')
    if (!mended) expect((await harness.run('Go.').result).status).toBe('answered')
  }
}, 60_000)

test('what a manifest names is imported only where it is registered, though it is there', async () => {
  const loads: string[] = []
  const spied = createCatalog(
    seedPackages.map((one) => ({
      ...one,
      load: () => {
        loads.push(one.description.name)
        return one.load()
      },
    })),
  )
  const valid = seedManifests['react'] as Manifest
  const there = ['data:text/javascript,globalThis.wasImported=true', new URL('imported.ts', import.meta.url).href]
  for (const name of [...there, `${there[0]}#memory`, `${there[1]}#memory`, 'node:child_process#memory']) {
    for (const spoilt of [
      { ...valid, memory: { use: name } },
      { ...valid, memory: [{ use: name }, valid.memory] },
      { ...valid, plugins: [{ use: name }] },
      { ...valid, packages: { ...valid.packages, [name]: '*' } },
    ]) {
      const proposer = proposerOf(spoilt as unknown as Json)
      const { harness } = await compose('Go.', { env, catalog: spied, proposer })

      expect((await harness.run('Go.').result).status).toBe('answered')
    }
  }
  const named = ['@harnesswright/seed-react', '@harnesswright/seed-plan-and-execute'] // of the parent and of rules
  expect(loads.filter((name) => !named.includes(name))).toEqual([])
  expect(globalThis).not.toHaveProperty('wasImported')
})

/** True for a field of the manifest that is called as a slot but for a letter or two. */
function isSlotSlip(at: string): boolean {
  return /^\/[a-z]+$/.test(at) && nearestNames(at.slice(1), ['memory', 'planning', 'capability', 'action']).length > 0
}

/** Proposes one manifest, as a model would have written it. */
function proposerOf(spoilt: Json): Proposer {
  const manifest = spoilt as unknown as Manifest
  return { route: 'mutate', propose: () => [{ manifest, origin: 'model', explanation: [] }] }
}
