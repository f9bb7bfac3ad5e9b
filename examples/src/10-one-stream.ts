// One stream: a log of long parts, and fifty tools of which the task needs one. The tool is searched for, each part gives way to
// a summary, and the answer is what the model calls its answer. On the simulated model, of which nothing follows for language
// models.
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
import * as deepagent from '@harnesswright/seed-deepagent'
import manifest from '@harnesswright/seed-deepagent/manifest.json' with { type: 'json' }
import * as react from '@harnesswright/seed-react'

const catalog = createCatalog([
  definePackage({ name: '@harnesswright/seed-react', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-deepagent', modules: { ...deepagent } }),
])

const folder = mkdtempSync(join(tmpdir(), 'one-stream-'))
const workspace = openWorkspace(folder)
try {
  const { task, tools, toolLatencyMs, check } = generateTask('long-log:small', { rng: 2, distractors: 40 })
  for (const { path, text = '' } of task.files ?? []) workspace.workspaces.jail(workspace.id).write(path, text)
  const env = createEnvironment({
    model: createSimModel({ profile: 'sim-frontier' }),
    tools: [...workspace.tools.map((tool) => withLatency(tool, toolLatencyMs)), ...tools],
    clock: createVirtualClock(),
    workspaces: workspace.workspaces,
    workspace: workspace.id,
  })
  const result = await (await assemble(manifest as unknown as Manifest, { catalog, env })).run(task, { seed: 2 }).result
  for (const { index, action, observations } of result.steps) {
    const calls = action.kind === 'call' ? action.calls.map(({ name }) => name).join(', ') : action.kind
    console.log(
      `step ${index}: ${calls} ${String(observations[0]?.content ?? '')
        .slice(0, 60)
        .replace(/\n/g, ' ')}`,
    )
  }
  const { reward, detail } = await check({ answer: result.answer, readFile: async () => undefined })
  console.log(detail)
  assert.equal(result.status, 'answered')
  assert.equal(reward, 1)
  const called = result.steps.flatMap(({ action }) =>
    action.kind === 'call' ? action.calls.map(({ name }) => name) : [],
  )
  assert.equal(called[0], 'tool_search')
  assert.ok(result.steps.some(({ modelCalls }) => modelCalls.some(({ purpose }) => purpose === 'summarise')))
} finally {
  workspace.close()
  rmSync(folder, { recursive: true, force: true })
}
