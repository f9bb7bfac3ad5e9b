import { failureInReply } from '../failure/classify.js'
import { Failure } from '../failure/failure.js'
import { fieldsOf, parseJson } from '../json-fields.js'
import { StreamAssembly } from '../stream/assembly.js'
import type { WireDelta, WireReply } from '../stream/reply.js'
import { EventReader } from '../stream/sse.js'
import { wholeReply } from '../stream/whole-reply.js'

/** What reading a reply needs to know. */
export interface Reading {
  readonly response: Response
  /** The pieces of its body as they come. Rejects when the line breaks. */
  readonly pieces: AsyncIterable<Uint8Array>
  readonly isStreamAsked: boolean
  readonly onDelta: (delta: WireDelta) => void
  readonly nowMs: () => number
  /** Called when the endpoint has said why it stopped, with what reads the reply: only counts can come after that. */
  readonly onWhole: (read: () => WireReply) => void
  /** Called when all of the reply is there and the body is not over yet. */
  readonly leave: (pieces: AsyncIterator<Uint8Array>) => void
}

/** Reads a reply in the form in which it came: an endpoint may stream what was not to be streamed, and the other way round. */
export async function readReply(reading: Reading): Promise<WireReply> {
  const type = reading.response.headers.get('content-type') ?? ''
  const isStream = type.includes('text/event-stream') || (reading.isStreamAsked && !/json|html/.test(type))
  return isStream ? await readStream(reading) : await readWhole(reading)
}

async function readWhole({ response, pieces, isStreamAsked, onDelta, nowMs }: Reading): Promise<WireReply> {
  const text = await textOfPieces(pieces)
  const value = parseJson(text)
  const error = fieldsOf(value)?.['error']
  if (error !== undefined && error !== null) throw failureInReply(error, response.headers, nowMs())
  const reply = wholeReply(value, requestIdOf(response))
  if (reply === undefined) throw noReply(response, text, value)
  if (isStreamAsked) emitWhole(reply, onDelta)
  return reply
}

/** All of a body as text, of at most `mostBytes`. */
export async function textOfPieces(
  pieces: AsyncIterable<Uint8Array>,
  mostBytes = Number.POSITIVE_INFINITY,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const piece of pieces) {
    text += decoder.decode(piece, { stream: true })
    bytes += piece.length
    if (bytes > mostBytes) break
  }
  return text + decoder.decode()
}

function noReply(response: Response, text: string, value: unknown): Failure {
  const isPage = /^\s*</.test(text)
  if (value !== undefined || isPage) {
    return new Failure('E_MODEL_BAD_REQUEST', {
      message: `The endpoint answered ${response.status} with ${isPage ? 'a web page' : 'something that is no chat completion'}`,
      hint: 'Check the base URL: it is the address up to and without /chat/completions.',
      status: response.status,
    })
  }
  return new Failure('E_MODEL_TRANSPORT', { message: 'The reply of the endpoint is cut: it is no whole JSON' })
}

function emitWhole({ content, reasoning, calls }: WireReply, onDelta: (delta: WireDelta) => void): void {
  if (reasoning !== undefined) onDelta({ reasoning })
  if (content !== '') onDelta({ text: content })
  for (const [index, call] of calls.entries()) onDelta({ call: { index, name: call.name, arguments: call.arguments } })
}

const DONE = '[DONE]'

async function readStream(reading: Reading): Promise<WireReply> {
  const { response, pieces, onDelta, nowMs } = reading
  const assembly = new StreamAssembly(onDelta)
  const events = new EventReader()
  let isDone = false
  const take = (data: string): void => {
    if (data.trim() === DONE) isDone = true
    else if (!isDone) takeEvent(data, assembly, (error) => failureInReply(error, response.headers, nowMs()))
  }
  try {
    const iterator = pieces[Symbol.asyncIterator]()
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      events.push(next.value).forEach(take)
      if (assembly.isFinished) reading.onWhole(() => assembly.reply(requestIdOf(response)))
      if (isDone) {
        reading.leave(iterator)
        break
      }
    }
    if (!isDone) events.end().forEach(take)
  } catch (error) {
    // All of the reply is there once the endpoint has said why it stopped; what breaks after that takes nothing away.
    if (!assembly.isFinished || error instanceof Failure) throw error
  }
  if (!isDone && !assembly.isFinished) {
    throw new Failure('E_MODEL_TRANSPORT', {
      message: `The stream of the endpoint ended before the reply did${assembly.isBegun ? '' : ': it was empty'}`,
    })
  }
  return assembly.reply(requestIdOf(response))
}

function takeEvent(data: string, assembly: StreamAssembly, failure: (error: unknown) => Failure): void {
  const chunk = fieldsOf(parseJson(data))
  if (chunk === undefined) {
    if (data.trim() === '') return
    throw new Failure('E_MODEL_TRANSPORT', { message: 'A chunk of the stream is no JSON object' })
  }
  if (chunk['error'] !== undefined && chunk['error'] !== null) throw failure(chunk['error'])
  assembly.push(chunk)
}

function requestIdOf(response: Response): string | undefined {
  return response.headers.get('x-request-id') ?? undefined
}
