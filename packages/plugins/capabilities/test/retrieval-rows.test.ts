import { assemble, createEnvironment, type Random, seededRandom, type Tool } from '@harnesswright/core'
import { createScriptedModel, createVirtualClock } from '@harnesswright/core/testkit'
import { beforeAll, describe, expect, test } from 'vitest'
import { noRows, type Row, readPool } from './support/bfcl.js'
import { catalog, offered, seedWith, use } from './support/harness.js'

// Public questions, each put to a harness whose environment has the tools of many of them. Prints the figures of the README.

const SAMPLE = 200
const TOP = 8

const manifest = seedWith('react', use('retrieval', { top: TOP }))

/** Puts questions to one environment; gives for each which tools the first request offers, and what part of the text of all they are. */
async function ask(tools: readonly Tool[], questions: readonly string[]) {
  const model = createScriptedModel([], { after: 'done' })
  const env = createEnvironment({ model, tools, clock: createVirtualClock() })
  const harness = await assemble(manifest, { catalog, env })
  for (const question of questions) await harness.run(question).result
  const all = bytesOf(tools)
  return model.requests.map((request) => ({ names: offered(request), share: bytesOf(request.tools ?? []) / all }))
}

/** The text of tools as it is sent, in bytes: what their tokens are in proportion to. */
function bytesOf(tools: readonly Tool[]): number {
  const sent = tools.map(({ name, description, parameters }) => ({ name, description, parameters }))
  return Buffer.byteLength(JSON.stringify(sent))
}

/** The needed tools and others that are drawn, in an order that is drawn too. */
function drawSample(tools: readonly Tool[], { needed }: Row, random: Random): readonly Tool[] {
  const draw = tools.map((tool) => ({ tool, rank: needed.includes(tool.name) ? -1 : random.next() }))
  const drawn = draw.sort((a, b) => a.rank - b.rank).slice(0, SAMPLE)
  return drawn
    .map(({ tool }) => ({ tool, rank: random.next() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ tool }) => tool)
}

const hasAll = (names: readonly string[], { needed }: Row): boolean => needed.every((name) => names.includes(name))
const shareOf = (kept: readonly boolean[]): number => kept.filter(Boolean).length / kept.length

describe.skipIf(noRows !== undefined)(`retrieval among the tools of public rows${noRows ? `: ${noRows}` : ''}`, () => {
  let rows: readonly Row[] = []
  let tools: readonly Tool[] = []
  beforeAll(() => ({ rows, tools } = readPool()))

  test('offers every needed tool among 8 of 200 that are drawn for at least 95 % of the rows', async () => {
    const random = seededRandom(1)
    const kept: boolean[] = []
    const shares: number[] = []
    for (const row of rows) {
      const [first] = await ask(drawSample(tools, row, random), [row.question])
      expect(first?.names.length).toBeLessThanOrEqual(TOP + 1) // with the search for more
      kept.push(hasAll(first?.names ?? [], row))
      shares.push(first?.share ?? 1)
    }

    console.log(`of ${SAMPLE}: ${(100 * shareOf(kept)).toFixed(1)} % of ${rows.length} rows`)
    expect(shareOf(kept)).toBeGreaterThanOrEqual(0.95)
    expect(Math.max(...shares)).toBeLessThanOrEqual(0.2)
  }, 120_000)

  test('offers them among 8 of all for at least 90 % of the rows, and sends at most a fifth of the text of all tools', async () => {
    const asked = await ask(
      tools,
      rows.map(({ question }) => question),
    )
    const kept = asked.map(({ names }, index) => hasAll(names, rows[index] as Row))
    const shares = asked.map(({ share }) => share)

    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length
    console.log(
      `of all ${tools.length}: ${(100 * shareOf(kept)).toFixed(1)} %, ${(100 * (1 - mean)).toFixed(1)} % less`,
    )
    expect(shareOf(kept)).toBeGreaterThanOrEqual(0.9)
    expect(Math.max(...shares)).toBeLessThanOrEqual(0.2)
  }, 120_000)
})
