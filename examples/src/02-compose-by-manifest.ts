// A harness composed by manifest: modules of two packages, named in a text, checked before anything is imported, then run
// on the simulated model. What a simulated model does says nothing of what a language model would do.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assemble, createEnvironment } from '@harnesswright/core'
import { createVirtualClock } from '@harnesswright/core/testkit'
import { createCatalog, definePackage, readManifest } from '@harnesswright/plugin-manifest'
import { createSimModel } from '@harnesswright/plugin-model-sim'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { generateTask, withLatency } from '@harnesswright/plugin-worlds'
import * as planAndExecute from '@harnesswright/seed-plan-and-execute'
import * as react from '@harnesswright/seed-react'

const catalog = createCatalog([
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-plan-and-execute', version: '0.1.0', modules: { ...planAndExecute } }),
])

// Four mistakes: a name, an option, a module in the wrong slot, and no "capability".
const broken = `{
  "protocol": 1,
  "name": "planned",
  "packages": { "@harnesswright/seed-react": "^0.1.0", "@harnesswright/seed-plan-and-execute": "^0.1.0" },
  "memory": { "use": "@harnesswright/seed-react#memroy" },
  "planning": { "use": "@harnesswright/seed-plan-and-execute#planning", "with": { "reviewEvery": "often" } },
  "action": { "use": "@harnesswright/seed-react#capability" }
}`

const { problems } = await readManifest(broken, { catalog })
for (const { code, pointer, message, fix } of problems) console.log(`${code} at "${pointer}": ${message} ${fix}`)
assert.deepEqual(
  problems.map(({ code, pointer }) => [code, pointer]),
  [
    ['E_MANIFEST_MISSING', ''],
    ['E_MANIFEST_UNKNOWN_MODULE', '/memory/use'],
    ['E_MANIFEST_OPTION', '/planning/with/reviewEvery'],
    ['E_MANIFEST_SLOT', '/action/use'],
  ],
)

const mended = `{
  "protocol": 1,
  "name": "planned",
  "packages": { "@harnesswright/seed-react": "^0.1.0", "@harnesswright/seed-plan-and-execute": "^0.1.0" },
  "memory": { "use": "@harnesswright/seed-react#memory" },
  "planning": { "use": "@harnesswright/seed-plan-and-execute#planning", "with": { "reviewEvery": 4 } },
  "capability": null,
  "action": { "use": "@harnesswright/seed-react#action" }
}`

const folder = mkdtempSync(join(tmpdir(), 'by-manifest-'))
try {
  // A generated task with real files and a checker that reads what the run left behind.
  const { task, tools, toolLatencyMs, stepLimit, check } = generateTask('quotes:large', { rng: 3 })
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
  const harness = await assemble(mended, { catalog, env })
  const { status, answer, steps, spent, ms } = await harness.run(task, { seed: 3 }).result
  const { passed, detail } = await check({ answer, readFile: async (path) => files.readText(path) })

  console.log(`${harness.manifestId.slice(0, 19)}… ${status}: ${answer}`)
  console.log(`check: ${passed ? 'passed' : 'failed'} (${detail})`)
  console.log(
    `${steps.length} steps, ${spent.tokens} tokens, $${spent.usd?.toFixed(4)}, ${(ms / 1000).toFixed(1)} simulated s`,
  )
  assert.equal(status, 'answered')
  assert.equal(passed, true)
  // Each module left its trace: the planning asked for a roadmap, the action for every step.
  const makers = new Set(steps.flatMap(({ modelCalls }) => modelCalls.map(({ by, purpose }) => `${by} ${purpose}`)))
  assert.deepEqual([...makers].sort().slice(0, 2), ['action.0 act', 'planning.0 plan'])
  workspace.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
