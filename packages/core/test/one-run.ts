import {
  createEnvironment,
  defineModule,
  type EnvironmentOptions,
  type Harness,
  type HarnessEvent,
  type Module,
  type ModuleSpec,
  type RunOptions,
  type RunResult,
  type Task,
  type Tool,
} from '../src/index.js'
import {
  assembleModules,
  createScriptedModel,
  createVirtualClock,
  type ModulesUnderTest,
  type Script,
  type ScriptedModel,
} from '../src/testkit/index.js'

/** What a run of a test is made of. What is left out is the smallest there is. */
export interface OneRun extends RunOptions {
  readonly modules?: ModulesUnderTest
  readonly script?: readonly Script[] | Readonly<Record<string, readonly Script[]>>
  readonly model?: ScriptedModel
  readonly tools?: readonly Tool[]
  readonly env?: Partial<EnvironmentOptions>
  readonly task?: Task | string
}

/** A run that has ended, with all that was seen of it. */
export interface Ran {
  readonly result: RunResult
  readonly events: readonly HarnessEvent[]
  readonly requests: ScriptedModel['requests']
}

/** A harness on a scripted model and a virtual clock, in strict mode unless `env` says otherwise. */
export async function aHarness(one: OneRun): Promise<{ readonly harness: Harness; readonly model: ScriptedModel }> {
  const model = one.model ?? createScriptedModel(one.script ?? ['done'])
  const env = createEnvironment({
    model,
    tools: one.tools ?? [],
    clock: createVirtualClock(),
    strict: true,
    newId: () => 'run',
    ...one.env,
  })
  return { harness: await assembleModules(one.modules ?? {}, env), model }
}

/** Runs a task to its end, and reads every event. */
export async function runOnce(one: OneRun): Promise<Ran> {
  const { harness, model } = await aHarness(one)
  const run = harness.run(one.task ?? 'Do the task.', one)
  const events: HarnessEvent[] = []
  for await (const event of run) events.push(event)
  return { result: await run.result, events, requests: model.requests }
}

/** A tool that echoes its arguments as text. */
export function aTool(name: string, more: Partial<Tool> = {}): Tool {
  return {
    name,
    description: `The tool ${name}.`,
    parameters: { type: 'object' },
    execute: (args: object) => `${name} ${JSON.stringify(args)}`,
    ...more,
  }
}

/** A tool whose result is another at every call, so that nobody who calls it repeats himself. */
export function aCounter(name: string, more: Partial<Tool> = {}): Tool {
  let calls = 0
  return aTool(name, { execute: () => `${name} ${++calls}`, ...more })
}

/** A plugin of some verbs. */
export function aPlugin<
  Options = Record<string, never>,
  State extends object = Record<string, never>,
  const Prompts extends Readonly<Record<string, string>> = Record<never, never>,
>(verbs: Omit<ModuleSpec<Options, State, Prompts>, 'slot' | 'summary'>): Module {
  return defineModule<Options, State, Prompts>({ slot: 'plugin', summary: 'A plugin of a test.', ...verbs })
}
