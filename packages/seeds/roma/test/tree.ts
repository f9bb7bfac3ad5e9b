import {
  createEnvironment,
  type Environment,
  type Json,
  type ModelRequest,
  type RunResult,
  type Task,
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
import { action } from '@harnesswright/seed-roma'

/** A tool that reads a page. */
export const read: Tool = {
  name: 'read',
  description: 'Reads a page.',
  parameters: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] },
  readOnly: true,
  execute: ({ page }: { page: number }) => `page ${page} says ${page * 7}`,
}

/** The first task. */
export const TASK = 'Sum up the pages.'

/** What is said of one task: to act on it, to atomise it, to plan and to aggregate it. What is left out: atomic, and "done". */
export interface Part {
  readonly act?: readonly Script[]
  readonly atomise?: Script
  readonly plan?: readonly Script[]
  readonly aggregate?: Script
}

/** A reply of the planner. */
export function subtasks(goals: readonly string[], dependencies: { readonly [id: string]: Json } = {}): string {
  return JSON.stringify({ subtasks: goals.map((goal, index) => ({ goal, index: index + 1 })), dependencies })
}

/** A part whose task is divided so. */
export function divided(plan: Script, aggregate: Script = '{"answer":"all of it"}'): Part {
  return { atomise: '{"is_atomic":false}', plan: [plan], aggregate }
}

/** A model that plays a part for each task, by words with which the task begins. */
export function playing(parts: Readonly<Record<string, Part>>): ScriptedModel {
  return createScriptedModel([
    (request) => {
      const task = taskOf(request)
      const part = Object.entries(parts).find(([words]) => task.startsWith(words))?.[1] ?? {}
      const { atomise = '{"is_atomic":true}', plan = [], aggregate = '{"answer":"done"}', act = ['done'] } = part
      if (request.purpose === 'atomise') return atomise
      if (request.purpose === 'aggregate') return aggregate
      if (request.purpose === 'plan') {
        const circles = String(request.messages.at(-1)?.content).includes('in a circle') ? 1 : 0
        return plan[circles] ?? (plan.at(-1) as Script)
      }
      return act[request.messages.filter(({ role }) => role === 'assistant').length] ?? (act.at(-1) as Script)
    },
  ])
}

/** A run of the seed. */
export interface Setup {
  readonly parts: Readonly<Record<string, Part>>
  readonly task?: Task
  readonly options?: { readonly [name: string]: Json }
  readonly env?: Partial<Environment>
  readonly limits?: object
}

/** What came of it. */
export interface Outcome {
  readonly result: RunResult
  readonly model: ScriptedModel
  /** Requests about the task that begins with these words, in order. */
  requestsOf(words: string): readonly ModelRequest[]
}

/** Runs the seed on a task. */
export async function run({ parts, task = { instruction: TASK }, options, env, limits = {} }: Setup): Promise<Outcome> {
  const model = playing(parts)
  const harness = await assembled(model, options, env)
  const result = await harness.run(task, { seed: 3, limits }).result
  return { result, model, requestsOf: (words) => model.requests.filter((one) => taskOf(one).startsWith(words)) }
}

/** The seed on a model. */
export async function assembled(model: ScriptedModel, options?: Setup['options'], env: Partial<Environment> = {}) {
  const { model: _model, models: _models, limits: _limits, ...rest } = env
  const environment = createEnvironment({
    tools: [read],
    clock: createVirtualClock(),
    strict: true,
    newId: () => 'run',
    ...rest,
    model,
  })
  const set = options === undefined ? {} : { options: new Map([[action, options]]) }
  return await assembleModules({ memory, capability, action, ...set }, environment)
}

/** The first user message: the task, and what is handed over with it. */
export function taskOf({ messages }: ModelRequest): string {
  return String(messages.find(({ role }) => role === 'user')?.content)
}
