import type {
  Codec,
  Json,
  Message,
  ModelRequest,
  ModelResponse,
  Reply,
  Tool,
  ToolCall,
  Usage,
} from '@harnesswright/core'
import type { TextForm } from './form.js'
import { shapedAnswer } from './read/read-plain.js'
import {
  ANSWER,
  answerName,
  FINAL_ANSWER,
  parseOrUndefined,
  type ReadCall,
  type ReadContext,
  type Reading,
} from './read/reading.js'
import { fenceOf } from './wire/fence.js'
import { choiceText, sectionOf, withSection } from './wire/section.js'
import { contentText, createMessageWriter } from './wire/write-messages.js'

const UNKNOWN_USAGE: Usage = Object.freeze({
  inputTokens: null,
  cachedTokens: null,
  outputTokens: null,
  reasoningTokens: null,
  source: 'unknown',
})

/** The codec of a form in which calls, results and answers are text. */
export function createTextCodec(form: TextForm): Codec {
  const writer = createMessageWriter(form)
  return Object.freeze({
    name: form.name,
    encode(request: ModelRequest): ModelRequest {
      const { tools = [], choice, parallelToolCalls: _parallel, messages, schema, ...rest } = request
      const fence = fenceOf(request.seed)
      const written = writer.write(messages, fence)
      if (tools.length === 0) return { ...rest, messages: written, ...(schema === undefined ? {} : { schema }) }
      const told = choiceText(choice, answerName({ tools: toolsByName(tools) }))
      const asked: readonly Message[] = told === undefined ? [] : [{ role: 'user', content: told }]
      return { ...rest, messages: [...withSection(written, sectionOf(request, form, fence)), ...asked] }
    },
    decode(response: ModelResponse, request: ModelRequest): Reply {
      const text = response.content ?? '' // some endpoints send null
      if (typeof text !== 'string') throw new TypeError('the content of its response is no text')
      const context = contextOf(response, request)
      const isOffered = context.tools.size > 0
      const reading = isOffered ? form.read(text, context) : form.readPlain(text, context)
      return replyOf(reading, { text, response, context, codec: form.name })
    },
  })
}

function toolsByName(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  return new Map(tools.map((tool) => [tool.name, tool]))
}

function contextOf({ finish }: ModelResponse, { tools = [], choice, schema, messages }: ModelRequest): ReadContext {
  return {
    tools: toolsByName(choice === 'none' ? [] : tools),
    isCut: finish === 'length',
    ...(schema === undefined ? {} : { schema }),
    isQuoted: (text) => messages.some((message) => isObservation(message) && contentText(message).includes(text)),
  }
}

function isObservation({ role, note }: Message): boolean {
  return role === 'tool' || (role === 'user' && note === 'result')
}

interface Said {
  readonly text: string
  readonly response: ModelResponse
  readonly context: ReadContext
  readonly codec: string
}

function replyOf(reading: Reading, { text, response, context, codec }: Said): Reply {
  const native = response.toolCalls ?? []
  const made = native.length > 0 ? native : reading.calls.map((call): ToolCall => ({ id: '', ...call }))
  const isAnswer = ({ name }: ReadCall): boolean => name === FINAL_ANSWER && !context.tools.has(name)
  const toolCalls = made.filter((call) => !isAnswer(call))
  const given = reading.answer ?? givenAnswer(made.find(isAnswer))
  const answer = given === undefined ? undefined : shapedAnswer(given, context.schema)
  const fault = native.length > 0 ? undefined : faultOf(reading)
  const reasoning = response.reasoning ?? reading.reasoning
  const content = contentOf(reading.words, { text, fault, context, answer: toolCalls.length > 0 ? undefined : answer })
  // What was left out of the history, as it was cut or came another way, is not sent back either.
  const isWhole = native.length === 0 && reading.isPartial !== true
  return {
    content,
    toolCalls,
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(answer === undefined ? {} : { answer }),
    ...(fault === undefined ? {} : { malformed: fault }),
    finish: response.finish,
    usage: response.usage ?? UNKNOWN_USAGE,
    ...(isWhole && (content !== text || toolCalls.length > 0) ? { wire: { codec, content: text } } : {}),
  }
}

/** An answer that was given as a call. */
function givenAnswer(call: ReadCall | undefined): Json | undefined {
  const value = call === undefined ? undefined : parseOrUndefined(call.arguments)
  const isWrapped = typeof value === 'object' && value !== null && !Array.isArray(value) && ANSWER in value
  return isWrapped ? value[ANSWER] : (value ?? call?.arguments)
}

function faultOf({ fault, words, calls, answer, reasoning }: Reading): string | undefined {
  if (fault !== undefined || reasoning === undefined) return fault
  const isEmpty = words.trim() === '' && calls.length === 0 && answer === undefined
  return isEmpty ? 'it holds thinking and nothing else.' : undefined
}

interface Outcome {
  readonly text: string
  readonly fault: string | undefined
  readonly answer: Json | undefined
  readonly context: ReadContext
}

/** What the history says in words: what stands beside calls, or the answer, or the whole text where it could not be read. */
function contentOf(words: string, { text, fault, answer, context }: Outcome): string {
  if (fault !== undefined) return context.tools.size === 0 && words !== '' ? words : text
  if (answer === undefined) return words
  return typeof answer === 'string' ? answer : JSON.stringify(answer)
}
