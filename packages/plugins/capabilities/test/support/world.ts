import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assemble, createEnvironment, type Manifest } from '@harnesswright/core'
import { createVirtualClock } from '@harnesswright/core/testkit'
import { createSimModel, type SimProfile } from '@harnesswright/plugin-model-sim'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { generateTask, withLatency } from '@harnesswright/plugin-worlds'
import { catalog } from './harness.js'

/** Tools beside those of the workspace that no task needs. */
const DISTRACTORS = 60

/** What runs came to on average. */
export interface Figures {
  readonly reward: number
  readonly usd: number
  readonly modelCalls: number
  /** Characters of tools that were sent, over all requests of a run. */
  readonly toolChars: number
  /** Share of the runs that were answered. */
  readonly answered: number
}

/** Runs of one harness on tasks of one world among many tools: real files, a simulated model, a virtual clock. */
export interface Cell {
  readonly manifest: Manifest
  /** `<name>:<size>` */
  readonly world: string
  readonly profile: SimProfile
  /** Tasks. Default 20. */
  readonly tasks?: number
}

/** Runs a harness on a task for each rng from 1, and gives the means. */
export async function runCell({ tasks = 20, ...cell }: Cell): Promise<Figures> {
  const all: Figures[] = []
  for (let rng = 1; rng <= tasks; rng++) all.push(await runOnce(cell, rng))
  const mean = (figure: keyof Figures): number => all.reduce((sum, one) => sum + one[figure], 0) / all.length
  return {
    reward: mean('reward'),
    usd: mean('usd'),
    modelCalls: mean('modelCalls'),
    toolChars: mean('toolChars'),
    answered: mean('answered'),
  }
}

async function runOnce({ manifest, world, profile }: Omit<Cell, 'tasks'>, rng: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'capabilities-'))
  const workspace = openWorkspace(folder)
  let toolChars = 0
  try {
    const { task, tools, toolLatencyMs, stepLimit, check } = generateTask(world, { rng, distractors: DISTRACTORS })
    const jail = workspace.workspaces.jail(workspace.id)
    for (const { path, text = '' } of task.files ?? []) jail.write(path, text)
    const model = createSimModel({ profile })
    const env = createEnvironment({
      model: {
        ...model,
        generate(request, options) {
          for (const { name, description, parameters } of request.tools ?? [])
            toolChars += JSON.stringify({ name, description, parameters }).length
          return model.generate(request, options)
        },
      },
      tools: [...workspace.tools.map((tool) => withLatency(tool, toolLatencyMs)), ...tools],
      clock: createVirtualClock(),
      workspaces: workspace.workspaces,
      workspace: workspace.id,
      strict: true,
      limits: { steps: stepLimit, tokens: 20_000_000 },
    })
    const result = await (await assemble(manifest, { catalog, env })).run(task, { seed: rng }).result
    if (result.status === 'failed') throw new Error(`${world}, rng ${rng}: ${result.error?.message ?? result.reason}`)
    const readFile = async (path: string): Promise<string | undefined> =>
      jail.list().some((file) => file.path === path) ? jail.readText(path) : undefined
    const { reward } = await check({ answer: result.answer, readFile })
    const { modelCalls, usd } = result.spent
    return { reward, modelCalls, toolChars, usd: usd ?? 0, answered: result.status === 'answered' ? 1 : 0 }
  } finally {
    workspace.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
