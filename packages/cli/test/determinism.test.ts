import { expect, test } from 'vitest'
import { manifestOf, runWorld } from './support/world-run.js'

const seeds = ['react', 'plan-and-execute'] as const
const worlds = ['quotes', 'long-log'] as const
const cases = seeds.flatMap((seed) => worlds.map((world) => ({ seed, world })))

test.each(cases)(
  '$seed on $world gives the same trace byte for byte, alone and among eight runs at once',
  async ({ seed, world }) => {
    const run = () =>
      runWorld({ world, size: world === 'quotes' ? 'large' : 'small', rng: 3, manifest: manifestOf(seed) })
    const alone = await run()
    const together = await Promise.all(Array.from({ length: 8 }, run))

    expect(alone.trace.length).toBeGreaterThan(1_000)
    for (const { trace } of together) expect(trace).toBe(alone.trace)
  },
)

test.each(cases)(
  '$seed on $world takes the same steps with one call at a time and with eight',
  async ({ seed, world }) => {
    const run = (concurrency: number) =>
      runWorld({
        world,
        size: 'large',
        rng: 5,
        manifest: { ...manifestOf(seed), limits: { concurrency } },
        env: { strict: true },
      })
    const [one, eight] = [await run(1), await run(8)]
    const withoutTime = (trace: string) =>
      trace.replaceAll(/"(at|ms)":[\d.]+/g, '').replaceAll(/"(manifestId|harnessId)":"[^"]*"/g, '')

    expect(withoutTime(eight.trace)).toBe(withoutTime(one.trace))
    expect(eight.check).toEqual(one.check)
  },
)

test('another seed gives another trace', async () => {
  const run = (rng: number) => runWorld({ world: 'quotes', rng, manifest: manifestOf('react') })

  expect((await run(1)).trace).not.toBe((await run(2)).trace)
})
