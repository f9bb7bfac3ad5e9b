// A log many times larger than the window, read with four memories: none, a window over the observations, a summary to go on
// from, and folds of the model's own. On the simulated model, of which nothing follows for language models.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assemble, createEnvironment, type Manifest, type Use } from '@harnesswright/core'
import { createVirtualClock } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { createSimModel } from '@harnesswright/plugin-model-sim'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { generateTask, withLatency } from '@harnesswright/plugin-worlds'
import * as agentfold from '@harnesswright/seed-agentfold'
import * as react from '@harnesswright/seed-react'
import * as resum from '@harnesswright/seed-resum'

const catalog = createCatalog([
  definePackage({ name: '@harnesswright/seed-react', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-resum', modules: { ...resum } }),
  definePackage({ name: '@harnesswright/seed-agentfold', modules: { ...agentfold } }),
])

const guard: Use = { use: '@harnesswright/seed-react#memory', with: { fill: 0.8 } }

/** Memories from the first to the last that builds the view. */
const memories: Readonly<Record<string, Use | readonly Use[]>> = {
  nothing: { use: '@harnesswright/seed-react#memory', with: { faithful: true } },
  window: { use: '@harnesswright/seed-react#window' },
  summary: [{ use: '@harnesswright/seed-resum#memory' }, guard],
  folds: [{ use: '@harnesswright/seed-agentfold#memory' }, guard],
}

/** Reason and act, with one of the memories and no plan. */
function manifestWith(name: string): Manifest {
  return {
    protocol: 1,
    name,
    packages: Object.fromEntries(catalog.packages.map(({ description }) => [description.name, '*'])),
    memory: memories[name] ?? null,
    planning: null,
    capability: null,
    action: { use: '@harnesswright/seed-react#action' },
  }
}

async function readLog(name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'long-log-'))
  try {
    const { task, tools, toolLatencyMs, stepLimit, check } = generateTask('long-log:large', { rng: 8 })
    const workspace = openWorkspace(folder)
    const files = workspace.workspaces.jail(workspace.id)
    for (const { path, text = '' } of task.files ?? []) files.write(path, text)
    const env = createEnvironment({
      model: createSimModel({ profile: 'sim-mid' }),
      tools: [...workspace.tools.map((tool) => withLatency(tool, toolLatencyMs)), ...tools],
      clock: createVirtualClock(),
      workspaces: workspace.workspaces,
      workspace: workspace.id,
      limits: { steps: stepLimit, tokens: 20_000_000 },
    })
    const result = await (await assemble(manifestWith(name), { catalog, env })).run(task, { seed: 8 }).result
    const { reward, detail } = await check({ answer: result.answer, readFile: async () => undefined })
    workspace.close()
    console.log(`${name}: ${result.reason ?? result.status}, ${result.steps.length} steps, ${detail}`)
    return { reward, result }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const nothing = await readLog('nothing')
assert.equal(nothing.result.reason, 'context_overflow')
assert.equal(nothing.reward, 0)

for (const name of ['window', 'summary', 'folds']) {
  const { reward, result } = await readLog(name)
  assert.equal(result.status, 'answered')
  assert.ok(reward > 0)
}
