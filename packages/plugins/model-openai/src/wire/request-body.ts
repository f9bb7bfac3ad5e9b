import type { Choice, JsonSchema, ModelRequest } from '@harnesswright/core'
import type { Preset, StructuredDialect } from '../preset.js'
import { type MessageDialect, wireMessages } from './messages.js'
import { strictSchema } from './schema-dialect.js'
import { mapToolNames, type ToolNames } from './tool-names.js'

/** What a request becomes. */
export interface WireRequest {
  readonly body: { readonly [field: string]: unknown }
  readonly names: ToolNames
  /** The reply is in the strict dialect: nulls stand for properties that were left out. */
  readonly isStrict: boolean
}

/** What of the body is not in the request. */
export interface BodyOptions {
  readonly model: string
  readonly preset: Preset
  readonly messages: MessageDialect
  readonly stream: boolean
  /** Further fields of the body, under those of the request. */
  readonly extra: { readonly [field: string]: unknown }
}

/** A canonical request in the dialect of an endpoint. */
export function wireRequest(request: ModelRequest, options: BodyOptions): WireRequest {
  const { preset } = options
  const names = mapToolNames(namesOf(request))
  const structured = structuredFields(request, preset.structured ?? { form: 'json_schema' })
  const messages = wireMessages(request.messages, options.messages, names)
  const body = {
    ...options.extra,
    model: options.model,
    messages: structured.told === undefined ? messages : [...messages, { role: 'user', content: structured.told }],
    ...toolFields(request, preset, names),
    ...(structured.format === undefined ? {} : { response_format: structured.format }),
    ...samplingFields(request, preset),
    ...(options.stream ? { stream: true } : {}),
    ...(options.stream && preset.streamUsage !== false ? { stream_options: { include_usage: true } } : {}),
    ...(preset.cacheKey === true && request.session !== undefined ? { prompt_cache_key: request.session } : {}),
    ...(preset.purpose === true ? { metadata: { purpose: request.purpose } } : {}),
  }
  return { body, names, isStrict: structured.isStrict }
}

function namesOf({ tools = [], messages, choice }: ModelRequest): readonly string[] {
  const made = messages.flatMap((message) => message.toolCalls?.map((call) => call.name) ?? [])
  return [...tools.map((tool) => tool.name), ...made, ...(typeof choice === 'object' ? [choice.tool] : [])]
}

function toolFields(request: ModelRequest, preset: Preset, names: ToolNames): object {
  const { tools = [], choice, parallelToolCalls } = request
  if (tools.length === 0) return {}
  const isAutoOnly = preset.toolChoice === 'auto'
  if (choice === 'none' && isAutoOnly) return {} // without tools nothing can be called
  return {
    tools: tools.map(({ name, description, parameters }) => {
      return { type: 'function', function: { name: names.toWire(name), description, parameters } }
    }),
    ...(choice === undefined || isAutoOnly ? {} : { tool_choice: wireChoice(choice, names) }),
    ...(parallelToolCalls === undefined || preset.parallelToolCalls !== true
      ? {}
      : { parallel_tool_calls: parallelToolCalls }),
  }
}

function wireChoice(choice: Choice, names: ToolNames): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: names.toWire(choice.tool) } }
}

function samplingFields(request: ModelRequest, preset: Preset): object {
  const { stop = [], maxTokens, temperature, seed } = request
  return {
    ...(stop.length === 0 ? {} : { stop }),
    ...(maxTokens === undefined ? {} : { [preset.maxTokensField ?? 'max_tokens']: maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined || preset.seed === false ? {} : { seed }),
  }
}

interface Structured {
  readonly format?: object
  /** The schema in words, where the endpoint takes no schema. */
  readonly told?: string
  readonly isStrict: boolean
}

function structuredFields({ schema, tools = [] }: ModelRequest, dialect: StructuredDialect): Structured {
  if (schema === undefined) return { isStrict: false }
  const isTold = tools.length > 0 && dialect.withTools === false
  if (isTold || dialect.form === 'text') return { told: toldSchema(schema, tools.length > 0), isStrict: false }
  if (dialect.form === 'json_object')
    return { format: { type: 'json_object' }, told: toldSchema(schema, tools.length > 0), isStrict: false }
  const strict = dialect.strict === true ? strictSchema(schema) : undefined
  return {
    format: {
      type: 'json_schema',
      json_schema: { name: schemaName(schema), schema: strict ?? schema, strict: strict !== undefined },
    },
    isStrict: strict !== undefined,
  }
}

function toldSchema(schema: JsonSchema, hasTools: boolean): string {
  const start = hasTools ? 'When you need no tool any more, reply' : 'Reply'
  return `${start} with one JSON object of this JSON Schema and nothing else:\n${JSON.stringify(schema)}`
}

function schemaName({ title }: JsonSchema): string {
  const name = typeof title === 'string' ? title.replace(/[^a-zA-Z0-9_-]+/gu, '_').slice(0, 64) : ''
  return name === '' ? 'answer' : name
}
