// Sixty-five tools, of which the task needs four: all of them in every request, or the few that fit and a search for others.
// On the simulated model, of which nothing follows for language models.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assemble, createEnvironment, type Manifest, type Use } from '@harnesswright/core'
import { createVirtualClock } from '@harnesswright/core/testkit'
import * as capabilities from '@harnesswright/plugin-capabilities'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { createSimModel } from '@harnesswright/plugin-model-sim'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { generateTask, withLatency } from '@harnesswright/plugin-worlds'
import * as react from '@harnesswright/seed-react'

const catalog = createCatalog([
  definePackage({ name: '@harnesswright/seed-react', modules: { ...react } }),
  definePackage({ name: '@harnesswright/plugin-capabilities', modules: { ...capabilities } }),
])

/** Reason and act, with one choice of tools. */
function manifestWith(name: string, capability: Use | null): Manifest {
  return {
    protocol: 1,
    name,
    packages: { '@harnesswright/seed-react': '*', '@harnesswright/plugin-capabilities': '*' },
    memory: { use: '@harnesswright/seed-react#memory' },
    planning: null,
    capability,
    action: { use: '@harnesswright/seed-react#action' },
  }
}

async function makeQuote(name: string, capability: Use | null) {
  const folder = mkdtempSync(join(tmpdir(), 'many-tools-'))
  const workspace = openWorkspace(folder)
  try {
    const { task, tools, toolLatencyMs, stepLimit, check } = generateTask('quotes:large', { rng: 4, distractors: 60 })
    const files = workspace.workspaces.jail(workspace.id)
    for (const { path, text = '' } of task.files ?? []) files.write(path, text)
    const env = createEnvironment({
      model: createSimModel({ profile: 'sim-small' }),
      tools: [...workspace.tools.map((tool) => withLatency(tool, toolLatencyMs)), ...tools],
      clock: createVirtualClock(),
      workspaces: workspace.workspaces,
      workspace: workspace.id,
      limits: { steps: stepLimit, tokens: 20_000_000 },
    })
    const result = await (await assemble(manifestWith(name, capability), { catalog, env })).run(task, { seed: 4 })
      .result
    const readFile = async (path: string): Promise<string | undefined> =>
      files.list().some((file) => file.path === path) ? files.readText(path) : undefined
    const { reward } = await check({ answer: result.answer, readFile })
    const offered = result.steps.map((step) => step.capabilities.length)
    const usd = result.spent.usd ?? 0
    console.log(
      `${name}: ${offered[0]} to ${Math.max(...offered)} tools, ${result.steps.length} steps, $${usd.toFixed(4)}, reward ${reward.toFixed(2)}`,
    )
    return { usd, reward, most: Math.max(...offered) }
  } finally {
    workspace.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const all = await makeQuote('all', null)
const few = await makeQuote('retrieval', { use: '@harnesswright/plugin-capabilities#retrieval' })

assert.ok(all.most >= 60)
assert.ok(few.most < 30)
assert.ok(few.usd < all.usd)
assert.ok(few.reward >= all.reward)
