import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assemble, type Catalog, createEnvironment, type Json, type Manifest, type Model } from '@harnesswright/core'
import { createVirtualClock } from '@harnesswright/core/testkit'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { type CheckResult, type WorldTask, withLatency } from '@harnesswright/plugin-worlds'

/** What is run. */
export interface Run {
  readonly manifest: Manifest
  readonly catalog: Catalog
  readonly model: Model
  readonly task: WorldTask
  /** Seed of the run. */
  readonly seed: number
  /** Changes a file after the task was generated. */
  readonly alter?: (path: string, text: string) => string
}

/** What came of it. */
export interface Outcome extends CheckResult {
  readonly answer: Json
  /** `answered`, the limit that ended the run, or the code of its error. */
  readonly end: string
  /** Input and output tokens of the tree of runs. */
  readonly tokens: number
  readonly usd: number
  /** Simulated time. */
  readonly ms: number
  readonly modelCalls: number
}

/** Files are in memory where there is such a place: they are read thousands of times. */
const PARENT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Most tokens of a run: no seed comes near. */
const TOKENS = 20_000_000

/** Runs a harness on a task: real files, the kernel in strict mode, a virtual clock, the checker of the world. */
export async function runTask({
  manifest,
  catalog,
  model,
  task: world,
  seed,
  alter = (_path, text) => text,
}: Run): Promise<Outcome> {
  const folder = mkdtempSync(join(PARENT, 'unseen-world-'))
  const files = join(folder, 'files')
  mkdirSync(files)
  const { workspaces, id: workspace, tools, close } = openWorkspace(files, { forks: join(folder, 'forks') })
  try {
    const jail = workspaces.jail(workspace)
    for (const { path, text = '' } of world.task.files ?? []) jail.write(path, alter(path, text))
    const env = createEnvironment({
      model,
      tools: [...tools.map((tool) => withLatency(tool, world.toolLatencyMs)), ...world.tools],
      clock: createVirtualClock(),
      workspaces,
      workspace,
      strict: true,
      limits: { steps: world.stepLimit, tokens: TOKENS },
    })
    const result = await (await assemble(manifest, { catalog, env })).run(world.task, { seed }).result
    const { answer, status, reason, error, spent, ms } = result
    const readFile = async (path: string): Promise<string | undefined> =>
      jail.list().some((file) => file.path === path) ? jail.readText(path) : undefined
    const { inputTokens, outputTokens } = spent.usage
    return {
      ...(await world.check({ answer, readFile })),
      answer,
      end: error?.code ?? (status === 'answered' ? status : (reason ?? status)),
      tokens: (inputTokens ?? 0) + (outputTokens ?? 0),
      usd: spent.usd ?? 0,
      ms,
      modelCalls: spent.modelCalls,
    }
  } finally {
    close()
    rmSync(folder, { recursive: true, force: true })
  }
}
