// A log many times larger than the window, and three seeds that remember it by asking the model: sub-goals with summaries, a graph of
// thoughts, and pages that are researched. On the simulated model, of which nothing follows for language models.
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
import * as flashSearcher from '@harnesswright/seed-flash-searcher'
import * as gam from '@harnesswright/seed-gam'
import pages from '@harnesswright/seed-gam/manifest.json' with { type: 'json' }
import * as hiagent from '@harnesswright/seed-hiagent'
import subgoals from '@harnesswright/seed-hiagent/manifest.json' with { type: 'json' }
import * as memobrain from '@harnesswright/seed-memobrain'
import thoughts from '@harnesswright/seed-memobrain/manifest.json' with { type: 'json' }
import * as react from '@harnesswright/seed-react'

const catalog = createCatalog([
  definePackage({ name: '@harnesswright/seed-react', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-flash-searcher', modules: { ...flashSearcher } }),
  definePackage({ name: '@harnesswright/seed-hiagent', modules: { ...hiagent } }),
  definePackage({ name: '@harnesswright/seed-memobrain', modules: { ...memobrain } }),
  definePackage({ name: '@harnesswright/seed-gam', modules: { ...gam } }),
])

async function readLog(manifest: unknown) {
  const folder = mkdtempSync(join(tmpdir(), 'long-log-'))
  try {
    const { task, tools, toolLatencyMs, stepLimit, check } = generateTask('long-log:large', { rng: 1 })
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
    const result = await (await assemble(manifest as Manifest, { catalog, env })).run(task, { seed: 1 }).result
    const { reward, detail } = await check({ answer: result.answer, readFile: async () => undefined })
    workspace.close()
    return { reward, detail, result }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How often the model was asked for each purpose. */
function purposesOf({ steps }: RunResult): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { purpose } of steps.flatMap(({ modelCalls }) => modelCalls))
    counts.set(purpose, (counts.get(purpose) ?? 0) + 1)
  return counts
}

/** Each seed, and what it has its memory made of. */
const seeds = [
  { name: 'sub-goals', manifest: subgoals, asks: ['summarise'] },
  { name: 'thoughts', manifest: thoughts, asks: ['memorise', 'recall'] },
  { name: 'pages', manifest: pages, asks: ['abstract', 'research'] },
]

for (const { name, manifest, asks } of seeds) {
  const { reward, detail, result } = await readLog(manifest)
  const purposes = purposesOf(result)
  console.log(
    `${name}: ${result.steps.length} steps, ${detail}; ${[...purposes].map(([what, count]) => `${count} ${what}`).join(', ')}`,
  )
  assert.equal(result.status, 'answered')
  assert.ok(reward > 0)
  for (const purpose of asks) assert.ok((purposes.get(purpose) ?? 0) > 0)
}
