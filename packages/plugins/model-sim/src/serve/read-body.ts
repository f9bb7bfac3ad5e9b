import type { IncomingMessage } from 'node:http'
import { MOST_DEPTH } from './limits.js'
import { badRequest, Refusal } from './refusal.js'
import { type Place, placeOf } from './wire-fields.js'

/**
 * Reads a body of at most so many bytes. What a larger one sends on is thrown away as it comes, so that its sender can
 * read the refusal; the time of a request bounds that.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = []
    let sizeBytes = Number(request.headers['content-length'] ?? 0)
    const isTooLarge = (): boolean => sizeBytes > maxBytes
    if (isTooLarge()) return reject(tooLarge(maxBytes))
    sizeBytes = 0
    request.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length
      if (!isTooLarge()) return chunks.push(chunk)
      chunks = []
      reject(tooLarge(maxBytes))
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
  })
}

function tooLarge(maxBytes: number): Refusal {
  return new Refusal({
    status: 413,
    code: 'request_too_large',
    message: `The body is too large: at most ${maxBytes} bytes are taken.`,
  })
}

/** The JSON object in a body. @throws Refusal when there is none, or it is nested too deep. */
export function parseBody(body: Buffer): Place {
  // Before it is parsed: megabytes of brackets would keep a parser busy for seconds.
  if (isDeeperThan(MOST_DEPTH, body)) throw badRequest(`The body is nested deeper than ${MOST_DEPTH} levels.`)
  return placeOf(parseJson(body), '')
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new Refusal({ status: 400, code: 'invalid_json', message: 'The body is no JSON in UTF-8.' })
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** `[`, `{` and `]`, `}`: they differ in this bit only. */
const OPEN = 0x7b
const CLOSE = 0x7d
const BRACE_BIT = 0x20

/** True when the brackets outside of strings are nested deeper. In UTF-8 no byte of another character looks like one. */
function isDeeperThan(most: number, json: Buffer): boolean {
  let depth = 0
  let isString = false
  for (let at = 0; at < json.length && depth <= most; at++) {
    const byte = json[at] as number
    if (byte === QUOTE) isString = !isString
    else if (isString) at += byte === BACKSLASH ? 1 : 0
    else if ((byte | BRACE_BIT) === OPEN) depth++
    else if ((byte | BRACE_BIT) === CLOSE) depth--
  }
  return depth > most
}
