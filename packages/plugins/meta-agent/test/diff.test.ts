import type { Manifest, Use } from '@harnesswright/core'
import { manifestIdOf } from '@harnesswright/plugin-manifest'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeDiff, diffManifests } from '../src/index.js'
import { manifests } from './arbitrary-manifests.js'
import { realCatalog, seedManifests } from './real-catalog.js'

const react = seedManifests['react'] as Manifest
const memory = '@harnesswright/seed-react#memory'

function withMemory(use: Use | readonly Use[] | null): Manifest {
  return { ...react, memory: use }
}

function distanceOf(a: Manifest, b: Manifest): number {
  return diffManifests(a, b, realCatalog).distance
}

test('the distance of two manifests is from 0 to 1, and the same from either side', () => {
  fc.assert(
    fc.property(manifests, manifests, (a, b) => {
      const [there, back] = [distanceOf(a, b), distanceOf(b, a)]

      expect(there).toBeGreaterThanOrEqual(0)
      expect(there).toBeLessThanOrEqual(1)
      expect(there).toBeCloseTo(back, 12)
    }),
  )
})

test('the distance is 0, and no difference is told, exactly for manifests that mean the same', async () => {
  await fc.assert(
    fc.asyncProperty(manifests, manifests, fc.boolean(), async (a, other, isCopy) => {
      const b: Manifest = isCopy ? { ...a, name: 'a copy', description: 'of another name', metadata: { a: 1 } } : other
      const [one, two] = [await manifestIdOf(a, realCatalog), await manifestIdOf(b, realCatalog)]
      const { distance, differences } = diffManifests(a, b, realCatalog)

      expect(distance === 0).toBe(one === two)
      expect(differences.length === 0).toBe(one === two)
    }),
  )
})

test('every two of the seeds differ, and each is the same as itself', () => {
  const seeds = Object.values(seedManifests)

  expect(seeds.map((seed) => distanceOf(seed, seed))).toEqual(seeds.map(() => 0))
  for (const [index, seed] of seeds.entries()) {
    for (const other of seeds.slice(index + 1)) expect(distanceOf(seed, other)).toBeGreaterThan(0)
  }
})

test('a default that is written out is no difference', () => {
  const { distance, differences } = diffManifests(react, withMemory({ use: memory, with: { fill: 0.6 } }), realCatalog)

  expect({ distance, differences }).toEqual({ distance: 0, differences: [] })
})

test('an option lies on the scale of its buckets: the next one is half as far as the one after it', () => {
  const at = (fill: number): Manifest => withMemory({ use: memory, with: { fill } })

  expect(distanceOf(at(0.4), at(0.8))).toBeCloseTo(2 * distanceOf(at(0.4), at(0.6)), 12)
  expect(distanceOf(at(0.4), at(0.5))).toBeLessThan(distanceOf(at(0.4), at(0.6)))
  expect(distanceOf(at(0.8), at(0.9))).toBeGreaterThan(0)
})

test('another option is nearer than another module, and another module than two', () => {
  const option = withMemory({ use: memory, with: { fill: 0.8 } })
  const module = withMemory({ use: '@harnesswright/seed-gam#memory' })
  const two: Manifest = { ...module, planning: { use: '@harnesswright/seed-flash-searcher#planning' } }
  const distances = [option, module, two].map((other) => distanceOf(react, other))

  expect(distances).toEqual(distances.toSorted((a, b) => a - b))
  expect(new Set(distances).size).toBe(3)
})

test('differences are told by slot, each in a line', () => {
  const other: Manifest = {
    ...react,
    memory: [{ use: '@harnesswright/seed-gam#memory' }, { use: memory, with: { fill: 0.8 } }],
    planning: null,
    action: { use: '@harnesswright/seed-react#action', prompts: { system: 'Answer.' } },
    codec: 'json',
    limits: { steps: 9 },
  }

  expect(describeDiff(diffManifests(react, other, realCatalog))).toEqual([
    'memory: + @harnesswright/seed-gam#memory',
    'memory option fill of @harnesswright/seed-react#memory: 0.6 -> 0.8',
    'planning: - @harnesswright/seed-react#planning',
    expect.stringMatching(
      /^action prompt system of @harnesswright\/seed-react#action: another text \(\d+ and 7 characters\)$/,
    ),
    'codec: auto -> json',
    'limits steps: none -> 9',
    expect.stringMatching(/^distance 0\.\d{3}$/),
  ])
})
