// One seed: ReAct works on real files. A scripted model stands in for a language model, so that this runs offline.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assemble, createEnvironment, type Manifest } from '@harnesswright/core'
import { createScriptedModel } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import * as react from '@harnesswright/seed-react'
import manifest from '@harnesswright/seed-react/manifest.json' with { type: 'json' }

const folder = mkdtempSync(join(tmpdir(), 'one-seed-'))
try {
  writeFileSync(join(folder, 'march.txt'), 'rent 900\nfood 310\n')
  writeFileSync(join(folder, 'april.txt'), 'rent 900\nfood 274\ntrain 62\n')
  const workspace = openWorkspace(folder)

  // What a language model would say. The third line reads what the tools showed: nothing is known beforehand.
  const model = createScriptedModel([
    { call: 'list_files', say: 'First I look at what there is.' },
    {
      calls: [
        { call: 'read_file', with: { path: 'march.txt' } },
        { call: 'read_file', with: { path: 'april.txt' } },
      ],
    },
    ({ messages }) => {
      const shown = messages.filter(({ role }) => role === 'tool').slice(-2)
      const amounts = shown.flatMap(({ content }) => String(content).match(/(?<= )\d+$/gm) ?? [])
      return { call: 'calculator', with: { expression: amounts.join(' + ') } }
    },
    ({ messages }) => ({ call: 'write_file', with: { path: 'total.txt', content: `${messages.at(-1)?.content}\n` } }),
    'The total is in total.txt.',
  ])

  // #region run
  const catalog = createCatalog([definePackage({ name: '@harnesswright/seed-react', modules: { ...react } })])
  const env = createEnvironment({
    model,
    tools: workspace.tools,
    workspaces: workspace.workspaces,
    workspace: workspace.id,
    limits: { steps: 10 },
  })
  const harness = await assemble(manifest as Manifest, { catalog, env })

  const run = harness.run('Add up what was spent in March and April, and write the total to total.txt.')
  for await (const event of run) {
    if (event.type === 'step-end') console.log(`step ${event.step}: ${event.action}`)
  }
  const { status, answer, steps, spent } = await run.result
  // #endregion run

  console.log(`${status}: ${answer}`)
  console.log(`${steps.length} steps, ${spent.modelCalls} model calls, ${spent.toolCalls} tool calls`)
  assert.equal(status, 'answered')
  assert.equal(readFileSync(join(folder, 'total.txt'), 'utf8'), '2446\n')
  assert.deepEqual(
    steps.map(({ observations }) => observations.map(({ tool, ok }) => (ok ? tool : 'failed'))),
    [['list_files'], ['read_file', 'read_file'], ['calculator'], ['write_file'], []],
  )
  workspace.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
