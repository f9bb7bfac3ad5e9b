// Runs every seed on every world of the simulated model, and writes the tables of docs/guide/choose-a-seed.md, with the
// versions that they are of. Not a claim about language models.
//   npm run measure:worlds -- --out <dir> [further options of "bench worlds", such as --concurrency 8]
// The same command goes on where it was ended. A test says when the tables are of other versions than those of today.
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { main } from '../packages/cli/src/main.ts'
import {
  HEADINGS,
  judge,
  markdownTable,
  readResults,
  summarise,
  tableRows,
  verdictLines,
} from '../packages/plugins/bench/src/index.ts'

const page = join(import.meta.dirname, '../docs/guide/choose-a-seed.md')
const usual = [
  '--harness',
  'all',
  '--worlds',
  'all',
  '--rngs',
  '10',
  '--model',
  'sim-mid',
  '--limit',
  'tokens=20000000',
]
const given = process.argv.slice(2)
const { values } = parseArgs({ args: given, options: { out: { type: 'string' } }, strict: false })

process.exitCode = await main(['bench', 'worlds', ...usual, ...given])
if (process.exitCode === 0) {
  const rows = readResults(resolve(values.out, 'results.jsonl'))
  const settings = JSON.parse(readFileSync(resolve(values.out, 'bench.json'), 'utf8'))
  const text = readFileSync(page, 'utf8')
  const written = text.replace(
    /(?<=^<!-- tables: npm run measure:worlds -->\n)[\s\S]*?(?=^<!-- \/tables -->)/m,
    `\n${stampOf(settings)}\n\n${tablesOf(rows)}\n\n`,
  )
  writeFileSync(page, written)
  console.error(`wrote the tables of ${page}`)
}

/** What the tables are of, for a reader and for the test that compares it with today. */
function stampOf({ model, profilesVersion, worldsVersion, rngs, harnesses }) {
  const ids = Object.fromEntries(harnesses.map(({ name, harnessId }) => [name, harnessId.slice('sha256:'.length, 19)]))
  const stamp = JSON.stringify({ model, profilesVersion, worldsVersion, rngs, harnesses: ids })
  return `<!-- measured: ${stamp} -->

On the simulated model: \`${model}\`, profiles of version ${profilesVersion}, worlds of version ${worldsVersion}, ${rngs} tasks a cell.`
}

/** All at one glance, and then a table for each world. */
function tablesOf(rows) {
  const [cells, verdicts] = [summarise(rows), judge(rows)]
  const worlds = verdicts.map(({ world }) => world)
  const sentences = verdictLines(verdicts)
  const details = worlds.map((world, index) => {
    const ofWorld = tableRows(cells, verdicts).filter(([name]) => name === world)
    const table = markdownTable(
      HEADINGS.slice(1),
      ofWorld.map((row) => row.slice(1)),
    )
    return `### ${world}\n\nOn the simulated model: ${sentences[index].slice(world.length + 2)}.\n\n${table}`
  })
  return [glance(cells, verdicts, worlds), ...details].join('\n\n')
}

/** Rewards of each seed in each world; a star where it is good. */
function glance(cells, verdicts, worlds) {
  const harnesses = [...new Set(cells.map(({ harness }) => harness))]
  const cellOf = (harness, { world, good }) => {
    const { reward } = cells.find((cell) => cell.harness === harness && cell.world === world)
    return `${reward === null ? 'unknown' : reward.toFixed(2)}${good.includes(harness) ? ' *' : ''}`
  }
  const rows = harnesses.map((harness) => [harness, ...verdicts.map((verdict) => cellOf(harness, verdict))])
  return markdownTable(['seed', ...worlds], rows)
}
