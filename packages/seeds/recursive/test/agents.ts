import {
  createEnvironment,
  type Environment,
  type Json,
  type ModelRequest,
  type RunResult,
  type Tool,
} from '@harnesswright/core'
import {
  assembleModules,
  createScriptedModel,
  createVirtualClock,
  type Script,
  type ScriptedModel,
} from '@harnesswright/core/testkit'
import { capability, memory } from '@harnesswright/seed-react'
import { action, planning } from '@harnesswright/seed-recursive'

/** A tool that reads a page. */
export const read: Tool = {
  name: 'read',
  description: 'Reads a page.',
  parameters: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] },
  readOnly: true,
  execute: ({ page }: { page: number }) => `page ${page} says ${page * 7}`,
}

/** What one agent says at each of its requests. */
type Part = readonly Script[]

/** What each agent says, by words of the instruction that it was given. */
export type Parts = Readonly<Record<string, Part>>

/** A run of the seed. */
export interface Setup {
  readonly parts: Parts
  readonly options?: { readonly [name: string]: Json }
  readonly env?: Partial<Environment>
  readonly limits?: Environment['limits'] | object
}

/** What came of it. */
export interface Outcome {
  readonly result: RunResult
  readonly model: ScriptedModel
  /** Requests of the agent whose instruction holds these words, in order. */
  requestsOf(words: string): readonly ModelRequest[]
}

/** Runs the task "Sum up the pages." */
export async function run({ parts, options = {}, env = {}, limits = {} }: Setup): Promise<Outcome> {
  const model = playing(parts)
  const { harness } = await assembled(model, options, { ...env, limits } as Partial<Environment>)
  const result = await harness.run(TASK, { seed: 3 }).result
  return { result, model, requestsOf: (words) => model.requests.filter((request) => taskOf(request).includes(words)) }
}

/** The task of the root. */
export const TASK = 'Sum up the pages.'

/** The seed on a model. */
export async function assembled(model: ScriptedModel, options: Setup['options'], env: Partial<Environment> = {}) {
  const { model: _model, models: _models, ...rest } = env
  const environment = createEnvironment({
    tools: [read],
    clock: createVirtualClock(),
    strict: true,
    newId: () => 'run',
    ...rest,
    model: [model, { ...model, id: 'large' }],
  })
  const set = options === undefined ? {} : { options: new Map([[action, options]]) }
  const modules = { memory, planning, capability, action, ...set }
  return { harness: await assembleModules(modules, environment) }
}

/** A model that plays a part for each agent: which, is told by the instruction; how far, by what the request shows. */
export function playing(parts: Parts): ScriptedModel {
  return createScriptedModel([
    (request) => {
      const task = taskOf(request)
      const part = Object.entries(parts).find(([words]) => task.startsWith(words))?.[1] ?? parts['*']
      const said = request.messages.filter(({ role }) => role === 'assistant').length
      const line = part?.[said] ?? part?.at(-1)
      if (line === undefined) throw new Error(`nobody plays "${task}"`)
      return line
    },
  ])
}

/** The first user message: the task, and what is handed over with it. */
export function taskOf({ messages }: ModelRequest): string {
  return String(messages.find(({ role }) => role === 'user')?.content)
}

/** One delegation. */
export function delegate(instruction: string, more: { readonly [name: string]: Json } = {}) {
  return { call: 'delegate', with: { instruction, ...more } }
}

/** Names of the tools on offer in a request. */
export function offered({ tools = [] }: ModelRequest): readonly string[] {
  return tools.map(({ name }) => name)
}
