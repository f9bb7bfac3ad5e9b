import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BenchRow, HEADINGS, judge, readResults, summarise, tableRows } from '@harnesswright/plugin-bench'
import { PROFILES_VERSION } from '@harnesswright/plugin-model-sim'
import { WORLDS_VERSION, worlds } from '@harnesswright/plugin-worlds'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NO_CONFIG } from '../src/config/config.js'
import { listSeeds } from '../src/packages/list-seeds.js'
import { listPackages } from '../src/packages/project-packages.js'
import { Sandbox } from './fake-io.js'

// The tables of docs/guide/choose-a-seed.md are what a bench gives today. "npm run measure:worlds" writes them anew.

const PAGE = readFileSync(new URL('../../../docs/guide/choose-a-seed.md', import.meta.url), 'utf8')
const RERUN = 'npm run measure:worlds -- --out <dir>'

/** What is measured again here: a few seconds' worth, in which any change of the simulated model would show. */
const SAMPLE = ['react', 'flash-searcher', 'memobrain', 'roma']
const SMALL = worlds.map(({ name }) => `${name}:small`)

/** What the script wrote of what the tables are of. */
function stamp(): unknown {
  const [, text = '{}'] = /^<!-- measured: (.*) -->$/m.exec(PAGE) ?? []
  return JSON.parse(text)
}

/** What it would write today. */
async function today(): Promise<unknown> {
  const { catalog, installed } = listPackages(NO_CONFIG, tmpdir())
  const ids = listSeeds(installed).map(async ({ scaffold, manifest: text }) => {
    const { manifest } = await catalog.read(text, { origin: 'host' })
    const { harnessId } = await catalog.identify(manifest as NonNullable<typeof manifest>) // a test of each seed reads it
    return [scaffold, harnessId.slice('sha256:'.length, 19)]
  })
  return {
    model: 'sim-mid',
    profilesVersion: PROFILES_VERSION,
    worldsVersion: WORLDS_VERSION,
    rngs: 10,
    harnesses: Object.fromEntries(await Promise.all(ids)),
  }
}

/** Cells of a row of a table of the page, without the star, which depends on all seeds. */
function rowOf(world: string, harness: string): readonly string[] {
  const [, section = ''] = PAGE.split(`\n### ${world}\n`)
  const line = section.split('\n').find((one) => one.startsWith(`| ${harness} |`)) ?? ''
  return withoutStar(line.split('|').slice(1, -1)).map((cell) => cell.trim())
}

const STAR = HEADINGS.indexOf('') - 1
const withoutStar = (cells: readonly string[]): readonly string[] => cells.filter((_, index) => index !== STAR)

test(`the tables are of the profiles, the worlds and the seeds of today; if not, run "${RERUN}"`, async () => {
  expect(stamp()).toEqual(await today())
})

describe(`the tables say what is measured today; if not, run "${RERUN}"`, () => {
  const box = new Sandbox()
  let rows: readonly BenchRow[]

  beforeAll(async () => {
    const words = ['--harness', SAMPLE.join(), '--worlds', SMALL.join(), '--rngs', '10', '--model', 'sim-mid']
    const { code, stderr } = await box.run(['bench', 'worlds', ...words, '--out', 'sample'])
    expect([code, stderr]).toEqual([0, expect.any(String)])
    rows = readResults(join(box.root, 'sample', 'results.jsonl'))
  }, 120_000)
  afterAll(() => box.remove())

  test.each(SMALL.flatMap((world) => SAMPLE.map((seed) => [seed, world] as const)))('of %s in %s', (seed, world) => {
    const measured = tableRows(summarise(rows), judge(rows)).find(([of, name]) => of === world && name === seed)

    expect(rowOf(world, seed)).toEqual(withoutStar((measured ?? []).slice(1)))
  })
})

test('no seed is the best everywhere', () => {
  const best = Array.from(PAGE.matchAll(/^On the simulated model: best ([\w-]+);/gm), ([, seed]) => seed)

  expect(best).toHaveLength(2 * worlds.length)
  expect(new Set(best).size).toBeGreaterThan(2)
})

test('every sentence of the advice that has a figure of a seed or compares says that it is on the simulated model', () => {
  const [, advice = ''] = PAGE.split('\n## What the questions came to\n')
  const [prose = ''] = advice.split('\n## ')
  const sentences = prose.replaceAll(/\s+/g, ' ').split(/(?<=[.:])\s+(?=[A-Z*`])/)
  const comparing =
    /\$\d|\b[01]\.\d\d\b|\b\d+ s\b|\b(?:best|worse|better|cheapest|quickest|dearer|ahead|highest|is good|are good)\b/

  expect(sentences.length).toBeGreaterThan(20)
  expect(sentences.filter((one) => comparing.test(one) && !one.includes('simulated model'))).toEqual([])
})
