// Goals that advance side by side: Flash-Searcher beside ReAct, where searches are slow and do not wait for each other. On the
// simulated model, of which nothing follows for language models.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assemble, createEnvironment, type Manifest } from '@harnesswright/core'
import { createVirtualClock } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { createSimModel } from '@harnesswright/plugin-model-sim'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { generateTask, withLatency } from '@harnesswright/plugin-worlds'
import * as flashSearcher from '@harnesswright/seed-flash-searcher'
import flashManifest from '@harnesswright/seed-flash-searcher/manifest.json' with { type: 'json' }
import * as react from '@harnesswright/seed-react'
import reactManifest from '@harnesswright/seed-react/manifest.json' with { type: 'json' }

const catalog = createCatalog([
  definePackage({ name: '@harnesswright/seed-react', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-flash-searcher', modules: { ...flashSearcher } }),
])

/** One run on a task with slow searches. */
async function search(manifest: Manifest) {
  const folder = mkdtempSync(join(tmpdir(), 'side-by-side-'))
  try {
    const { task, tools, toolLatencyMs, stepLimit, check } = generateTask('wide-search:large', { rng: 2 })
    const workspace = openWorkspace(folder)
    const files = workspace.workspaces.jail(workspace.id)
    for (const { path, text = '' } of task.files ?? []) files.write(path, text)
    const env = createEnvironment({
      model: createSimModel({ profile: 'sim-mid' }),
      tools: [...workspace.tools.map((tool) => withLatency(tool, toolLatencyMs)), ...tools],
      clock: createVirtualClock(),
      workspaces: workspace.workspaces,
      workspace: workspace.id,
      limits: { steps: stepLimit },
    })
    const result = await (await assemble(manifest, { catalog, env })).run(task, { seed: 2 }).result
    const { reward, detail } = await check({ answer: result.answer, readFile: async () => undefined })
    workspace.close()
    const seconds = (result.ms / 1000).toFixed(0)
    console.log(`${manifest.name}: ${detail}, ${result.spent.modelCalls} model calls, ${seconds} simulated s`)
    return { reward, result }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const one = await search(reactManifest as Manifest)
const many = await search(flashManifest as Manifest)

// Every step has the plan as it was: typed goals, and what they wait for.
const [first] = many.result.steps
console.log(first?.directive.text)
const widest = Math.max(...many.result.steps.map(({ observations }) => observations.length))
console.log(`at most ${widest} calls in one reply`)

assert.ok((first?.directive.plan?.goals.length ?? 0) > 1)
assert.ok(widest > 2)
assert.ok(many.reward >= one.reward)
assert.ok(many.result.ms < 0.8 * one.result.ms)
