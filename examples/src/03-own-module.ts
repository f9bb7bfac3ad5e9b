// A module of one's own: a memory that keeps the model's words and lets old observations go. It is checked by the
// conformance kit, put in a package that exists in memory only, named by a manifest, and run on the simulated model.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
// #region imports
import {
  assemble,
  createEnvironment,
  defineModule,
  type Manifest,
  type Message,
  type Module,
  renderHeading,
  type Step,
} from '@harnesswright/core'
import { createVirtualClock, moduleConformance } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { createSimModel } from '@harnesswright/plugin-model-sim'
import { openWorkspace } from '@harnesswright/plugin-tools-workspace'
import { generateTask, withLatency } from '@harnesswright/plugin-worlds'
import * as react from '@harnesswright/seed-react'
import * as z from 'zod'

// #endregion imports

// #region module
/** Keeps the last steps whole; of the steps before them, what the model said and which tools it called. */
const memory: Module = defineModule({
  slot: 'memory',
  summary: "Shows the last steps whole, and of those before only the model's own words; for long runs.",
  options: z.strictObject({
    wholeSteps: z
      .int()
      .min(1)
      .max(50)
      .default(4)
      .describe('Steps that are always shown whole; up to twice as many are.')
      .meta({ buckets: [2, 4, 8] }),
  }),
  prompts: { notes: 'What was done so far, in your own words:\n{{notes}}' },
  state: () => ({ foldedThrough: 0 }),
  view(ctx) {
    const { history, options, state, view } = ctx
    // Not at every step: each change near the start of a request costs the prompt cache of all that follows.
    if (history.length - state.foldedThrough > 2 * options.wholeSteps) {
      state.foldedThrough = history.length - options.wholeSteps
    }
    const isOld = ({ step }: Message): boolean => step !== undefined && step <= state.foldedThrough
    const old = new Set(view.messages.filter(isOld).flatMap(({ step }) => step ?? []))
    if (old.size === 0) return view
    const notes = history.flatMap((step) => (old.has(step.index) ? noteOf(step) : []))
    const folded: Message = {
      role: 'user',
      content: ctx.prompt('notes', { notes: notes.join('\n') }),
      note: 'summary',
      covers: [Math.min(...old), Math.max(...old)],
    }
    const place = view.messages.findIndex(isOld)
    return { messages: view.messages.filter((message) => !isOld(message)).toSpliced(place, 0, folded) }
  },
})

/** One line on a step: the model's words, and the tools it called. */
function noteOf({ index, messages, observations }: Step): string {
  const words = messages.flatMap(({ role, content }) => (role === 'assistant' ? String(content) : []))
  const tools = observations.map(({ tool, ok }) => (ok ? tool : `${tool}, which failed`))
  return `${renderHeading('Step', index)} ${words.join(' ')} (${tools.join(', ') || 'no tool'})`
}
// #endregion module

// #region conformance
for (const { name, run } of moduleConformance({ module: memory })) {
  await run()
  console.log(`conforms: ${name}`)
}
// #endregion conformance

// #region compose
const catalog = createCatalog([
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
  definePackage({ name: 'harnesswright-plugin-own-words', version: '1.0.0', modules: { memory } }),
])
const manifest: Manifest = {
  protocol: 1,
  name: 'own-words',
  packages: { '@harnesswright/seed-react': '^0.1.0', 'harnesswright-plugin-own-words': '^1.0.0' },
  memory: { use: 'harnesswright-plugin-own-words#memory', with: { wholeSteps: 3 } },
  planning: null,
  capability: null,
  action: { use: '@harnesswright/seed-react#action' },
}
// #endregion compose

/** Runs a manifest on a task whose observations are far larger than the window of the simulated model. */
async function runOnLongLog(source: Manifest) {
  const folder = mkdtempSync(join(tmpdir(), 'own-module-'))
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
      limits: { steps: stepLimit, tokens: 5_000_000 },
      strict: true,
    })
    const harness = await assemble(source, { catalog, env })
    const result = await harness.run(task, { seed: 1 }).result
    const { reward, detail } = await check({ answer: result.answer, readFile: async (path) => files.readText(path) })
    console.log(`${source.name}: ${result.reason ?? result.status} after ${result.steps.length} steps; ${detail}`)
    return { ...result, reward }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const whole = await runOnLongLog({ ...manifest, name: 'whole-history', memory: null })
assert.equal(whole.reason, 'context_overflow')

const own = await runOnLongLog(manifest)
assert.equal(own.status, 'answered')
assert.ok(own.steps.length > 40, 'the log has more than 40 parts, and each is read')
assert.ok(own.reward > whole.reward)
