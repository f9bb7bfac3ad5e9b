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
import { action } from '@harnesswright/seed-aggagent'
import { capability, memory } from '@harnesswright/seed-react'

/** A tool that reads a page. */
export const read: Tool = {
  name: 'read',
  description: 'Reads a page.',
  parameters: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] },
  readOnly: true,
  idempotent: true,
  execute: ({ page }: { page: number }) => `The number of page ${page} is ${page * 7}.`,
}

/** The task. */
export const TASK = 'Sum up the pages.'

/** What each rollout says, in order, and what the aggregator says. */
export interface Lines {
  /** One list a rollout. */
  readonly rollouts: readonly (readonly Script[])[]
  readonly judge: readonly Script[]
}

/** A model that plays all parts: which, is told by the session and the purpose; how far, by what the request shows. */
export function playing({ rollouts, judge }: Lines, contextWindow = 100_000): ScriptedModel {
  const told = (request: ModelRequest): number =>
    request.messages.filter(({ role, toolCalls }) => role === 'assistant' && toolCalls?.[0]?.id !== FIRST_LOOK).length
  const line = (lines: readonly Script[], at: number): Script => lines[at] ?? (lines.at(-1) as Script)
  return createScriptedModel(
    [
      (request) => {
        const rollout = rolloutOf(request)
        return rollout === undefined
          ? line(judge, told(request))
          : line(rollouts[rollout - 1] ?? ['none'], told(request))
      },
    ],
    { contextWindow },
  )
}

/** The id of the call with which the answers are shown before the aggregator says anything. */
const FIRST_LOOK = 'c2_1'

/** Which rollout makes a request; undefined for the aggregator. */
export function rolloutOf({ session = '' }: ModelRequest): number | undefined {
  const number = /rollout-(\d+)$/.exec(session)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** A run of the seed. */
export interface Setup extends Partial<Lines> {
  readonly task?: Task
  readonly options?: { readonly [name: string]: Json }
  readonly env?: Partial<Environment>
  readonly limits?: object
  readonly contextWindow?: number
}

/** What came of it. */
export interface Outcome {
  readonly result: RunResult
  /** Requests of the aggregator. */
  readonly judged: readonly ModelRequest[]
  readonly model: ScriptedModel
  /** What the tools of the aggregator told it, in order, the first look included. */
  readonly told: readonly string[]
}

/** Two rollouts that read a page each and say 7 and 8. */
export const TWO: Lines['rollouts'] = [
  [{ call: 'read', with: { page: 1 }, say: 'I read page 1.' }, 'The sum is 7.'],
  [{ call: 'read', with: { page: 1 }, say: 'I look at page 1.' }, 'The sum is 8.'],
]

/** The call that ends the run. */
export function finish(answer: string, rollout = 1): Script {
  return { call: 'finish', with: { explanation: 'It was seen.', answer, rollout } }
}

/** Runs the seed with two rollouts, unless the options say otherwise. */
export async function run(setup: Setup = {}): Promise<Outcome> {
  const { rollouts = TWO, judge = [finish('The sum is 7.')], task = { instruction: TASK } } = setup
  const model = playing({ rollouts, judge }, setup.contextWindow)
  const harness = await assembled(model, setup.options, setup.env)
  const result = await harness.run(task, { seed: 3, limits: { steps: 40, ...setup.limits } }).result
  const told = result.steps.flatMap(({ observations }) => observations.filter(({ tool }) => tool !== undefined))
  return {
    result,
    model,
    judged: model.requests.filter((request) => rolloutOf(request) === undefined),
    told: told.map(({ content }) => content),
  }
}

/** The seed on a model. */
export async function assembled(model: ScriptedModel, options: Setup['options'] = {}, env: Partial<Environment> = {}) {
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
  const set = new Map([[action, { rollouts: 2, ...options }]])
  return await assembleModules({ memory, capability, action, options: set }, environment)
}
