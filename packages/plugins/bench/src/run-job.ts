import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  assemble,
  type Catalog,
  type Environment,
  type Manifest,
  type Origin,
  type RunResult,
} from '@harnesswright/core'
import { type OpenedWorkspace, openWorkspace, readIfThere } from '@harnesswright/plugin-tools-workspace'
import { generateTask, type WorldTask } from '@harnesswright/plugin-worlds'
import type { BenchJob, BenchRow } from './bench-row.js'
import { isInfrastructureFault } from './infrastructure.js'

/** A harness that takes part. */
export interface BenchHarness {
  /** Name in the results; no two have the same. */
  readonly name: string
  readonly manifest: Manifest | string
  /** Where the manifest comes from. Default `host`. */
  readonly origin?: Origin
}

/** What the environment of one run is made of. */
export interface RunPlace {
  /** The private workspace of the run, with the files of the task in it. */
  readonly opened: OpenedWorkspace
  readonly world: WorldTask
}

/** What every run of a bench is made with. */
export interface RunParts {
  readonly harnesses: readonly BenchHarness[]
  readonly catalog: Catalog
  /** The environment of a run, which has a clock of its own. */
  readonly environmentOf: (place: RunPlace) => Environment
  /** Where private workspaces are made. */
  readonly workspaces: string
  readonly signal: AbortSignal
}

/**
 * Runs a harness on a task in a workspace that nothing else uses, and checks what it left. The workspace is removed.
 *
 * @returns The result; undefined where the run was aborted.
 * @throws HarnessError `E_MANIFEST_*` and `E_PROTOCOL_*` when the harness cannot be assembled.
 */
export async function runJob(job: BenchJob, parts: RunParts): Promise<BenchRow | undefined> {
  const folder = join(parts.workspaces, `${job.harness}-${job.world}-${job.rng}`.replaceAll(/[^\w.-]/g, '-'))
  const files = join(folder, 'files')
  mkdirSync(files, { recursive: true })
  try {
    const world = generateTask(job.world, { rng: job.rng })
    const opened = openWorkspace(files, { forks: join(folder, 'forks') })
    const jail = opened.workspaces.jail(opened.id)
    for (const { path, text = '' } of world.task.files ?? []) jail.write(path, text)
    const result = await runTask(job, { ...parts, place: { opened, world } })
    return result.status === 'aborted' ? undefined : await toRow(job, result, { opened, world })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runTask(
  { harness: name, rng }: BenchJob,
  { harnesses, catalog, environmentOf, place, signal }: RunParts & { readonly place: RunPlace },
): Promise<RunResult> {
  const { manifest, origin = 'host' } = harnesses.find((one) => one.name === name) as BenchHarness // jobs are of these
  const harness = await assemble(manifest, { catalog, env: environmentOf(place), origin })
  return await harness.run(place.world.task, { seed: rng, signal }).result
}

async function toRow(job: BenchJob, result: RunResult, { opened, world }: RunPlace): Promise<BenchRow> {
  const { status, reason, error, answer, spent, ms, manifestId, harnessId } = result
  const readFile = async (path: string): Promise<string | undefined> =>
    readIfThere(opened.workspaces.jail(opened.id), path)
  const { reward, detail } = await world.check(answer === null ? { readFile } : { answer, readFile })
  const { inputTokens, cachedTokens, outputTokens } = spent.usage
  const isMasked = error !== undefined && isInfrastructureFault(error.code)
  return {
    ...job,
    manifestId,
    harnessId,
    status,
    reason: error?.code ?? (status === 'limit' ? (reason ?? null) : null),
    reward: isMasked ? null : reward,
    detail,
    steps: spent.steps,
    modelCalls: spent.modelCalls,
    inputTokens,
    cachedTokens,
    outputTokens,
    usd: spent.usd && Math.round(spent.usd * 1e9) / 1e9, // sums of child runs differ in their last bits by who ends first
    ms,
  }
}
