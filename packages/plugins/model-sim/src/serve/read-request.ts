import type { Choice, JsonSchema, ModelRequest, Tool } from '@harnesswright/core'
import { readFunction, readMessages } from './read-messages.js'
import { badRequest } from './refusal.js'
import { objectOf, objectsOf, optional, type Place, pathOf, required, wholeNumber } from './wire-fields.js'

/** How a reply is to be sent. */
export interface Sending {
  readonly isStream: boolean
  readonly includesUsage: boolean
}

/**
 * The request of a body, as it would be in process. What a simulated model has no use for is left out.
 *
 * @throws Refusal that names the field which is not as the interface has it.
 */
export function readRequest(body: Place): ModelRequest {
  if ((wholeNumber(body, 'n', 1) ?? 1) > 1) throw badRequest('n must be 1: a simulated model gives one choice.', 'n')
  return {
    purpose: readPurpose(body),
    messages: readMessages(body),
    ...defined({
      tools: objectsOf(body, 'tools')?.map(readTool),
      choice: readChoice(body),
      parallelToolCalls: optional(body, 'parallel_tool_calls', 'boolean'),
      schema: readSchema(body),
      stop: readStop(body),
      maxTokens: wholeNumber(body, 'max_completion_tokens', 1) ?? wholeNumber(body, 'max_tokens', 1),
      temperature: optional(body, 'temperature', 'number'),
      seed: wholeNumber(body, 'seed', Number.MIN_SAFE_INTEGER),
      session: optional(body, 'prompt_cache_key', 'string'),
    }),
  }
}

/** How the reply to a body is to be sent. @throws Refusal when a field is wrong. */
export function readSending(body: Place): Sending {
  const isStream = optional(body, 'stream', 'boolean') === true
  const options = optional(body, 'stream_options', 'object')
  if (options === undefined) return { isStream, includesUsage: false }
  if (!isStream) throw badRequest('stream_options is taken together with stream only.', 'stream_options')
  const includesUsage = optional({ path: 'stream_options', fields: options }, 'include_usage', 'boolean') === true
  return { isStream, includesUsage }
}

function readPurpose(body: Place): string {
  const metadata = optional(body, 'metadata', 'object') ?? {}
  return optional({ path: 'metadata', fields: metadata }, 'purpose', 'string') ?? 'act'
}

function readTool(place: Place): Tool {
  const described = readFunction(place)
  const name = required(described, 'name', 'string')
  return {
    name,
    description: optional(described, 'description', 'string') ?? '',
    parameters: optional(described, 'parameters', 'object') ?? { type: 'object', properties: {} },
    execute: () => {
      throw new Error(`The tool ${name} is the client's: it is called there.`)
    },
  }
}

function readChoice(body: Place): Choice | undefined {
  const choice = body.fields['tool_choice'] ?? undefined
  if (choice === undefined || choice === 'auto' || choice === 'none' || choice === 'required') return choice
  if (typeof choice === 'string')
    throw badRequest('tool_choice must be auto, none, required or a function.', 'tool_choice')
  return { tool: required(readFunction(objectOf(body, 'tool_choice')), 'name', 'string') }
}

/** The schema of the reply. Its name becomes its title, by which the form of the reply is chosen. */
function readSchema(body: Place): JsonSchema | undefined {
  if (optional(body, 'response_format', 'object') === undefined) return undefined
  const format = objectOf(body, 'response_format')
  const type = required(format, 'type', 'string')
  if (type === 'text') return undefined
  const path = pathOf(format, 'type')
  if (type !== 'json_schema') throw badRequest(`${path} must be text or json_schema.`, path)
  const named = objectOf(format, 'json_schema')
  return { ...optional(named, 'schema', 'object'), title: required(named, 'name', 'string') }
}

function readStop(body: Place): readonly string[] | undefined {
  const { stop = null } = body.fields
  if (stop === null) return undefined
  const texts: readonly unknown[] = Array.isArray(stop) ? stop : [stop]
  if (texts.every((text) => typeof text === 'string')) return texts
  throw badRequest('stop must be a string or a list of strings.', 'stop')
}

type Defined<Fields> = { readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** The fields that have a value. */
function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>
}
