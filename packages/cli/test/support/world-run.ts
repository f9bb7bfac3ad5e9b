import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  assemble,
  type Catalog,
  type CatalogPackage,
  createEnvironment,
  type Environment,
  type HarnessEvent,
  type Manifest,
  type RunResult,
} from '@harnesswright/core'
import { createVirtualClock } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { createSimModel } from '@harnesswright/plugin-model-sim'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { type CheckResult, findWorld, type WorldSize, withLatency } from '@harnesswright/plugin-worlds'
import * as planAndExecute from '@harnesswright/seed-plan-and-execute'
import * as react from '@harnesswright/seed-react'

const { resolve } = createRequire(import.meta.url)

/** The packages of the two seeds, as a host that imports them registers them. */
export const seedPackages: readonly CatalogPackage[] = [
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-plan-and-execute', version: '0.1.0', modules: { ...planAndExecute } }),
]

/** The manifest that a seed ships. */
export function manifestOf(seed: 'react' | 'plan-and-execute'): Manifest {
  return JSON.parse(readFileSync(resolve(`@harnesswright/seed-${seed}/manifest.json`), 'utf8')) as Manifest
}

/** One run of a manifest on a world. */
export interface WorldRun {
  readonly world: string
  readonly size?: WorldSize
  readonly rng: number
  readonly manifest: Manifest
  readonly catalog?: Catalog
  readonly env?: Partial<Omit<Environment, 'model' | 'models' | 'limits'>>
}

/** What came of it, with every event as a line of JSON. */
export interface WorldOutcome {
  readonly result: RunResult
  readonly check: CheckResult
  readonly trace: string
}

/** Runs a manifest on a world: real files in a new directory, the simulated model, a virtual clock. */
export async function runWorld({
  world,
  size = 'small',
  rng,
  manifest,
  catalog,
  env = {},
}: WorldRun): Promise<WorldOutcome> {
  const directory = mkdtempSync(join(tmpdir(), 'world-run-'))
  const { workspaces, id, tools, close } = openWorkspace(directory)
  try {
    const generated = findWorld(world).generate({ size, rng })
    const jail = workspaces.jail(id)
    for (const file of generated.task.files ?? []) jail.write(file.path, file.text ?? '')
    const events: HarnessEvent[] = []
    const environment = createEnvironment({
      model: createSimModel({ profile: 'sim-mid' }),
      tools: [...tools.map((tool) => withLatency(tool, generated.toolLatencyMs)), ...generated.tools],
      clock: createVirtualClock(),
      workspaces,
      workspace: id,
      strict: true,
      observe: (event) => events.push(event),
      ...env,
      limits: { steps: generated.stepLimit, tokens: 20_000_000 },
    })
    const harness = await assemble(manifest, { catalog: catalog ?? createCatalog(seedPackages), env: environment })
    const result = await harness.run(generated.task, { seed: rng }).result
    const readFile = async (path: string): Promise<string | undefined> => {
      return jail.list().some((file) => file.path === path) ? jail.readText(path) : undefined
    }
    const check = await generated.check({ answer: result.answer, readFile })
    return { result, check, trace: events.map((event) => JSON.stringify(event)).join('\n') }
  } finally {
    close()
    rmSync(directory, { recursive: true, force: true })
  }
}
