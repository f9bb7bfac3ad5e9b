import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Catalog, createEnvironment, type Model } from '@harnesswright/core'
import { createVirtualClock } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { createSimModel } from '@harnesswright/plugin-model-sim'
import { withLatency } from '@harnesswright/plugin-worlds'
import * as react from '@harnesswright/seed-react'
import type { BenchHarness, WorldBenchOptions } from '../src/index.js'

const { resolve } = createRequire(import.meta.url)
const manifest = readFileSync(resolve('@harnesswright/seed-react/manifest.json'), 'utf8')
const windowed = JSON.stringify({ ...JSON.parse(manifest), memory: { use: '@harnesswright/seed-react#window' } })

const catalog: Catalog = createCatalog([
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
])

/** Two harnesses that differ in their memory. */
const HARNESSES: readonly BenchHarness[] = [
  { name: 'react', manifest },
  { name: 'windowed', manifest: windowed },
]

/** A directory for benches, and how often a run began. */
export class Bench {
  readonly directory = mkdtempSync(join(tmpdir(), 'harnesswright-bench-'))
  begun = 0

  /** Two harnesses on two tasks of two worlds, in a directory of this name. */
  options(name: string, model: Model = createSimModel({ profile: 'sim-mid' })): WorldBenchOptions {
    return {
      directory: join(this.directory, name),
      harnesses: HARNESSES,
      worlds: ['quotes:small', 'lookup-chain:small'],
      rngs: 2,
      catalog,
      model,
      environmentOf: ({ opened, world }) => {
        this.begun += 1
        return createEnvironment({
          model,
          tools: [...opened.tools.map((tool) => withLatency(tool, world.toolLatencyMs)), ...world.tools],
          clock: createVirtualClock(),
          workspaces: opened.workspaces,
          workspace: opened.id,
          limits: { steps: world.stepLimit },
        })
      },
    }
  }

  results(name: string): string {
    return readFileSync(join(this.directory, name, 'results.jsonl'), 'utf8')
  }

  /** Names of all that stands in a directory. */
  names(name: string): readonly string[] {
    return readdirSync(join(this.directory, name)).sort()
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true })
  }
}
