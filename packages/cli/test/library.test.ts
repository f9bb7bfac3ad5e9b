import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  compose,
  createEnvironment,
  createSimModel,
  generateTask,
  isHarnessError,
  openWorkspace,
  readCatalog,
} from '../src/index.js'
import { Sandbox } from './fake-io.js'
import { FIXTURE, writeProject } from './fixture-project.js'

let box: Sandbox
beforeEach(() => {
  box = new Sandbox()
})
afterEach(() => box.remove())

test('what the package exports is enough to compose a harness, run a task and check the answer', async () => {
  const { task, tools, check } = generateTask('quotes', { rng: 7 })
  const { workspaces, id: workspace, tools: files } = openWorkspace(box.root)
  const jail = workspaces.jail(workspace)
  for (const { path, text = '' } of task.files ?? []) jail.write(path, text)

  const model = createSimModel({ profile: 'sim-mid' })
  const latencyFree = [...files, ...tools].map((tool) => ({ ...tool, latencyMs: 0 }))
  const env = createEnvironment({ model: { ...model, generate: atOnce }, tools: latencyFree, workspaces, workspace })
  const { harness } = await compose(task, { env, catalog: readCatalog({ cwd: box.root }) })
  const { status, answer } = await harness.run(task, { seed: 7 }).result

  expect(status).toBe('answered')
  expect(await check({ answer, readFile: async (path) => jail.readText(path) })).toMatchObject({ passed: true })

  /** The clock is the computer's here, and nobody waits for simulated latency. */
  async function atOnce(...args: Parameters<typeof model.generate>) {
    return { ...(await model.generate(...args)), latencyMs: 0 }
  }
})

test('a catalog is read of any project, and a package that is named must be there', () => {
  writeProject(box.root)

  expect(readCatalog({ cwd: box.root }).find(`${FIXTURE}#answers`)?.package.version).toBe('1.2.3')
  expect(() => readCatalog({ cwd: box.root, packages: ['not-there'] })).toThrow(
    expect.toSatisfy((error: unknown) => isHarnessError(error) && error.code === 'E_CLI_PACKAGE'),
  )
})
