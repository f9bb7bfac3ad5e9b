// What the framework costs beside the model: CPU, memory, stalls and import time against hand-written loops, measured in one
// run, in turns. Prints ratios as markdown and writes every value to bench/results/<date>.json.
//   npm run bench:overhead -- [--quick] [--peers] [calls|warm|growth|many|leaks|imports ...]
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installPeers } from './peers/install.mjs'
import { importsOf, plansOf } from './plans.mjs'
import { measure, startServer } from './processes.mjs'
import { median, renderTables } from './tables.mjs'

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, peers: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const plans = plansOf(values.quick)
const names = positionals.length === 0 ? Object.keys(plans) : positionals
const unknown = names.find((name) => plans[name] === undefined)
if (unknown !== undefined)
  throw new Error(`there is no plan "${unknown}"; use one of: ${Object.keys(plans).join(', ')}`)

const ownFile = (file) => new URL(`loops/${file}.mjs`, import.meta.url).href
const peers = values.peers ? installPeers() : []
const loops = [
  { name: 'raw fetch', file: ownFile('raw-fetch') },
  { name: 'raw openai', file: ownFile('raw-openai') },
  { name: 'kernel on fetch', file: ownFile('kernel') },
  { name: 'harnesswright', file: ownFile('harness') },
  ...peers.map(({ name, file }) => ({ name, file })),
]

const isPeer = (file) => peers.some((peer) => peer.file === file)

/** A peer that fails leaves a gap, no more. */
function warn(error) {
  console.error(error.message)
}

/** Measures one row for every loop, in turns, so that what disturbs the machine disturbs all of them. */
async function measureRow({ title, script, processes, options, delayMs }) {
  const of = script === 'imports' ? importsOf(loops) : loops
  const server = delayMs === undefined ? undefined : await startServer(delayMs)
  const results = Object.fromEntries(of.map(({ name }) => [name, []]))
  try {
    for (let round = 1; round <= processes; round++) {
      console.error(`${title}: ${round} of ${processes}`)
      for (const { name, file, load } of of) {
        const baseUrl = server?.baseUrl ?? 'http://127.0.0.1:9/v1'
        const measured = measure(script, { ...options, file, name: load, baseUrl })
        const result = isPeer(file) ? await measured.catch(warn) : await measured
        if (result !== undefined) results[name].push(result)
      }
    }
  } finally {
    server?.stop()
  }
  return results
}

function versions() {
  const read = (path) => JSON.parse(readFileSync(join(import.meta.dirname, '..', path), 'utf8')).version
  return {
    node: process.version,
    '@harnesswright/core': read('packages/core/package.json'),
    openai: read('packages/plugins/model-openai/node_modules/openai/package.json'),
    ...Object.assign({}, ...peers.map((peer) => peer.versions)),
  }
}

const loadBefore = loadavg()
const results = {}
for (const name of names) {
  results[name] = {}
  for (const row of plans[name]) results[name][row.title] = await measureRow(row)
}

const date = new Date().toISOString()
const busy = median(
  Object.values(results)
    .flatMap(Object.values)
    .flatMap(Object.values)
    .flat()
    .map((row) => row.busy ?? 0),
)
const machine = {
  platform: `${process.platform} ${process.arch}`,
  processors: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
  memoryGb: Math.round(totalmem() / 2 ** 30),
  loadBefore,
  loadAfter: loadavg(),
  busy,
}
console.log(`${renderTables(results)}\n`)
console.log(
  `Medians; lowest values in brackets. ${machine.processors}, ${machine.memoryGb} GB, ${machine.platform}; ${date.slice(0, 10)}.`,
)
console.log(
  `Load before and after: ${loadBefore[0].toFixed(1)}, ${machine.loadAfter[0].toFixed(1)}; busy while measured: ${Math.round(busy * 100)} %.`,
)
console.log(
  Object.entries(versions())
    .map((pair) => pair.join(' '))
    .join(', '),
)

const folder = join(import.meta.dirname, 'results')
mkdirSync(folder, { recursive: true })
const file = join(folder, `${date.replaceAll(':', '-').slice(0, 19)}.json`)
writeFileSync(file, `${JSON.stringify({ date, machine, versions: versions(), results }, null, 2)}\n`)
console.error(`wrote ${file}`)
