import {
  createEnvironment,
  type Environment,
  type Json,
  type ModelRequest,
  type Module,
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
import { action, capability, memory } from '@harnesswright/seed-deepagent'

/** A tool that reads a page; page 13 is not there. */
export const read: Tool = {
  name: 'read',
  description: 'Reads a page.',
  parameters: { type: 'object', properties: { page: { type: 'integer' } }, required: ['page'] },
  readOnly: true,
  idempotent: true,
  execute: ({ page }: { page: number }) => {
    if (page === 13) throw new Error('there is no such page')
    return `Case C-${page} on page ${page}. `.padEnd(400, 'words ')
  },
}

/** A tool that changes something. */
export const put: Tool = {
  name: 'put',
  description: 'Puts a thing into the cart.',
  parameters: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
  execute: ({ item }: { item: string }) => {
    if (item === 'anvil') throw new Error('it is too heavy')
    return `${item} is in the cart`
  },
}

export type Call = { readonly call: string; readonly with?: { readonly [name: string]: Json }; readonly say?: string }
export const page = (number: number): Call => ({ call: 'read', with: { page: number }, say: `I read page ${number}.` })
export const pages = (count: number): Script[] => Array.from({ length: count }, (_, at) => page(at + 1))
export const fold: Call = { call: 'fold_thought', say: 'Folding.' }
export const final = (answer: string): Call => ({ call: 'final_answer', with: { answer } })

/** What a model writes for the parts of a fold, told apart by the form that is asked for. */
export function thinking(words: string): (request: ModelRequest) => Script {
  return ({ schema }) => {
    const properties = Object.keys((schema?.['properties'] ?? {}) as object)
    if (properties.includes('key_events'))
      return JSON.stringify({ task_description: 'Read.', key_events: [`event ${words}`], current_progress: words })
    if (properties.includes('next_actions'))
      return JSON.stringify({ immediate_goal: `goal ${words}`, current_challenges: '', next_actions: [] })
    return JSON.stringify({ tools_used: [{ tool_name: `tool ${words}`, notes: 'x' }], derived_rules: [] })
  }
}

/** A run of the seed's modules. */
export interface Setup {
  /** What the model says, turn by turn; then it gives the answer. */
  readonly script: readonly Script[]
  readonly folds?: readonly Script[]
  readonly summaries?: readonly Script[]
  readonly action?: { readonly [name: string]: Json }
  readonly memory?: { readonly [name: string]: Json }
  readonly capability?: { readonly [name: string]: Json }
  readonly tools?: readonly Tool[]
  readonly memories?: readonly Module[]
  /** Capability modules before the one of the seed. */
  readonly before?: readonly Module[]
  readonly planning?: Module
  readonly task?: Task
  readonly limits?: object
  readonly windowTokens?: number
  readonly env?: Partial<Environment>
}

/** What came of it. */
export interface Ran {
  readonly result: RunResult
  readonly model: ScriptedModel
  /** Requests to act. */
  readonly acts: readonly ModelRequest[]
}

export async function run(setup: Setup): Promise<Ran> {
  const {
    script,
    folds = [thinking('one'), thinking('one'), thinking('one')],
    summaries = ['In short.'],
    windowTokens,
  } = setup
  const plan = JSON.stringify({ goals: [{ id: '1', text: 'read all pages', dependsOn: [], paths: [] }] })
  const model = createScriptedModel(
    {
      plan: [plan],
      review: [plan],
      fold: folds,
      summarise: summaries,
      act: [...script, final('done')],
      finish: ['forced'],
    },
    windowTokens === undefined ? {} : { contextWindow: windowTokens },
  )
  const { model: _model, models: _models, limits: _limits, ...env } = setup.env ?? {}
  const environment = createEnvironment({
    tools: setup.tools ?? [read, put],
    clock: createVirtualClock(),
    strict: true,
    newId: () => 'run',
    ...env,
    model,
  })
  const options = new Map([
    [action, setup.action ?? {}],
    [memory, setup.memory ?? {}],
    [capability, setup.capability ?? {}],
  ])
  const { planning, memories = [memory], before = [] } = setup
  const modules = {
    memory: memories,
    capability: [...before, capability],
    action,
    options,
    ...(planning && { planning }),
  }
  const harness = await assembleModules(modules, environment)
  const result = await harness.run(setup.task ?? { instruction: 'Read the pages.' }, { limits: setup.limits ?? {} })
    .result
  return { result, model, acts: model.requests.filter(({ purpose }) => purpose === 'act') }
}

export const contents = (request: ModelRequest | undefined): readonly string[] =>
  (request?.messages ?? []).map(({ content }) => String(content))
export const offered = (request: ModelRequest | undefined): readonly string[] =>
  (request?.tools ?? []).map(({ name }) => name)
export const observed = ({ result }: Ran, step: number) => result.steps[step - 1]?.observations ?? []
