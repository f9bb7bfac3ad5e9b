// The thirteen seeds on tasks of a world that is none of the four built-in ones, on the simulated model: mechanics, and no
// claim about language models.
//   npm run unseen-world -w examples -- [--rngs 12] [--seeds react,roma] [--sizes small,large] [--profile sim-mid]
import { parseArgs } from 'node:util'
import type { Manifest } from '@harnesswright/core'
import { createSimModel, type SimProfile } from '@harnesswright/plugin-model-sim'
import type { WorldSize } from '@harnesswright/plugin-worlds'
import { type Outcome, runTask } from './src/run-task.js'
import { SEEDS, seedCatalog, seedManifest } from './src/seeds.js'
import { type Cell, writeTable } from './src/table.js'
import { withdrawnSheets } from './src/world.js'

const { values } = parseArgs({
  options: {
    rngs: { type: 'string', default: '12' },
    seeds: { type: 'string', default: SEEDS.join(',') },
    sizes: { type: 'string', default: withdrawnSheets.sizes.join(',') },
    profile: { type: 'string', default: 'sim-mid' },
  },
})

const rngs = Number(values.rngs)
if (!Number.isSafeInteger(rngs) || rngs < 1) throw new Error(`--rngs is a positive whole number, not "${values.rngs}"`)
const model = createSimModel({ profile: values.profile as SimProfile }) // refused there where it is none
const cells: Cell[] = []
for (const size of values.sizes.split(',') as WorldSize[]) {
  // refused by the world where it is none
  for (const seed of values.seeds.split(',')) {
    cells.push({ seed, size, outcomes: await runAll(seedManifest(seed), size) })
    console.error(`${size} ${seed} done`)
  }
}
console.log(writeTable(cells))

async function runAll(manifest: Manifest, size: WorldSize): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (let rng = 1; rng <= rngs; rng++) {
    const task = withdrawnSheets.generate({ size, rng })
    outcomes.push(await runTask({ manifest, catalog: seedCatalog, model, task, seed: rng }))
  }
  return outcomes
}
