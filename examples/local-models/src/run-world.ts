import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  assemble,
  type CodecName,
  createEnvironment,
  type Limits,
  type Manifest,
  type Model,
} from '@harnesswright/core'
import { codecs } from '@harnesswright/plugin-codecs'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { findWorld } from '@harnesswright/plugin-worlds'
import * as planAndExecute from '@harnesswright/seed-plan-and-execute'
import planned from '@harnesswright/seed-plan-and-execute/manifest.json' with { type: 'json' }
import * as react from '@harnesswright/seed-react'
import reacting from '@harnesswright/seed-react/manifest.json' with { type: 'json' }

const catalog = createCatalog([
  definePackage({ name: '@harnesswright/seed-react', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-plan-and-execute', modules: { ...planAndExecute } }),
])
const MANIFESTS = { react: reacting, 'plan-and-execute': planned } as const

/** What a run is of. */
export interface Cell {
  readonly world: string
  readonly seed: keyof typeof MANIFESTS
  readonly codec: Exclude<CodecName, 'auto'>
  readonly rng: number
}

/** What came of it, as a line of the results. */
export interface WorldResult extends Cell {
  readonly model: string
  readonly passed: boolean
  readonly detail: string
  readonly status: string
  readonly reason?: string
  readonly steps: number
  /** Calls of tools that were carried out. */
  readonly toolCalls: number
  readonly inputTokens: number
  readonly cachedTokens: number
  readonly outputTokens: number
  readonly seconds: number
}

/** Runs a seed with a codec on a small task of a world: real files, and the checker of the world. */
export async function runWorld(cell: Cell, model: Model, limits: Partial<Limits>): Promise<WorldResult> {
  const { world, seed, codec, rng } = cell
  const directory = mkdtempSync(join(tmpdir(), 'local-models-'))
  const { workspaces, id: workspace, tools, close } = openWorkspace(directory)
  try {
    const { task, tools: own, check } = findWorld(world).generate({ size: 'small', rng })
    const jail = workspaces.jail(workspace)
    for (const { path, text = '' } of task.files ?? []) jail.write(path, text)
    const env = createEnvironment({ model, tools: [...tools, ...own], workspaces, workspace, limits, codecs })
    const manifest = MANIFESTS[seed]
    // Small models repeat their calls where they may make several.
    const single = { ...manifest, codec, action: { ...manifest.action, with: { parallel: false } } } as Manifest
    const harness = await assemble(single, { catalog, env })
    const { answer, status, reason, spent, ms } = await harness.run(task, { seed: rng }).result
    const readFile = async (path: string) =>
      jail.list().some((file) => file.path === path) ? jail.readText(path) : undefined
    const { passed, detail } = await check({ ...(answer === null ? {} : { answer }), readFile })
    const { inputTokens, cachedTokens, outputTokens } = spent.usage
    return {
      ...cell,
      model: model.id,
      passed,
      detail: detail.split('\n')[0] ?? '',
      status,
      ...(reason === undefined ? {} : { reason }),
      steps: spent.steps,
      toolCalls: spent.toolCalls,
      inputTokens: inputTokens ?? 0,
      cachedTokens: cachedTokens ?? 0,
      outputTokens: outputTokens ?? 0,
      seconds: Math.round(ms / 100) / 10,
    }
  } finally {
    close()
    rmSync(directory, { recursive: true, force: true })
  }
}
