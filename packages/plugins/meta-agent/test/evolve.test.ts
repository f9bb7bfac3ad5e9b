import type { Manifest } from '@harnesswright/core'
import { describe, expect, test } from 'vitest'
import { runControls } from '../bench/controls.js'
import { type SyntheticTask, syntheticLab, syntheticTasks } from '../bench/synthetic-lab.js'
import {
  EVOLVE_HEADINGS,
  type EvolveOptions,
  evolve,
  evolveNotes,
  evolveRows,
  type Judged,
  KeptLab,
  type Lab,
  type LabChoice,
  type LabRecord,
} from '../src/index.js'
import { realCatalog as catalog, seedManifests } from './real-catalog.js'

const react = seedManifests['react'] as Manifest
const parent: Required<LabChoice> = { name: 'react', manifest: react }
const train = syntheticTasks('train', { units: 8, kinds: 3, each: 1 })
const unseen = syntheticTasks('test', { units: 20, kinds: 3, each: 1 })

/** A lab in which a harness is the better the more of it comes from the seed gam: nothing is run. */
const lab: Lab<SyntheticTask> = {
  look: syntheticLab({ chance: () => 0 }).look,
  run: async (task, choice, seed) => {
    const good = JSON.stringify(choice.manifest).includes('seed-gam#memory') ? 0.9 : 0.4
    return await syntheticLab({ chance: () => good }).run(task, choice, seed)
  },
}

function options(more: Partial<EvolveOptions<SyntheticTask>> = {}): EvolveOptions<SyntheticTask> {
  const pool = ['gam', 'resum'].map((name) => ({ name, manifest: seedManifests[name] as Manifest }))
  const rest = { catalog, pool, proposals: 30, samples: 3, rng: 5, seedOf: () => 1, isSimulated: true }
  return { lab, parent, train, test: unseen, ...rest, ...more }
}

describe('an evolution', () => {
  test('finds what is better, shows it on tasks that it never saw, and its control by chance and by name show none', async () => {
    const { evolved, controls, manifest, search } = await evolve(options())

    expect(JSON.stringify(manifest.memory)).toContain('seed-gam#memory')
    expect(evolved.comparison?.verdict).toBe('better')
    expect(controls.noOp.comparison?.verdict).not.toBe('better')
    expect(search.randomRuns).toBeGreaterThanOrEqual(search.runs)
  })

  test('runs no test task before the search is over, and no training task after it', async () => {
    const seen: string[] = []
    const watched: Lab<SyntheticTask> = {
      ...lab,
      run: (...call) => {
        seen.push(call[0].id.split(' ')[0] as string)
        return lab.run(...call)
      },
    }
    await evolve(options({ lab: watched }))

    expect(seen.lastIndexOf('train')).toBeLessThan(seen.indexOf('test'))
  })

  test('is the same at any concurrency, and after it was killed', async () => {
    const records: LabRecord[] = []
    const whole = await evolve(options({ lab: new KeptLab(lab, { keep: (record) => records.push(record) }) }))
    const half = new KeptLab(lab, { records: records.slice(0, Math.floor(records.length / 2)) })

    expect(await evolve(options({ lab: half, concurrency: 4 }))).toEqual(whole)
  })

  test('predicts of every proposal what it will change, before it runs', async () => {
    const told: Judged[] = []
    const { judged, foresight } = await evolve(options({ onJudged: (one) => told.push(one) }))

    expect(judged).toHaveLength(30)
    expect(told.slice(0, 30)).toEqual(judged)
    expect(judged[0]?.prediction).toEqual({ reward: 0, logUsd: 0 })
    expect(judged.some(({ prediction }) => prediction.reward !== 0)).toBe(true)
    expect(foresight.proposals).toBe(30)
  })

  test('proposes nothing twice, and no prompt', async () => {
    const { judged } = await evolve(options())
    const slots = judged.map(({ manifest: { memory, planning, capability, action } }) => {
      return JSON.stringify([memory, planning, capability, action])
    })

    expect(new Set(slots).size).toBe(slots.length)
    expect(slots.filter((one) => one.includes('"prompts"'))).toEqual([])
  })

  test('puts every arm in a row, with what could have been shown', async () => {
    const report = await evolve(options())

    expect(evolveRows(report).map(([arm]) => arm)).toEqual([
      'parent (react)',
      expect.stringMatching(/^evolved \((mutate|crossover) \d+\)$/),
      'control: the parent again (react again)',
      expect.stringMatching(/^control: random \(/),
      'control: best of several (react, best of 3)',
    ])
    expect(evolveNotes(report).join('\n')).toMatch(/minimum detectable effect: 0\.\d{3} of reward/)
  })

  test('K77: says how many proposals were tried', async () => {
    const report = await evolve(options())

    expect(evolveNotes(report)[0]).toMatch(
      new RegExp(`^search: ${report.judged.length} proposals, ${report.search.runs} runs, `),
    )
  })

  test('K79: puts beside the gain on tasks that were seen what is left of it on others', async () => {
    const overfit: typeof lab = {
      ...lab,
      run: async (task, choice, seed) =>
        train.includes(task)
          ? await lab.run(task, choice, seed)
          : await syntheticLab({ chance: () => 0.4 }).run(task, choice, seed),
    }

    const rows = evolveRows(await evolve(options({ lab: overfit })))

    expect(EVOLVE_HEADINGS.slice(1, 3)).toEqual(['seen', 'unseen'])
    const [parentRow, evolvedRow] = rows.map(([, seen, left]) => ({ seen: Number(seen), left: Number(left) }))
    expect(evolvedRow?.seen).toBeGreaterThan(0.2 + (parentRow?.seen ?? 1))
    expect(evolvedRow?.left).toBeLessThan(0.1 + (parentRow?.left ?? 0))
  })

  test('is refused where a task is in both splits, or twice in one', async () => {
    const refused = { code: 'E_EVOLVE_SPLIT' }

    await expect(evolve(options({ test: [...unseen, train[3] as SyntheticTask] }))).rejects.toMatchObject(refused)
    await expect(evolve(options({ train: [...train, train[0] as SyntheticTask] }))).rejects.toMatchObject(refused)
    await expect(evolve(options({ test: [] }))).rejects.toMatchObject(refused)
  })

  test('is refused for prompts on a simulated model, and only there', async () => {
    const action = { use: '@harnesswright/seed-react#action', prompts: { system: 'Be brief.' } }
    const worded = { name: 'worded', manifest: { ...react, name: 'worded', action } }

    await expect(evolve(options({ parent: worded, proposals: 1 }))).rejects.toMatchObject({ code: 'E_EVOLVE_PROMPTS' })
    await expect(evolve(options({ parent: worded, proposals: 1, isSimulated: false }))).resolves.toMatchObject({})
  })
})

test('over 8 repeats the parent under another name gains once at most, and a planted gain is found 5 times at least', async () => {
  const { noOpGains, plantedFound, shuffledGains, bankGains, bankMeans } = await runControls(8)

  expect(noOpGains).toBeLessThanOrEqual(1)
  expect(plantedFound).toBeGreaterThanOrEqual(5)
  expect(shuffledGains).toBeLessThanOrEqual(1)
  expect(bankGains.shuffled).toBeLessThanOrEqual(1)
  expect(bankMeans.shuffled).toBeLessThan(0.02)
  expect(bankMeans.true).toBeGreaterThan(0.03)
})
