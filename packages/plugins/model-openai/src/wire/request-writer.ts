import type { Choice, JsonObject, ModelRequest, Tool } from '@harnesswright/core'
import type { Preset } from '../preset.js'
import { MessageTexts } from './message-texts.js'
import type { MessageDialect } from './messages.js'
import { type Structured, structuredFields } from './structured.js'
import { fitsWire, mapToolNames, SAME_NAMES, type ToolNames } from './tool-names.js'
import { ToolTexts } from './tool-texts.js'

/** What a request becomes. */
export interface WireRequest {
  /** The body as JSON. */
  readonly body: string
  readonly names: ToolNames
  /** The reply is in the strict dialect: nulls stand for properties that were left out. */
  readonly isStrict: boolean
}

/** What of a body is not in the request. */
export interface WriterOptions {
  readonly model: string
  readonly preset: Preset
  readonly messages: MessageDialect
  /** Further fields of the body, under those of the request. */
  readonly extra: JsonObject
}

interface Texts {
  readonly messages: string
  readonly tools: string
  readonly names: ToolNames
}

/** What else decides about the fields of a body. */
interface Around {
  readonly sent: readonly Tool[]
  readonly names: ToolNames
  readonly format: object | undefined
  readonly isStream: boolean
}

const NO_TOOLS: readonly Tool[] = []
const FREE_FORM: Structured = { isStrict: false }

/** Writes the requests of one model in the dialect of its endpoint. */
export class RequestWriter {
  readonly #preset: Preset
  readonly #fixed: object
  readonly #tools = new ToolTexts()
  #messages: MessageTexts

  constructor({ model, preset, messages, extra }: WriterOptions) {
    const { messages: _, ...further } = extra
    this.#preset = preset
    this.#fixed = { ...further, model }
    this.#messages = new MessageTexts(messages)
  }

  /** Reasoning goes back in this field from now on. */
  sendReasoningIn(reasoningField: string): void {
    const { dialect } = this.#messages
    if (dialect.reasoningField !== reasoningField) this.#messages = new MessageTexts({ ...dialect, reasoningField })
  }

  write(request: ModelRequest, isStream: boolean): WireRequest {
    const { schema } = request
    const { structured } = this.#preset
    const shape =
      schema === undefined ? FREE_FORM : structuredFields(schema, request, structured ?? { form: 'json_schema' })
    const sent = sentTools(request, this.#preset)
    const { messages, tools, names } = this.#texts(request, sent)
    const told = shape.told === undefined ? '' : `,${JSON.stringify({ role: 'user', content: shape.told })}`
    const fields = JSON.stringify(this.#fields(request, { sent, names, format: shape.format, isStream }))
    const list = tools === '' ? '' : `,"tools":[${tools}]`
    return {
      body: `${fields.slice(0, -1)},"messages":[${messages}${told}]${list}}`,
      names,
      isStrict: shape.isStrict,
    }
  }

  #texts(request: ModelRequest, sent: readonly Tool[]): Texts {
    const { choice } = request
    const isChoicePlain = typeof choice !== 'object' || fitsWire(choice.tool)
    const tools = isChoicePlain ? this.#tools.plain(sent) : undefined
    const messages = tools === undefined ? undefined : this.#messages.plain(request.messages)
    if (tools !== undefined && messages !== undefined) return { messages, tools, names: SAME_NAMES }
    const names = mapToolNames(namesOf(request))
    return { messages: this.#messages.mapped(request.messages, names), tools: this.#tools.mapped(sent, names), names }
  }

  /** All fields but messages and tools. */
  #fields(request: ModelRequest, { sent, names, format, isStream }: Around): object {
    const preset = this.#preset
    const { choice, parallelToolCalls, stop, maxTokens, temperature, seed, session } = request
    const fields: { [field: string]: unknown } = { ...this.#fixed }
    if (sent.length > 0) {
      fields['tools'] = undefined // they stand beside the messages
      if (choice !== undefined && preset.toolChoice !== 'auto') fields['tool_choice'] = wireChoice(choice, names)
      if (parallelToolCalls !== undefined && preset.parallelToolCalls === true)
        fields['parallel_tool_calls'] = parallelToolCalls
    }
    if (format !== undefined) fields['response_format'] = format
    if (stop !== undefined && stop.length > 0) fields['stop'] = stop
    if (maxTokens !== undefined) fields[preset.maxTokensField ?? 'max_tokens'] = maxTokens
    if (temperature !== undefined) fields['temperature'] = temperature
    if (seed !== undefined && preset.seed !== false) fields['seed'] = seed
    if (isStream) {
      fields['stream'] = true
      if (preset.streamUsage !== false) fields['stream_options'] = { include_usage: true }
    }
    if (preset.cacheKey === true && session !== undefined) fields['prompt_cache_key'] = session
    if (preset.purpose === true) fields['metadata'] = { purpose: request.purpose }
    return fields
  }
}

/** The tools on offer, or none where none may be called and that cannot be said. */
function sentTools({ tools, choice }: ModelRequest, { toolChoice }: Preset): readonly Tool[] {
  return tools === undefined || (choice === 'none' && toolChoice === 'auto') ? NO_TOOLS : tools
}

function namesOf({ tools = [], messages, choice }: ModelRequest): readonly string[] {
  const made = messages.flatMap((message) => message.toolCalls?.map((call) => call.name) ?? [])
  return [...tools.map((tool) => tool.name), ...made, ...(typeof choice === 'object' ? [choice.tool] : [])]
}

function wireChoice(choice: Choice, names: ToolNames): unknown {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: names.toWire(choice.tool) } }
}
