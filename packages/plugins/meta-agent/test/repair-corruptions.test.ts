import type { Json, Manifest } from '@harnesswright/core'
import { createCatalog } from '@harnesswright/plugin-manifest'
import { compose, createRulesRepairer, repairManifest } from '@harnesswright/plugin-meta-agent'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkManifest } from '../src/check/check-manifest.js'
import { differences, isWithin } from '../src/pointer.js'
import { corrupt, writtenOut } from './corruptions.js'
import { anEnvironment } from './stand-ins.js'
import { allSeeds, seedManifests, seedPackages } from './thirteen-seeds.js'

const COUNT = 200
const env = anEnvironment()

interface Case {
  readonly what: string
  readonly pointer: string
  readonly codes: readonly string[]
  readonly mended: boolean
  readonly rounds: number
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
    cases.push({
      what,
      pointer,
      codes: checked.problems.map(({ code }) => code),
      mended: after.harness !== undefined,
      rounds: rounds.length,
      strayed: differences(spoilt, manifest).filter((at) => !isWithin(at, allowed)),
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
    const inSlots = cases.filter(({ pointer }) => /^\/(memory|planning|capability|action)/.test(pointer))
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
  })

  test('of those that are not mended it is said why', () => {
    for (const { mended, left } of cases) expect(mended).toBe(left.length === 0)
    expect(cases.filter(({ mended }) => !mended).length).toBeGreaterThan(0)
  })
})

test('nothing that is not registered is imported, and what cannot be mended gives way to a harness that runs', async () => {
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
  const [, valid] = Object.entries(seedManifests)[0] as [string, Manifest]
  const full = writtenOut(valid, allSeeds)
  for (let rng = 300; rng < 320; rng++) {
    const { spoilt } = corrupt('agentfold', full, rng)
    const manifest = spoilt as Json as unknown as Manifest
    const proposer = {
      route: 'mutate' as const,
      propose: () => [{ manifest, origin: 'model' as const, explanation: [] }],
    }
    const { harness, route, attempts } = await compose('Go.', { env, catalog: spied, proposer, smoke: false })

    expect(harness.manifestId).toMatch(/^sha256:/)
    expect(['mutate', 'rules']).toContain(route)
    if (route !== 'mutate') expect(attempts[0]?.problems.length).toBeGreaterThan(0)
  }
  expect([...new Set(loads)].every((name) => seedPackages.some(({ description }) => description.name === name))).toBe(
    true,
  )
})
