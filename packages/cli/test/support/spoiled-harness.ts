import type { Json, Model, ModelResponse, ToolCall } from '@harnesswright/core'
import type { FaultOutcome, FaultSetup, FaultSubject, FaultTool } from '@harnesswright/core/testkit'
import { createOpenAiModel, type OpenAiModelOptions } from '@harnesswright/plugin-model-openai'
import { builtInHarness } from '../../src/conformance/built-in.js'
import { harnessSubject } from '../../src/conformance/harness-subject.js'
import { readCatalog } from '../../src/packages/read-catalog.js'

/** A body, or a part of one. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are spoiled
export type AnyBody = any

/** What is done to the built-in harness, so that it lacks one thing that it has. */
export interface Spoil {
  /** Changes what is sent, just before it is. */
  readonly sends?: (body: AnyBody) => void
  /** Changes what the endpoint answers. */
  readonly hears?: (response: Response) => Promise<Response>
  /** Changes what the model says. */
  readonly says?: (response: ModelResponse) => ModelResponse
  /** Changes how the model answers. */
  readonly model?: (model: Model) => Model
  readonly modelOptions?: Partial<OpenAiModelOptions>
  readonly tool?: (tool: FaultTool) => FaultTool
  readonly setup?: (setup: FaultSetup) => FaultSetup
  readonly outcome?: (outcome: FaultOutcome) => FaultOutcome
  /** Runs in place of the harness. */
  readonly instead?: (run: () => Promise<FaultOutcome>) => Promise<FaultOutcome>
}

const catalog = readCatalog()

/** The built-in harness, spoiled. */
export function spoiledHarness(spoil: Spoil): FaultSubject {
  const { model = (one) => one, modelOptions = {} } = spoil
  const subject = harnessSubject({
    ...builtInHarness(catalog),
    makeModel: (options) =>
      model(saying(createOpenAiModel({ ...options, ...modelOptions, ...fetchOf(spoil) }), spoil.says)),
  })
  return async (given) => {
    const setup = spoil.setup?.(given) ?? given
    const tools = setup.tools.map((tool) => spoil.tool?.(tool) ?? tool)
    const run = (): Promise<FaultOutcome> => subject({ ...setup, tools })
    const outcome = await (spoil.instead?.(run) ?? run())
    return spoil.outcome?.(outcome) ?? outcome
  }
}

function saying(model: Model, says: Spoil['says']): Model {
  if (says === undefined) return model
  return { ...model, generate: async (...asked) => says(await model.generate(...asked)) }
}

function fetchOf({ sends, hears }: Spoil): Pick<OpenAiModelOptions, 'fetch'> {
  if (sends === undefined && hears === undefined) return {}
  return {
    fetch: async (address, init) => {
      const body = JSON.parse(String(init.body))
      sends?.(body)
      const headers = new Headers(init.headers)
      headers.delete('content-length')
      const response = await fetch(address, { ...init, headers, body: JSON.stringify(body) })
      return (await hears?.(response)) ?? response
    },
  }
}

/** Changes every message of a role in a request. */
export function inMessages(role: string, change: (message: AnyBody) => void): NonNullable<Spoil['sends']> {
  return ({ messages }) => {
    for (const message of messages) if (message.role === role) change(message)
  }
}

/** Changes the arguments of every call that the model makes. */
export function withArguments(change: (text: string) => string): NonNullable<Spoil['says']> {
  return withCalls((calls) => calls.map((call) => ({ ...call, arguments: change(call.arguments) })))
}

/** Changes the calls that the model makes. */
export function withCalls(
  change: (calls: readonly ToolCall[], response: ModelResponse) => readonly ToolCall[],
): NonNullable<Spoil['says']> {
  return (response) => {
    const { toolCalls = [], ...rest } = response
    const calls = change(toolCalls, response)
    return calls.length === 0 ? { ...rest, finish: 'stop' } : { ...rest, toolCalls: calls, finish: 'tool_calls' }
  }
}

/** Changes what a tool does. */
export function withTool(
  change: (work: () => Promise<string>, args: { readonly [name: string]: Json }) => Promise<string>,
): NonNullable<Spoil['tool']> {
  return (tool) => ({ ...tool, execute: (args, options) => change(() => tool.execute(args, options), args) })
}
