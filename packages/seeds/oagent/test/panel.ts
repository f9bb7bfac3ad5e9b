import {
  assemble,
  createEnvironment,
  type Environment,
  type Json,
  type Manifest,
  type ModelRequest,
  type Module,
  type RunResult,
  type Task,
  type Tool,
} from '@harnesswright/core'
import { createScriptedModel, createVirtualClock, type Script, type ScriptedModel } from '@harnesswright/core/testkit'
import { createCatalog, definePackage } from '@harnesswright/plugin-manifest'
import * as oagent from '@harnesswright/seed-oagent'
import * as planAndExecute from '@harnesswright/seed-plan-and-execute'
import * as react from '@harnesswright/seed-react'
import manifest from '../manifest.json' with { type: 'json' }

/** A tool that reads a page. */
export const read: Tool = {
  name: 'read',
  description: 'Reads a page.',
  parameters: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] },
  readOnly: true,
  idempotent: true,
  execute: ({ page }: { page: number }) => `The number of page ${page} is ${page * 7}.`,
}

const catalog = createCatalog(
  Object.entries({ oagent, 'plan-and-execute': planAndExecute, react }).map(([seed, modules]) =>
    definePackage({
      name: `@harnesswright/seed-${seed}`,
      version: '0.1.0',
      modules: { ...modules } as unknown as Record<string, Module>,
    }),
  ),
)

export const TASK = 'Sum up the pages.'
export const look: Script = { call: 'read', with: { page: 1 }, say: 'I look at page 1.' }

/** Three experts that look at a page and do not agree. */
export const THREE: readonly (readonly Script[])[] = [7, 8, 9].map((sum) => [look, `The sum is ${sum}.`])

/** What a critic says. */
export function selects(expert: number | string, answer = ''): string {
  return JSON.stringify({ scores: [{ expert: 1, compliance: 3 }], selected_expert: expert, answer })
}

/** Which expert makes a request; undefined for the critic. */
export function expertOf({ session = '' }: ModelRequest): number | undefined {
  const number = /expert-(\d+)$/.exec(session)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** A model that plays all parts: which, is told by the session and the purpose; how far, by what the request shows. */
export function playing(experts: readonly (readonly Script[])[], critic: Script): ScriptedModel {
  return createScriptedModel([], {
    contextWindow: 100_000,
    after: (request) => {
      const { purpose, messages } = request
      if (purpose === 'plan') return JSON.stringify({ goals: [{ id: '1', text: 'look at page 1' }] })
      const number = expertOf(request)
      if (number === undefined) return critic
      const lines = experts[number - 1] ?? []
      return lines[messages.filter(({ role }) => role === 'assistant').length] ?? lines.at(-1) ?? 'none'
    },
  })
}

/** A run of the seed. */
export interface Setup {
  readonly experts?: readonly (readonly Script[])[]
  readonly critic?: Script
  readonly options?: { readonly [name: string]: Json }
  readonly change?: Partial<Manifest>
  readonly task?: Task
  readonly env?: Partial<Environment>
  readonly limits?: object
}

/** What came of it. */
export interface Outcome {
  readonly result: RunResult
  readonly model: ScriptedModel
  /** Requests of the critic. */
  readonly judged: readonly ModelRequest[]
  readonly requestsOf: (expert: number) => readonly ModelRequest[]
}

export async function run(setup: Setup = {}): Promise<Outcome> {
  const { experts = THREE, critic = selects(2), task = { instruction: TASK } } = setup
  const model = playing(experts, critic)
  const harness = await assembled(model, setup)
  const result = await harness.run(task, { seed: 3, limits: { steps: 40, ...setup.limits } }).result
  return {
    result,
    model,
    judged: model.requests.filter((request) => expertOf(request) === undefined),
    requestsOf: (number) => model.requests.filter((request) => expertOf(request) === number),
  }
}

/** The seed on a model. */
export async function assembled(model: ScriptedModel, { options = {}, env = {}, change = {} }: Setup = {}) {
  const { model: _model, models: _models, limits: _limits, ...rest } = env
  const environment = createEnvironment({
    tools: [read],
    clock: createVirtualClock(),
    strict: true,
    newId: () => 'run',
    ...rest,
    limits: { steps: 200 },
    model,
  })
  const seed = manifest as unknown as Manifest
  const changed = { ...seed, action: { ...seed.action, with: options }, ...change } as Manifest
  return await assemble(changed, { catalog, env: environment })
}
