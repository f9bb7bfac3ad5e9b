import * as http from 'node:http'
import * as https from 'node:https'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { urlToHttpOptions } from 'node:url'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Cut, Outgoing, Receiver } from './sending.js'

/**
 * Sends a request over a socket of the process-wide agents of Node.js, which keep lines open.
 *
 * The fetch of Node.js gives up after 300 s without a first byte, which local and thinking models need longer for, and
 * does not say when it is connected. Redirects are not followed: a key is sent to the address it was given for alone.
 */
export function sendBySocket({ address, headers, body }: Outgoing, receiver: Receiver): Cut {
  const { request: send } = address.startsWith('https:') ? https : http
  const sent = send({
    ...urlToHttpOptions(new URL(address)),
    method: 'POST',
    headers: {
      ...headers,
      'content-length': String(Buffer.byteLength(body)),
      'accept-encoding': 'identity', // what is small arrives at once, and there is nothing to unpack
    },
  })
  sent.on('socket', (socket) => whenConnected(socket, receiver))
  sent.on('error', (error) => receiver.onError(error))
  sent.on('response', (message) => receive(message, receiver))
  sent.end(body)
  return () => void sent.destroy() // with a reason, a line that is just being given back would throw it
}

function whenConnected(socket: Socket, receiver: Receiver): void {
  const isSecure = 'encrypted' in socket
  if (!socket.connecting && !(isSecure && (socket as Socket & { secureConnecting?: boolean }).secureConnecting))
    receiver.onConnect()
  else socket.once(isSecure ? 'secureConnect' : 'connect', () => receiver.onConnect())
}

function receive(message: http.IncomingMessage, receiver: Receiver): void {
  const { headers, statusCode = 500 } = message
  receiver.onHead({
    status: statusCode,
    header: (name) => {
      const value = headers[name]
      return Array.isArray(value) ? value.join(', ') : value
    },
  })
  const body = unpacked(message)
  body.on('data', (bytes: Buffer) => receiver.onPiece(bytes))
  body.on('end', () => receiver.onEnd())
  body.on('error', (error) => receiver.onError(error))
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
