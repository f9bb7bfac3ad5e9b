import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import {
  assemble,
  createEnvironment,
  type EnvironmentOptions,
  type Manifest,
  type ModelRequest,
  type RunResult,
  type Task,
  type Tool,
  type Use,
} from '@harnesswright/core'
import { createScriptedModel, createVirtualClock, type Script } from '@harnesswright/core/testkit'
import * as capabilities from '@harnesswright/plugin-capabilities'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import * as planAndExecute from '@harnesswright/seed-plan-and-execute'
import * as react from '@harnesswright/seed-react'

const NAME = '@harnesswright/plugin-capabilities'
const { resolve } = createRequire(import.meta.url)

/** What a manifest of these tests may name. */
export const catalog = createCatalog([
  definePackage({ name: NAME, version: '0.1.0', modules: { ...capabilities } }),
  definePackage({ name: '@harnesswright/seed-react', version: '0.1.0', modules: { ...react } }),
  definePackage({ name: '@harnesswright/seed-plan-and-execute', version: '0.1.0', modules: { ...planAndExecute } }),
])

/** A module of this package, as a manifest names it. */
export function use(module: keyof typeof capabilities, options: Use['with'] = {}): Use {
  return { use: `${NAME}#${module}`, with: options }
}

/** The manifest that a seed ships, with other capabilities. */
export function seedWith(seed: 'react' | 'plan-and-execute', capability: Use | readonly Use[]): Manifest {
  const manifest = JSON.parse(readFileSync(resolve(`@harnesswright/seed-${seed}/manifest.json`), 'utf8')) as Manifest
  return { ...manifest, packages: { ...manifest.packages, [NAME]: '*' }, capability }
}

/** A tool that takes a text and says that it was used. */
export function aTool(name: string, description = `Does ${name}.`, more: Partial<Tool> = {}): Tool {
  return {
    name,
    description,
    parameters: { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: false },
    readOnly: true,
    idempotent: true,
    execute: () => `${name} was used`,
    ...more,
  }
}

/** A run, and what the model was sent. */
export interface Ran {
  readonly result: RunResult
  readonly requests: readonly ModelRequest[]
}

/** What a run is made of. */
export interface Setup {
  readonly manifest: Manifest
  readonly tools: readonly Tool[]
  /** What the model says, in order, or by purpose. */
  readonly script: readonly Script[] | Readonly<Record<string, readonly Script[]>>
  readonly task?: Task | string
  readonly env?: Partial<Omit<EnvironmentOptions, 'model' | 'tools'>>
}

/** Runs a manifest in strict mode on a scripted model. */
export async function runScript({ manifest, tools, script, task = 'Do it.', env = {} }: Setup): Promise<Ran> {
  const model = createScriptedModel(script)
  const environment = createEnvironment({ model, tools, clock: createVirtualClock(), strict: true, ...env })
  const harness = await assemble(manifest, { catalog, env: environment })
  return { result: await harness.run(task).result, requests: model.requests }
}

/** Names of the tools that a request offers. */
export function offered(request: ModelRequest | undefined): readonly string[] {
  return (request?.tools ?? []).map(({ name }) => name)
}

/** The requests in which the model is to act. */
export function acts({ requests }: Ran): readonly ModelRequest[] {
  return requests.filter(({ purpose }) => purpose === 'act')
}

/** What came of the calls of a step, as texts. */
export function observations({ result }: Ran, step: number): readonly string[] {
  return (result.steps[step - 1]?.observations ?? []).map(({ content }) => content)
}
