import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assemble, type Catalog, createEnvironment, type Environment, type Model } from '@harnesswright/core'
import { createVirtualClock } from '@harnesswright/core/testkit'
import { codecs } from '@harnesswright/plugin-codecs'
import { type OpenedWorkspace, openWorkspace } from '@harnesswright/plugin-tools-workspace'
import {
  type WorldTask as Generated,
  generateTask,
  type World,
  type WorldSize,
  withLatency,
} from '@harnesswright/plugin-worlds'
import { compose, extractFeatures, type Lab, type LabChoice, type LabOutcome, type LabTask } from '../src/index.js'

/** A generated task. */
export interface WorldTask extends LabTask {
  /** `<name>:<size>` */
  readonly world: string
  readonly rng: number
}

/** The task of a world and a random seed; tasks of one seed are one unit. */
export function worldTask(world: string, rng: number): WorldTask {
  return { id: `${world}#${rng}`, unit: `rng ${rng}`, world, rng }
}

/** Most tokens of a run: more than any needs. */
const TOKENS = 20_000_000

/** What tasks are done with. */
export interface WorldLabParts {
  readonly catalog: Catalog
  readonly model: Model
  /** Worlds beside those of plugin-worlds. Default none. */
  readonly families?: readonly World[]
}

/** Does generated tasks for real, each with its files in a private folder. Time is simulated. */
export function worldLab({ catalog, model, families = [] }: WorldLabParts): Lab<WorldTask> {
  return {
    look: async (task) =>
      await inFolder(generate(task, families), model, ({ world, env }) =>
        extractFeatures(world.task, { tools: env.tools, model, limits: env.limits }),
      ),
    run: async (task, choice, seed) =>
      await inFolder(generate(task, families), model, (place) => runIn(place, choice, { seed, catalog })),
  }
}

function generate({ world, rng }: WorldTask, families: readonly World[]): Generated {
  const [name, size] = world.split(':', 2)
  const family = families.find((one) => one.name === name)
  return family?.generate({ size: size as WorldSize, rng }) ?? generateTask(world, { rng }) // sizes are checked there
}

interface Place {
  readonly world: Generated
  readonly env: Environment
  readonly opened: OpenedWorkspace
}

async function inFolder<Result>(
  world: Generated,
  model: Model,
  work: (place: Place) => Result | Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'harnesswright-claims-'))
  const opened = openWorkspace(folder, { forks: `${folder}-forks` })
  try {
    const jail = opened.workspaces.jail(opened.id)
    for (const { path, text = '' } of world.task.files ?? []) jail.write(path, text)
    const tools = [...opened.tools.map((tool) => withLatency(tool, world.toolLatencyMs)), ...world.tools]
    const limits = { tokens: TOKENS, steps: world.stepLimit }
    const workspace = { workspaces: opened.workspaces, workspace: opened.id }
    const env = createEnvironment({ model, tools, limits, codecs, clock: createVirtualClock(), ...workspace })
    return await work({ world, env, opened })
  } finally {
    opened.close()
    for (const path of [folder, `${folder}-forks`]) rmSync(path, { recursive: true, force: true })
  }
}

async function runIn(
  { world, env, opened }: Place,
  { manifest }: LabChoice,
  { seed, catalog }: { readonly seed: number; readonly catalog: Catalog },
): Promise<LabOutcome> {
  const { harness, route } =
    manifest === undefined
      ? await compose(world.task, { env, catalog })
      : { harness: await assemble(manifest, { catalog, env, origin: 'bank' }), route: 'fixed' as const }
  const { status, reason, error, answer, spent, ms, manifestId, harnessId } = await harness.run(world.task, { seed })
    .result
  const jail = opened.workspaces.jail(opened.id)
  const readFile = async (path: string): Promise<string | undefined> => {
    try {
      return jail.readText(path)
    } catch {
      return undefined
    }
  }
  const { reward } = await world.check(answer === null ? { readFile } : { answer, readFile })
  const { inputTokens, outputTokens } = spent.usage
  return {
    reward,
    tokens: inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens,
    usd: spent.usd === null ? null : Math.round(spent.usd * 1e9) / 1e9,
    ms,
    steps: spent.steps,
    route,
    manifestId,
    harnessId,
    end: error?.code ?? (status === 'limit' ? (reason ?? status) : status),
  }
}
