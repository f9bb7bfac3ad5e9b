import type { Json, ModelRequest, RunResult, Tool } from '@harnesswright/protocol'
import { createEnvironment } from '../../environment/create-environment.js'
import type { Environment } from '../../environment/environment.js'
import type { Module } from '../../module/module.js'
import { assembleModules, type ModulesUnderTest } from '../assemble-modules.js'
import { createScriptedModel, type Script, type ScriptedModel } from '../scripted-model.js'
import { createVirtualClock } from '../virtual-clock.js'
import { sampleOf } from './sample.js'

/** Steps of a trial in which the model calls tools, before it answers. */
const TRIAL_STEPS = 10

/** What the module under test is and how it is set up. */
export interface Subject {
  readonly module: Module
  /** Options other than the defaults. */
  readonly options?: { readonly [option: string]: Json }
}

/** How one trial differs from the usual. */
export interface TrialOptions {
  readonly modules?: ModulesUnderTest
  /** What the model says when it is asked to act, in order. Default: ten calls, one a step, then an answer. */
  readonly script?: readonly Script[]
  /** What the model says when it is asked for anything else. Default: the smallest JSON of the schema, or a sentence. */
  readonly other?: Script
  readonly steps?: number
  readonly strict?: boolean
}

/** A run of the module, with everything the model was asked. */
export interface Trial {
  readonly result: RunResult
  readonly requests: readonly ModelRequest[]
  readonly env: Environment
}

/** Tools of a trial: two that read, one that writes. Their results are long enough to fill the small window. */
export const TRIAL_TOOLS: readonly Tool[] = ['look', 'find', 'put'].map((name) => ({
  name,
  description: `To ${name} at a page.`,
  parameters: {
    type: 'object',
    properties: { page: { type: 'integer', minimum: 0, description: 'Number of the page.' } },
    required: ['page'],
    additionalProperties: false,
  },
  readOnly: name !== 'put',
  execute: ({ page }: { page: number }) => `Page ${page}: ${`line of page ${page}. `.repeat(60)}`,
}))

/** Runs the module under test among the smallest other modules, on a scripted model with a small window. */
export async function runTrial(subject: Subject, options: TrialOptions = {}): Promise<Trial> {
  const model = trialModel(options)
  const env = createEnvironment({
    model,
    tools: TRIAL_TOOLS,
    clock: createVirtualClock(),
    strict: options.strict ?? true,
    newId: () => 'trial',
  })
  const harness = await assembleModules(withSubject(subject, options.modules ?? {}), env)
  const limits = options.steps === undefined ? {} : { limits: { steps: options.steps } }
  const { result } = harness.run('Look at every page and say what is on the last.', { seed: 7, ...limits })
  return { result: await result, requests: model.requests, env }
}

function trialModel({ script, other }: TrialOptions): ScriptedModel {
  const act = script ?? [...Array.from({ length: TRIAL_STEPS }, (_, step) => lookAt(step + 1)), 'The last page is 10.']
  let acts = 0
  const say = (request: ModelRequest): Script => {
    if (request.purpose === 'act') return act[Math.min(acts++, act.length - 1)] as Script
    if (other !== undefined) return other
    return request.schema === undefined
      ? 'Pages were looked at, one after another.'
      : JSON.stringify(sampleOf(request.schema))
  }
  return createScriptedModel([], { after: say, contextWindow: 6_000, maxOutputTokens: 500 })
}

/** The call with which a trial looks at a page. */
export function lookAt(page: number): Script {
  return {
    call: page % 3 === 0 ? 'put' : page % 2 === 0 ? 'find' : 'look',
    with: { page },
    say: `I look at page ${page}.`,
  }
}

function withSubject({ module, options }: Subject, modules: ModulesUnderTest): ModulesUnderTest {
  const own = options === undefined ? {} : { options: new Map([[module, options]]) }
  if (module.slot === 'plugin') return { ...modules, plugins: [module, ...(modules.plugins ?? [])], ...own }
  return { ...modules, [module.slot]: modules[module.slot] ?? module, ...own }
}
