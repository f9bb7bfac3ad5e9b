// Runs seeds on the worlds of the simulated model and prints a table of means: reward, input tokens, USD, simulated
// seconds, model calls. Not a claim about real models.
//   npm run measure:worlds -- [--profile sim-mid] [--rngs 10] [--seeds react,plan-and-execute]
//     [--worlds lookup-chain,wide-search] [--faithful] [--each]
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { assemble, createEnvironment } from '../packages/core/src/index.ts'
import { createVirtualClock } from '../packages/core/src/testkit/index.ts'
import { createCatalog, definePackage } from '../packages/plugins/manifest/src/index.ts'
import { createSimModel } from '../packages/plugins/model-sim/src/index.ts'
import { openWorkspace } from '../packages/plugins/tools-workspace/src/index.ts'
import { findWorld, withLatency, worlds } from '../packages/plugins/worlds/src/index.ts'

const { values } = parseArgs({
  options: {
    profile: { type: 'string', default: 'sim-mid' },
    rngs: { type: 'string', default: '10' },
    seeds: { type: 'string', default: 'react,plan-and-execute' },
    worlds: { type: 'string', default: worlds.map((world) => world.name).join(',') },
    each: { type: 'boolean', default: false }, // also one line for each run, with what the checker said
    faithful: { type: 'boolean', default: false },
  },
})
const seedsFolder = join(import.meta.dirname, '../packages/seeds')

/** Every seed that has a manifest, as it is in the sources. */
async function readSeeds() {
  const folders = readdirSync(seedsFolder).filter((folder) => existsSync(join(seedsFolder, folder, 'manifest.json')))
  return Promise.all(
    folders.map(async (folder) => {
      const { name, version } = JSON.parse(readFileSync(join(seedsFolder, folder, 'package.json'), 'utf8'))
      const modules = await import(pathToFileURL(join(seedsFolder, folder, 'src/index.ts')).href)
      return definePackage({ name, version, modules: { ...modules } })
    }),
  )
}

const catalog = createCatalog(await readSeeds())

/** The manifest that a seed ships; with --faithful its window guard is off, as published. */
function manifestOf(seed) {
  const manifest = JSON.parse(readFileSync(join(seedsFolder, seed, 'manifest.json'), 'utf8'))
  return values.faithful ? { ...manifest, memory: { ...manifest.memory, with: { faithful: true } } } : manifest
}

async function runOnce(seed, world, size, rng) {
  const directory = mkdtempSync(join(tmpdir(), 'measure-'))
  try {
    const generated = world.generate({ size, rng })
    const { workspaces, id, tools } = openWorkspace(directory)
    const jail = workspaces.jail(id)
    for (const file of generated.task.files ?? []) jail.write(file.path, file.text ?? '')
    const env = createEnvironment({
      model: createSimModel({ profile: values.profile }),
      tools: [...tools.map((tool) => withLatency(tool, generated.toolLatencyMs)), ...generated.tools],
      clock: createVirtualClock(),
      workspaces,
      workspace: id,
      limits: { steps: generated.stepLimit, tokens: 20_000_000 },
    })
    const harness = await assemble(manifestOf(seed), { catalog, env })
    const result = await harness.run(generated.task, { seed: rng }).result
    const readFile = async (path) => {
      try {
        return jail.readText(path)
      } catch {
        return undefined
      }
    }
    const { reward, detail } = await generated.check({ answer: result.answer, readFile })
    const { usage, usd, modelCalls } = result.spent
    return {
      reward,
      detail,
      tokens: usage.inputTokens,
      usd,
      seconds: result.ms / 1000,
      calls: modelCalls,
      status: result.reason ?? result.status,
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const mean = (rows, name) => rows.reduce((sum, row) => sum + row[name], 0) / rows.length
console.log(`${values.profile}, ${values.rngs} tasks a cell: reward / input tokens / USD / simulated s / model calls\n`)
console.log('| harness | world | size | result | ends |\n| --- | --- | --- | --- | --- |')
for (const seed of values.seeds.split(','))
  for (const world of values.worlds.split(',').map(findWorld))
    for (const size of world.sizes) {
      const rows = []
      for (let rng = 1; rng <= Number(values.rngs); rng++) {
        const row = await runOnce(seed, world, size, rng)
        if (values.each) console.log(`${seed} ${world.name}:${size} rng ${rng}: ${row.calls} calls, ${row.detail}`)
        rows.push(row)
      }
      const cell = [
        mean(rows, 'reward').toFixed(2),
        `${Math.round(mean(rows, 'tokens') / 1000)}k`,
        mean(rows, 'usd').toFixed(4),
        mean(rows, 'seconds').toFixed(0),
        mean(rows, 'calls').toFixed(0),
      ].join(' / ')
      const counts = new Map()
      for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1)
      const ends = Array.from(counts, ([status, count]) => `${status} ${count}`)
      console.log(`| ${seed} | ${world.name} | ${size} | ${cell} | ${ends.join(', ')} |`)
    }
