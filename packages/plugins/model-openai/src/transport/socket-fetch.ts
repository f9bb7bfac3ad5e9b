import * as http from 'node:http'
import * as https from 'node:https'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** What a request over a socket takes. Of the fetch interface, what the client uses. */
export interface SocketRequest {
  readonly method?: string | undefined
  readonly headers?: RequestInit['headers']
  readonly body?: string | Uint8Array | undefined
  readonly signal: AbortSignal
  /** Called when the line stands and the request goes out. */
  readonly onConnect: () => void
}

/**
 * Sends a request over a socket of the process-wide agents of Node.js, which keep lines open.
 *
 * The fetch of Node.js gives up after 300 s without a first byte, which local and thinking models need longer for, and
 * does not say when it is connected. Redirects are not followed: a key is sent to the address it was given for alone.
 */
export function socketFetch(address: string, request: SocketRequest): Promise<Response> {
  const { signal, method = 'POST', body } = request
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const headers = Object.fromEntries(new Headers(request.headers))
    if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
    headers['accept-encoding'] = 'identity' // what is small arrives at once, and there is nothing to unpack
    const { request: send } = address.startsWith('https:') ? https : http
    const sent = send(address, { method, headers })
    const stop = (): void => void sent.destroy(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
    signal.addEventListener('abort', stop, { once: true })
    sent.on('close', () => signal.removeEventListener('abort', stop))
    sent.on('socket', (socket) => whenConnected(socket, request.onConnect))
    sent.on('error', reject)
    sent.on('response', (message) => resolve(responseOf(message)))
    sent.end(body)
  })
}

function whenConnected(socket: Socket, onConnect: () => void): void {
  const isSecure = 'encrypted' in socket
  if (!socket.connecting && !(isSecure && (socket as Socket & { secureConnecting?: boolean }).secureConnecting))
    onConnect()
  else socket.once(isSecure ? 'secureConnect' : 'connect', onConnect)
}

function responseOf(message: http.IncomingMessage): Response {
  const headers = new Headers()
  for (let at = 0; at + 1 < message.rawHeaders.length; at += 2) {
    headers.append(message.rawHeaders[at] as string, message.rawHeaders[at + 1] as string)
  }
  const status = message.statusCode ?? 500
  const hasBody = status !== 204 && status !== 205 && status !== 304
  if (!hasBody) message.resume()
  // The web stream of node:stream/web is the global one.
  const body = hasBody ? (Readable.toWeb(unpacked(message)) as ReadableStream<Uint8Array>) : null
  return new Response(body, { status: status < 200 ? 500 : status, headers })
}

/** Some gateways pack what was not to be packed. */
const UNPACKERS = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }

function unpacked(message: http.IncomingMessage): Readable {
  const coding = message.headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (!Object.hasOwn(UNPACKERS, coding)) return message
  const unpacker = UNPACKERS[coding as keyof typeof UNPACKERS]()
  message.on('error', (error) => unpacker.destroy(error))
  unpacker.on('close', () => message.destroy())
  return message.pipe(unpacker)
}
