import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assemble, createEnvironment, type Manifest, type Model, type Use } from '@harnesswright/core'
import { createVirtualClock } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { createSimModel, type SimProfile } from '@harnesswright/plugin-model-sim'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import * as agentfold from '@harnesswright/seed-agentfold'
import * as aggagent from '@harnesswright/seed-aggagent'
import * as deepagent from '@harnesswright/seed-deepagent'
import * as flashSearcher from '@harnesswright/seed-flash-searcher'
import * as gam from '@harnesswright/seed-gam'
import * as hiagent from '@harnesswright/seed-hiagent'
import * as memobrain from '@harnesswright/seed-memobrain'
import * as oagent from '@harnesswright/seed-oagent'
import * as planAndExecute from '@harnesswright/seed-plan-and-execute'
import * as react from '@harnesswright/seed-react'
import * as recursive from '@harnesswright/seed-recursive'
import * as resum from '@harnesswright/seed-resum'
import * as roma from '@harnesswright/seed-roma'
import { type CheckResult, generateTask, type WorldTask, withLatency } from '../../src/index.js'

/** Modules by the name of their seed. A further seed is one more line here. */
const SEEDS = {
  agentfold: { ...agentfold },
  aggagent: { ...aggagent },
  deepagent: { ...deepagent },
  'flash-searcher': { ...flashSearcher },
  gam: { ...gam },
  hiagent: { ...hiagent },
  memobrain: { ...memobrain },
  oagent: { ...oagent },
  'plan-and-execute': { ...planAndExecute },
  react: { ...react },
  recursive: { ...recursive },
  resum: { ...resum },
  roma: { ...roma },
}

/** Name of a seed that can be run. */
export type Seed = keyof typeof SEEDS

const { resolve } = createRequire(import.meta.url)

const catalog = createCatalog(
  Object.entries(SEEDS).map(([seed, modules]) =>
    definePackage({ name: `@harnesswright/seed-${seed}`, version: '0.1.0', modules }),
  ),
)

/** The manifest that a seed ships, with another memory where one is given. */
export function manifestOf(seed: Seed, memory?: Use): Manifest {
  const manifest = JSON.parse(readFileSync(resolve(`@harnesswright/seed-${seed}/manifest.json`), 'utf8')) as Manifest
  if (memory === undefined) return manifest
  const [name = ''] = memory.use.split('#', 1)
  return { ...manifest, packages: { ...manifest.packages, [name]: '*' }, memory }
}

/** Runs of one harness on tasks of one world. */
export interface Cell {
  readonly manifest: Manifest
  /** `<name>:<size>` */
  readonly world: string
  readonly profile: SimProfile
  /** Default: 1 to 20. */
  readonly rngs?: readonly number[]
}

/** What a run came to. */
export interface Outcome extends CheckResult {
  /** `answered`, or the reason why it was not. */
  readonly end: string
  readonly usd: number
  /** Simulated time. */
  readonly ms: number
  readonly modelCalls: number
}

/** Tasks of a mean. */
const RNGS: readonly number[] = Array.from({ length: 20 }, (_, index) => index + 1)

/** Files are in memory where there is such a place: they are read thousands of times. */
const PARENT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Models serve many runs at once: nothing depends on what else they served. Texts that were read are then known. */
const models = new Map<SimProfile, Model>()

/** Tasks are never changed, and large logs are slow to write: each is generated once. */
const tasks = new Map<string, WorldTask>()

/** Runs a harness on a task for each rng: real files, the kernel in strict mode, a simulated model, a virtual clock. */
export async function runCell({ manifest, world, profile, rngs = RNGS }: Cell): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const rng of rngs) outcomes.push(await runOnce({ manifest, world, profile, rng }))
  return outcomes
}

async function runOnce({
  manifest,
  world,
  profile,
  rng,
}: Omit<Cell, 'rngs'> & { readonly rng: number }): Promise<Outcome> {
  const folder = mkdtempSync(join(PARENT, 'seed-run-'))
  try {
    const { task, tools, toolLatencyMs, stepLimit, check } = taskOf(world, rng)
    const files = join(folder, 'files')
    mkdirSync(files)
    const workspace = openWorkspace(files, { forks: join(folder, 'forks') })
    const jail = workspace.workspaces.jail(workspace.id)
    for (const { path, text = '' } of task.files ?? []) jail.write(path, text)
    const env = createEnvironment({
      model: modelOf(profile),
      tools: [...workspace.tools.map((tool) => withLatency(tool, toolLatencyMs)), ...tools],
      clock: createVirtualClock(),
      workspaces: workspace.workspaces,
      workspace: workspace.id,
      strict: true,
      limits: { steps: stepLimit, tokens: 20_000_000 },
    })
    const { answer, status, reason, spent, ms, error } = await (await assemble(manifest, { catalog, env })).run(task, {
      seed: rng,
    }).result
    if (status === 'failed') throw new Error(`${manifest.name} on ${world}, rng ${rng}: ${error?.message ?? reason}`)
    const readFile = async (path: string): Promise<string | undefined> =>
      jail.list().some((file) => file.path === path) ? jail.readText(path) : undefined
    const checked = await check({ answer, readFile })
    return { ...checked, end: reason ?? status, usd: spent.usd ?? 0, ms, modelCalls: spent.modelCalls }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function modelOf(profile: SimProfile): Model {
  const model = models.get(profile) ?? createSimModel({ profile })
  models.set(profile, model)
  return model
}

function taskOf(world: string, rng: number): WorldTask {
  const key = `${world} ${rng}`
  const task = tasks.get(key) ?? generateTask(world, { rng })
  tasks.set(key, task)
  return task
}

/** The mean of a figure. */
export function mean(outcomes: readonly Outcome[], figure: 'reward' | 'usd' | 'ms' | 'modelCalls'): number {
  return outcomes.reduce((sum, outcome) => sum + outcome[figure], 0) / outcomes.length
}
