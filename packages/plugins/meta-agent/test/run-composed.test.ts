import { createEnvironment, defineModule, type Manifest, type ModelRequest, type Module } from '@harnesswright/core'
import { createScriptedModel, createVirtualClock, minimalAction, minimalMemory } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { compose, harnessFault, runComposed } from '@harnesswright/plugin-meta-agent'
import { expect, test } from 'vitest'

/** A harness of a memory that only fails where the smoke run does not come: at what the task says. */
async function composedOf(memory: Module, replies = ['the answer']) {
  const catalog = createCatalog([
    definePackage({ name: '@acme/parts', version: '1.0.0', modules: { action: minimalAction, memory } }),
  ])
  const manifest: Manifest = {
    protocol: 1,
    name: 'parts',
    packages: { '@acme/parts': '*' },
    memory: [{ use: '@acme/parts#memory' }],
    planning: null,
    capability: null,
    action: { use: '@acme/parts#action' },
  }
  const model = createScriptedModel(replies, { contextWindow: 32_000 })
  const env = createEnvironment({ model, clock: createVirtualClock() })
  const composition = await compose('Go.', { env, catalog, proposer: { fixed: manifest } })
  return { catalog, env, composition, model }
}

const failing = defineModule({
  ...minimalMemory,
  view: (ctx) => {
    if (ctx.task.instruction.includes('secret')) throw new Error('this task is too much')
    return ctx.view
  },
})

test('an exception of the harness while it runs the task is mended, and the task runs again with what is left', async () => {
  const { catalog, env, composition } = await composedOf(failing)
  const runs: number[] = []
  const { result, before, repairs, harness } = await runComposed('Say the secret.', composition, {
    env,
    catalog,
    onRun: () => runs.push(runs.length),
  })

  expect(result).toMatchObject({ status: 'answered', answer: 'the answer' })
  expect(before).toMatchObject([{ status: 'failed', error: { code: 'E_RUN_MODULE', module: '@acme/parts#memory' } }])
  expect(repairs).toMatchObject([
    { round: 1, cases: [{ family: 'runtime', slot: 'memory', pointer: '/memory/0' }], left: [] },
  ])
  expect(harness.manifest.memory).toEqual([])
  expect(runs).toHaveLength(2)
})

test('what a task must come to has no part in it: repair sees the exception and the manifest, and nothing else', async () => {
  const { catalog, env, composition } = await composedOf(failing)
  const seen: string[] = []
  const task = { instruction: 'Say the secret.', metadata: { gold: 'GOLD-17' }, inputs: { gold: 'GOLD-17' } }
  await runComposed(task, composition, {
    env,
    catalog,
    repairers: [
      {
        name: 'watching',
        repair: (input) => {
          seen.push(JSON.stringify([input.cases, input.manifest]))
          return { patch: [], covers: [] }
        },
      },
    ],
  })

  expect(seen).toHaveLength(1)
  expect(seen[0]).not.toContain('GOLD-17')
})

test('a wrong answer, a limit and a model that fails are no exceptions of the harness: nothing is mended', async () => {
  const asked: ModelRequest[] = []
  const { catalog, env, composition, model } = await composedOf(minimalMemory, ['a wrong answer'])
  const { result, before, repairs } = await runComposed('Go.', composition, { env, catalog })
  const limited = await runComposed('Go.', { ...composition, limits: { tokens: 1 } }, { env, catalog })

  expect([result.answer, before, repairs]).toEqual(['a wrong answer', [], []])
  expect(limited.result.status).toBe('limit')
  expect(limited.repairs).toEqual([])
  expect(asked).toEqual([])
  expect(model.requests).toHaveLength(1)
  for (const code of ['E_MODEL_AUTH', 'E_RUN_EMPTY_REPLY', 'E_RUN_LIMIT', 'E_TOOL_FAILED']) {
    const error = { code, message: 'x', module: '@acme/parts#memory' }
    expect(harnessFault({ ...result, status: 'failed', error }, composition.manifest)).toBeUndefined()
  }
})

test('the runs together stay within the limits', async () => {
  const { catalog, env, composition } = await composedOf(failing)
  const { before, result } = await runComposed(
    'Say the secret.',
    { ...composition, limits: { steps: 5 } },
    { env, catalog },
  )

  expect(before[0]?.spent.steps ?? 0).toBeLessThanOrEqual(5)
  expect(result.status).toBe('answered')
})

test('the host is told of a run that failed and of what was changed, before it runs again', async () => {
  const { catalog, env, composition } = await composedOf(failing)
  const told: string[] = []
  const { spent } = await runComposed('Say the secret.', composition, {
    env,
    catalog,
    onRun: () => told.push('run'),
    onMended: async ({ result, failed, rounds, harness }) => {
      await Promise.resolve()
      told.push(`${result.error?.code}, ${rounds.length} round, ${failed.manifest.memory === harness.manifest.memory}`)
    },
  })

  expect(told).toEqual(['run', 'E_RUN_MODULE, 1 round, false', 'run'])
  expect(spent).toMatchObject({ modelCalls: 0, ms: 0 })
})

test('when it is aborted while it is mended the result is that of the run that failed', async () => {
  const { catalog, env, composition } = await composedOf(failing)
  const stop = new AbortController()
  const { result, before } = await runComposed('Say the secret.', composition, {
    env,
    catalog,
    signal: stop.signal,
    repairers: [
      {
        name: 'slow',
        repair: () => {
          stop.abort('enough')
          throw new Error('enough')
        },
      },
    ],
  })

  expect(result).toMatchObject({ status: 'failed', error: { code: 'E_RUN_MODULE' } })
  expect(before).toEqual([])
})
