// Child runs: four scaffolds that spawn, on one wide task. The simulated model stands in for a language model, so that this
// runs offline. It shows the mechanics, and says nothing of how well real models do.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assemble, createEnvironment, type Manifest, type RunResult } from '@harnesswright/core'
import { createVirtualClock } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { createSimModel } from '@harnesswright/plugin-model-sim'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { generateTask, withLatency } from '@harnesswright/plugin-worlds'
import * as aggagent from '@harnesswright/seed-aggagent'
import aggagentManifest from '@harnesswright/seed-aggagent/manifest.json' with { type: 'json' }
import * as oagent from '@harnesswright/seed-oagent'
import oagentManifest from '@harnesswright/seed-oagent/manifest.json' with { type: 'json' }
import * as planAndExecute from '@harnesswright/seed-plan-and-execute'
import * as react from '@harnesswright/seed-react'
import * as recursive from '@harnesswright/seed-recursive'
import recursiveManifest from '@harnesswright/seed-recursive/manifest.json' with { type: 'json' }
import * as roma from '@harnesswright/seed-roma'
import romaManifest from '@harnesswright/seed-roma/manifest.json' with { type: 'json' }

const catalog = createCatalog([
  definePackage({ name: '@harnesswright/seed-react', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-roma', modules: { ...roma } }),
  definePackage({ name: '@harnesswright/seed-aggagent', modules: { ...aggagent } }),
  definePackage({ name: '@harnesswright/seed-recursive', modules: { ...recursive } }),
  definePackage({ name: '@harnesswright/seed-plan-and-execute', modules: { ...planAndExecute } }),
  definePackage({ name: '@harnesswright/seed-oagent', modules: { ...oagent } }),
])

/** Runs a manifest on the task, in a workspace of its own. */
async function run(manifest: Manifest): Promise<RunResult> {
  const folder = mkdtempSync(join(tmpdir(), 'child-runs-'))
  const { task, tools, toolLatencyMs } = generateTask('wide-search:large', { rng: 3 })
  const workspace = openWorkspace(folder)
  try {
    for (const { path, text = '' } of task.files ?? []) workspace.workspaces.jail(workspace.id).write(path, text)
    const env = createEnvironment({
      model: createSimModel({ profile: 'sim-mid' }),
      tools: [...workspace.tools.map((tool) => withLatency(tool, toolLatencyMs)), ...tools],
      clock: createVirtualClock(),
      workspaces: workspace.workspaces,
      workspace: workspace.id,
      limits: { steps: 60, tokens: 20_000_000 },
    })
    return await (await assemble(manifest, { catalog, env })).run(task, { seed: 3 }).result
  } finally {
    workspace.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The tree of runs: how each ended, and after how many steps. */
function show({ children }: RunResult, indent = '  '): void {
  for (const [path, child] of Object.entries(children)) {
    console.log(`${indent}${path}: ${child.status} after ${child.spent.steps} steps`)
    show(child, `${indent}  `)
  }
}

for (const manifest of [
  romaManifest,
  aggagentManifest,
  oagentManifest,
  recursiveManifest,
] as unknown as readonly Manifest[]) {
  const result = await run(manifest)
  console.log(`${manifest.name}: ${result.status} after ${Math.round(result.ms / 1000)} simulated seconds`)
  show(result)
  assert.equal(result.status, 'answered')
  assert.ok(Object.keys(result.children).length >= 2)
}
