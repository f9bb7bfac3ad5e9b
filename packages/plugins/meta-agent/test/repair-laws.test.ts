import type { Json, Manifest } from '@harnesswright/core'
import { applyWithin, createRulesRepairer, type PatchOperation, repairManifest } from '@harnesswright/plugin-meta-agent'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkManifest } from '../src/check/check-manifest.js'
import { differences, isWithin } from '../src/pointer.js'
import { anEnvironment } from './stand-ins.js'
import { allSeeds, seedManifests } from './thirteen-seeds.js'

const env = anEnvironment()
const manifests = Object.values(seedManifests)
const uses = allSeeds.modules().map(({ use }) => use)

const pointer = fc.oneof(
  fc.constantFrom(
    '',
    '/',
    '/memory',
    '/memory/0',
    '/memory/use',
    '/memory/-',
    '/memory/with/fill',
    '/memory/__proto__/x',
  ),
  fc.constantFrom(
    '/planning',
    '/action/use',
    '/plugins/-',
    '/plugins/0',
    '/limits',
    '/packages',
    '/protocol',
    '/memoryx',
  ),
  fc.string({ maxLength: 12 }).map((text) => `/memory/${text}`),
)
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
  fc.constantFrom(...uses).map((use): Json => ({ use })),
  fc.constantFrom(...uses),
)
const operation: fc.Arbitrary<PatchOperation> = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: pointer, value }),
  fc.record({ op: fc.constant('remove'), path: pointer }),
  fc.record({ op: fc.constantFrom('move', 'copy'), from: pointer, path: pointer }),
) as fc.Arbitrary<PatchOperation>

test('whatever a patch holds, nothing outside its bounds changes, and no name comes in that is not in the catalog', () => {
  fc.assert(
    fc.property(fc.constantFrom(...manifests), fc.array(operation, { maxLength: 4 }), (manifest, patch) => {
      const before = JSON.stringify(manifest)
      const applied = applyWithin(manifest, patch, { catalog: allSeeds, within: ['/memory'], origin: 'model' })

      expect(JSON.stringify(manifest)).toBe(before)
      if (applied.refused !== undefined) return
      const { packages: _, ...after } = applied.manifest as Manifest
      const { packages: __, ...rest } = manifest
      expect(differences(rest, after).every((at) => isWithin(at, ['/memory']))).toBe(true)
      for (const use of [(applied.manifest as Manifest).memory].flat())
        if (typeof use?.use === 'string') expect(allSeeds.find(use.use)?.slot).toBe('memory')
    }),
    { numRuns: 400 },
  )
})

test('a plugin that is not there is left out, and the others stay as they are', async () => {
  const known = { use: '@harnesswright/plugin-capabilities#gated' }
  const manifest = {
    ...seedManifests['react'],
    plugins: [{ use: '@acme/harnesswright-none#x' }, known],
  } as unknown as Manifest
  const bounds = { catalog: allSeeds, within: ['/plugins/0'], origin: 'model' } as const
  const removed = applyWithin(manifest, [{ op: 'remove', path: '/plugins/0' }], bounds)
  const twice = [0, 1].map((): PatchOperation => ({ op: 'remove', path: '/plugins/0' }))

  expect(removed).toMatchObject({ manifest: { plugins: [known] } })
  expect(applyWithin(manifest, twice, bounds).refused).toMatch(/^It changes \/plugins, which is outside/)
})

test('a patch that adds a field to a number is refused', () => {
  const patch: readonly PatchOperation[] = [
    { op: 'add', path: '/memory', value: 0 },
    { op: 'add', path: '/memory/use', value: uses[0] as string },
  ]
  const applied = applyWithin(manifests[0], patch, { catalog: allSeeds, within: ['/memory'], origin: 'model' })
  expect(applied.refused).toMatch(/^It does not apply: /)
})

test('whatever stands in the slots of a manifest, rules end in two rounds and never fail', async () => {
  const part = fc.oneof(
    value,
    fc.record(
      { use: fc.oneof(fc.constantFrom(...uses), fc.string()), with: value, prompts: value },
      { requiredKeys: [] },
    ),
    fc.array(fc.record({ use: fc.constantFrom(...uses), with: value }, { requiredKeys: ['use'] }), { maxLength: 3 }),
  )
  const slots = fc.record(
    { memory: part, planning: part, capability: part, action: part, plugins: part },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(slots, async (some) => {
      const manifest = { ...seedManifests['react'], ...some } as unknown as Manifest
      const options = { catalog: allSeeds, env, origin: 'model', smoke: false } as const
      const checked = await checkManifest(manifest, options)
      if (checked.harness !== undefined) return
      const {
        rounds,
        checked: after,
        manifest: left,
      } = await repairManifest(manifest, checked, {
        ...options,
        repairers: [createRulesRepairer()],
      })

      expect(rounds.length).toBeLessThanOrEqual(2)
      expect(after.harness === undefined).toBe(after.problems.length > 0)
      const allowed = rounds.flatMap((round) => round.cases.flatMap(({ within }) => within))
      const changed = differences(manifest, left).filter((at) => !isWithin(at, [...allowed, '/packages', '/plugins']))
      expect(changed).toEqual([])
      const wrongPlugins = allowed.filter((at) => at.startsWith('/plugins/')).length
      expect(goneFrom(manifest.plugins, (left as Manifest).plugins)).toBeLessThanOrEqual(wrongPlugins)
    }),
    { numRuns: 150 },
  )
})

/** How many plugins of a list are not in the other as they were; places move when one before them is left out. */
function goneFrom(before: unknown, after: unknown): number {
  const texts = (plugins: unknown): readonly string[] => [plugins ?? []].flat().map((plugin) => JSON.stringify(plugin))
  const left = [...texts(after)]
  return texts(before).filter((plugin) => {
    const at = left.indexOf(plugin)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  }).length
}
