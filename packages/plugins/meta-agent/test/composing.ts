import {
  type Catalog,
  createEnvironment,
  type Environment,
  type Limits,
  type Model,
  type Task,
} from '@harnesswright/core'
import { createScriptedModel, createVirtualClock, type Script, type ScriptedModel } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import { type ComposeOptions, type Composition, compose } from '@harnesswright/plugin-meta-agent'
import * as planAndExecute from '@harnesswright/seed-plan-and-execute'
import * as react from '@harnesswright/seed-react'

/** The real seeds. */
export const seeds: Catalog = createCatalog([
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-plan-and-execute', version: '0.1.0', modules: { ...planAndExecute } }),
])

/** A reply as it is asked for, with what a strict endpoint fills with null. */
export function aReply(change: Readonly<Record<string, unknown>> = {}, more: object = {}): string {
  const manifest = {
    name: 'planned',
    memory: { use: '@harnesswright/seed-react#memory', with: { fill: 0.4, faithful: null } },
    planning: {
      use: '@harnesswright/seed-plan-and-execute#planning',
      with: { maxGoals: 5, reviewEvery: null, faithful: null },
    },
    capability: null,
    action: { use: '@harnesswright/seed-react#action', with: null },
    ...change,
  }
  return JSON.stringify({
    analysis: 'Many parts, each of them short.',
    predicted: { reward: 0.9, tokens: 60_000, steps: 14 },
    manifest,
    ...more,
  })
}

/** A task of some parts. */
export const task: Task = {
  instruction: 'Make 8 visits and write down what you saw.',
  files: [{ path: 'visits.txt', bytes: 900 }],
}

/** An environment for the run, with a clock that is moved by what it is told. */
export function anEnvironment(
  limits: Partial<Limits> = {},
  executor: Model = createScriptedModel(['the answer'], { contextWindow: 32_000 }),
): Environment {
  return createEnvironment({ model: executor, limits, clock: createVirtualClock() })
}

/** A model that composes, with a price. */
export function aComposer(script: readonly Script[], supports: Partial<Model['supports']> = {}): ScriptedModel {
  const price = { input: 1, cached: 0.1, output: 4, source: 'test', date: '2026-01-01' }
  const usage = {
    inputTokens: 1_000,
    cachedTokens: 500,
    outputTokens: 200,
    reasoningTokens: 0,
    source: 'known',
  } as const
  return createScriptedModel(script, { id: 'composer', price, usage, supports })
}

/** Composes with a model. */
export async function composedBy(model: Model, options: Partial<ComposeOptions> = {}): Promise<Composition> {
  return await compose(task, { env: anEnvironment(), catalog: seeds, metaModel: model, ...options })
}
