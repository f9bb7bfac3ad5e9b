import { beforeAll, describe, expect, test } from 'vitest'
import { seedWith, use } from './support/harness.js'
import { type Figures, runCell } from './support/world.js'

// What a choice of tools does among 65, of which a task needs four at most, on the simulated model.

const ALL = { use: '@harnesswright/seed-react#capability' }
const FILES = ['read_file', 'write_file', 'list_files', 'search_files']

describe('of 65 tools', () => {
  const cell = { world: 'quotes:large', profile: 'sim-small' } as const
  let react: Figures
  let planned: Figures
  beforeAll(async () => {
    react = await runCell({ ...cell, manifest: seedWith('react', ALL) })
    planned = await runCell({ ...cell, manifest: seedWith('plan-and-execute', ALL) })
  }, 120_000)

  test('retrieval confuses a small model less than all of them, and sends a third of their text at most', async () => {
    const few = await runCell({ ...cell, manifest: seedWith('react', use('retrieval')) })

    expect(few.reward).toBeGreaterThan(react.reward)
    expect(few.modelCalls).toBeLessThan(react.modelCalls)
    expect(few.toolChars / react.toolChars).toBeLessThan(1 / 3)
    expect(few.answered).toBe(1)
  }, 120_000)

  test('gates do so for a plan', async () => {
    const few = await runCell({ ...cell, manifest: seedWith('plan-and-execute', use('gated', { always: FILES })) })

    expect(few.reward).toBeGreaterThan(planned.reward)
    expect(few.usd).toBeLessThan(0.7 * planned.usd)
    expect(few.toolChars / planned.toolChars).toBeLessThan(1 / 3)
  }, 120_000)
})

/** Tasks a cell of the table of the README; it is printed only where this is set. */
const MEASURED = Number(process.env['MEASURE'] ?? 0)

test.runIf(MEASURED > 0)('prints the table of the README', { timeout: 3_600_000 }, async () => {
  const harnesses = {
    'react, all tools': seedWith('react', ALL),
    'react, retrieval': seedWith('react', use('retrieval')),
    'plan-and-execute, all tools': seedWith('plan-and-execute', ALL),
    'plan-and-execute, retrieval': seedWith('plan-and-execute', use('retrieval')),
    'plan-and-execute, gated': seedWith('plan-and-execute', use('gated')),
    'plan-and-execute, gated, files always': seedWith('plan-and-execute', use('gated', { always: FILES })),
  }
  for (const [name, manifest] of Object.entries(harnesses))
    for (const world of ['quotes:large', 'lookup-chain:large', 'wide-search:large'])
      for (const profile of ['sim-small', 'sim-mid'] as const) {
        const { reward, modelCalls, usd, toolChars } = await runCell({ manifest, world, profile, tasks: MEASURED })
        const figures = [
          reward.toFixed(2),
          modelCalls.toFixed(0),
          `$${usd.toFixed(4)}`,
          `${Math.round(toolChars / 1000)}k`,
        ]
        console.log(`${name} | ${world} | ${profile} | ${figures.join(', ')}`)
      }
})
