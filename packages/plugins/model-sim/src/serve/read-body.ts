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
  const value = parseJson(body)
  if (!isShallow(value, MOST_DEPTH)) throw badRequest(`The body is nested deeper than ${MOST_DEPTH} levels.`)
  return placeOf(value, '')
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new Refusal({ status: 400, code: 'invalid_json', message: 'The body is no JSON in UTF-8.' })
  }
}

/** True when a value is nested at most so deep. */
function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every((one) => isShallow(one, depth - 1))
}
