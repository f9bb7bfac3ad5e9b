import { readFileSync } from 'node:fs'
import { ADD, SYSTEM, TASK } from './task.mjs'
import { catalogs, core, react, reactManifest } from './workspace.mjs'

/** The seed `react` on a model, as a user would run it; read for its events when the model is to stream. */
export async function reactRunner(model, { steps, isStream, signal }) {
  const [{ assemble, createEnvironment }, { createCatalog, definePackage }, modules] = await Promise.all([
    core(),
    catalogs(),
    react(),
  ])
  const catalog = createCatalog([definePackage({ name: '@harnesswright/seed-react', modules: { ...modules } })])
  const tool = { ...ADD, readOnly: true, execute: ({ a, b }) => String(a + b) }
  const limits = { steps: steps + 5, toolCalls: steps + 5, tokens: Number.POSITIVE_INFINITY }
  const env = createEnvironment({ model, tools: [tool], limits })
  const manifest = JSON.parse(readFileSync(reactManifest, 'utf8'))
  // The same words as the other loops, so that all send the same bytes.
  const action = { ...manifest.action, prompts: { system: SYSTEM } }
  const harness = await assemble({ ...manifest, action }, { catalog, env })
  return async () => {
    const run = harness.run(TASK, signal === undefined ? {} : { signal })
    if (isStream) for await (const _ of run);
    const { answer, spent, error } = await run.result
    if (error !== undefined) throw new Error(error.message)
    return { text: answer, calls: spent.toolCalls }
  }
}
