import type { Manifest } from '@harnesswright/core'
import { manifestIdOf, validateManifest } from '@harnesswright/plugin-manifest'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diffManifests, listCrossovers, listMutations } from '../src/index.js'
import { manifests } from './arbitrary-manifests.js'
import { realCatalog as catalog, seedManifests } from './real-catalog.js'

const react = seedManifests['react'] as Manifest

test('every mutation of any manifest is valid, and differs from it in one slot: by one module or one option, and no prompt', async () => {
  await fc.assert(
    fc.asyncProperty(manifests, fc.nat(), async (parent, at) => {
      const all = listMutations(parent, { catalog })
      const { manifest, slot, kind } = all[at % all.length] as (typeof all)[number]
      const { differences } = diffManifests(parent, manifest, catalog)

      expect(await validateManifest(manifest, { catalog, origin: 'bank' })).toEqual([])
      expect(differences.map(({ place }) => place)).toEqual([slot])
      expect(differences.map((one) => one.kind)).toEqual([kind])
    }),
  )
})

test('the seeds have some dozens of mutations each, no two of which mean the same', async () => {
  for (const seed of Object.values(seedManifests)) {
    const all = listMutations(seed, { catalog })
    const ids = await Promise.all(all.map(({ manifest }) => manifestIdOf(manifest, catalog)))

    expect(all.length).toBeGreaterThan(25)
    expect(new Set(ids).size).toBe(ids.length)
  }
})

test('what is dead is no mutation', () => {
  const all = listMutations(react, { catalog, isAlive: ({ option }) => option !== 'fill' })

  expect(listMutations(react, { catalog }).some(({ change }) => change.includes('option fill'))).toBe(true)
  expect(all.some(({ change }) => change.includes('option fill'))).toBe(false)
})

test('a module that came beside another, or went, is not told as one in the place of none', () => {
  const changes = listMutations(react, { catalog }).map(({ change }) => change)

  expect(changes).toContain('memory: + @harnesswright/seed-gam#memory')
  expect(changes).toContain('memory: - @harnesswright/seed-react#memory')
})

test('a mutation says where it comes from, and that it is the parent but for one thing', () => {
  const change = 'planning: @harnesswright/seed-react#planning -> @harnesswright/seed-flash-searcher#planning'
  const found = listMutations(react, { catalog }).find((one) => one.change === change)

  expect(found?.manifest).toEqual({
    ...react,
    $schema: undefined,
    name: 'react~',
    description: change,
    packages: { '@harnesswright/seed-react': '*', '@harnesswright/seed-flash-searcher': '*' },
    planning: { use: '@harnesswright/seed-flash-searcher#planning' },
    metadata: { operator: 'mutate', parents: ['react'], change },
  })
})

test('every crossover is valid and takes each slot whole from one of the two, and some from each', async () => {
  await fc.assert(
    fc.asyncProperty(manifests, manifests, fc.nat(), async (a, b, at) => {
      const all = listCrossovers(a, b, catalog)
      fc.pre(all.length > 0)
      const { manifest, taken } = all[at % all.length] as (typeof all)[number]

      expect(await validateManifest(manifest, { catalog, origin: 'bank' })).toEqual([])
      for (const slot of ['memory', 'planning', 'capability', 'action'] as const) {
        expect(manifest[slot]).toEqual((taken.includes(slot) ? b : a)[slot])
      }
      expect(await manifestIdOf(manifest, catalog)).not.toBe(await manifestIdOf(a, catalog))
    }),
  )
})

test('two manifests that differ in one slot have no crossover', () => {
  expect(listCrossovers(react, { ...react, planning: null }, catalog)).toEqual([])
})
